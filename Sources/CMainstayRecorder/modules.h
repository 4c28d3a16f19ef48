#ifndef MAINSTAY_MODULES_H
#define MAINSTAY_MODULES_H

#include "store.h"

/// Lists the code that is loaded, so that addresses can be named when the process is gone. What was listed before stays.
void mainstay_modules_write(mainstay_store *store);

#endif
