#include "mainstay_recorder.h"
