// What becomes of tasks beside the stretches that they run: created, waiting in a continuation, resumed, cancelled.
#define _GNU_SOURCE
#include "stretch.h"

static void event(mainstay_kind kind, uint64_t task, uint8_t priority, uint16_t origin, uint16_t executor, uint64_t value) {
  if (mainstay_self_slot() == NULL) return;
  uint64_t now = mainstay_ticks();
  mainstay_event *record = (mainstay_event *)mainstay_self_place(task, now);
  if (record == NULL) {
    __atomic_fetch_add(&mainstay_the.store.header->lost_records, 1, __ATOMIC_RELAXED);
    return;
  }
  *record = (mainstay_event){.kind_end = (uint8_t)kind, .priority = priority, .origin = origin, .task = (uint32_t)task,
                             .start_executor = mainstay_self_since_base(now) << 16 | executor, .value = value};
  mainstay_self_publish();
}

// Where a task waits in a continuation: what it resumes in, and the program's function that awaits that. In programs that
// are not optimised it resumes in the library's `withCheckedContinuation`, of which the program has a copy.
void mainstay_task_waits(const mainstay_job *task) {
  uint16_t resumes = mainstay_self_function((uint64_t)task->resume, 1 + MAINSTAY_EXECUTOR_POOL);
  event(MAINSTAY_KIND_SUSPENDED, mainstay_task_id(task), task->priority, resumes, 0,
        mainstay_runtime_function(&mainstay_the.runtime, task));
}

void mainstay_task_resumed(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->continuations++;
  event(MAINSTAY_KIND_RESUMED, mainstay_task_id(task), 0, 0, 0, 0);
}

void mainstay_task_cancelled(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->cancelled++;
  event(MAINSTAY_KIND_CANCELLED, mainstay_task_id(task), task->priority, mainstay_task_origin(task), 0, 0);
}

void mainstay_task_creating(const uint64_t callers[3], bool inherits) {
  mainstay_self.creating = true;
  mainstay_self.creating_inherits = inherits;
  mainstay_self.creating_origin = mainstay_store_origin(&mainstay_the.store, callers);
}

// Called from the enqueue of the new task, before anybody else can run it; or, when it was not enqueued, afterwards.
void mainstay_task_created(mainstay_job *task) {
  if (!mainstay_self.creating) return;
  mainstay_self.creating = false;
  if (mainstay_self_slot() == NULL) return;
  mainstay_task_set_origin(task, mainstay_self.creating_origin, 0);
  if (mainstay_has_scopes()) mainstay_scope_task_created(task);
  mainstay_self.slot->created++;
  uint64_t parent = 0;
  if (mainstay_self.slot->start != 0 && mainstay_self.slot->kind != MAINSTAY_KIND_BLOCK)
    parent = mainstay_self.slot->task;
  uint16_t executor = mainstay_self.creating_inherits && mainstay_self.slot->start != 0 ? mainstay_self.slot->executor : 0;
  event(MAINSTAY_KIND_CREATED, mainstay_task_id(task), task->priority, mainstay_self.creating_origin, executor, parent);
}
