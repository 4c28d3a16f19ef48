#ifndef MAINSTAY_INTERPOSE_H
#define MAINSTAY_INTERPOSE_H

/// Looks up what the interposed functions need. Before the recorder is on.
void mainstay_interpose_prepare(void);
/// From here on, until the end, the runtime tells what it does.
void mainstay_interpose_begin(void);
void mainstay_interpose_end(void);

#endif
