// libpq, PostgreSQL's client library.
#include <libpq-fe.h>
