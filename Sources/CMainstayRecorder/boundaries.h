#ifndef MAINSTAY_BOUNDARIES_H
#define MAINSTAY_BOUNDARIES_H

/// Has the library tell what its boundaries have seen, if there is a library.
void mainstay_boundaries_note(void);

#endif
