// SQLite, and what Swift does not import of it.
#include <sqlite3.h>

// A macro that casts -1 to a function: SQLite copies the text before the call returns.
static inline sqlite3_destructor_type mainstay_sqlite_transient(void) { return SQLITE_TRANSIENT; }
