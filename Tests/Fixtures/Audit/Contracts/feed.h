#ifndef FEED_H
#define FEED_H
#define FEED_MAIN_THREAD 1

/* Handlers are called on the thread that runs the loop. */
typedef void (*feed_handler)(void *context, int value);

struct feed { int fd; };

int feed_listen(struct feed *feed,
                feed_handler handler, void *context);
#endif
