// Whose job it is: a scope is everything that one task began, by ancestry. A test has one, so that it is judged by its own
// main-actor jobs and by nobody else's. Nothing here runs unless a scope is open.
#ifndef MAINSTAY_SCOPE_H
#define MAINSTAY_SCOPE_H

#include "runtime.h"

#define MAINSTAY_SCOPES 1024u // at a time; entry 0 means "none". As many as a task's stamp can name

/// Opens a scope for the task that calls, and hands back in `previous` what mainstay_scope_close needs. 0: none could be
/// opened, because nothing is recorded, the caller is no task, or too much of it cannot be seen.
uint32_t mainstay_scope_open(uint64_t budget_nanoseconds, uint64_t *previous);
/// Ends it, in the task that opened it. Its entry is used again when what it began has ended.
void mainstay_scope_close(uint32_t scope, uint64_t previous);
/// What is known of it now. From any thread.
bool mainstay_scope_report_of(uint32_t scope, mainstay_scope_report *report);

/// The shortest budget of those that are open, in nanoseconds; 0: none is open.
uint64_t mainstay_scope_least_budget(void);

// What the recorder tells, once a scope is open.

/// The scope of a task, its own or that of the task that it is a child of.
uint16_t mainstay_scope_of(const mainstay_job *task);
/// The scope of what the calling thread runs.
uint16_t mainstay_scope_here(void);
void mainstay_scope_task_created(mainstay_job *task);
void mainstay_scope_task_completed(const mainstay_job *task);
/// A job is put into a queue, not twice for one start; and is taken from it.
void mainstay_scope_enqueued(const mainstay_job *job);
void mainstay_scope_dequeued(const mainstay_job *job);
/// A job that is no task is handed over in the place of the one that runs here.
void mainstay_scope_yielded(mainstay_job *job);
/// Work that is no task is put into the main queue, at once or later (`now`); it starts; and is done.
void mainstay_scope_block_queued(uint16_t scope, bool now);
void mainstay_scope_block_started(uint16_t scope, bool now);
void mainstay_scope_block_done(uint16_t scope);
/// A stretch opens on the calling thread, for a scope, and is `fresh` or goes on after something that ran inside it.
void mainstay_scope_entered(uint16_t scope, bool fresh);
/// The open stretch closes; `measured` says that this ends what began when it was fresh.
void mainstay_scope_left(bool measured);
void mainstay_scope_thread_ends(void);

// What this recorder offers, preloaded or linked.
#define MAINSTAY_RECORDER_INTERFACE_HERE                                                                                \
  {MAINSTAY_RECORDER_INTERFACE, mainstay_recorder_path, mainstay_scope_open, mainstay_scope_close, mainstay_scope_report_of}

#endif
