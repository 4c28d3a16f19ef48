#ifndef MAINSTAY_TRACE_H
#define MAINSTAY_TRACE_H
#endif
