#include "callback.h"

void callback_register(callback_function function, void *context) { function(context, 0); }
