/* A C interface that keeps a callback and says nothing about where it calls it. */
typedef void (*callback_function)(void *context, int value);
void callback_register(callback_function function, void *context);
