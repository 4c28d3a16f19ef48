// The target is its header; a C target needs one source file.
#include "mainstay_trace.h"
