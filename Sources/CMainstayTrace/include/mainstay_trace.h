// The bytes of a recording: the only definition of them. What records and what reads both include this header.
// Documentation/RecordingFormat.md explains it in prose; a test holds the two together.
//
// A recording is one file, mapped and shared while the program runs, so that it is complete whenever the program
// stops, however it stops:
//
//     header | threads | executor types | executors | functions | totals | origins | stalls | samples | gaps |
//     starvations | boundaries | modules | blocks | histograms
//
// The header names the place of each. Blocks hold the records, 24 bytes each. A thread owns the block it writes. When
// no block is free, the oldest full one is *folded*, its records added to the totals and histograms, and used again:
// single records may be overwritten, what they add up to is not. A file in which nothing was folded may end after the
// last block in use.
//
// All integers are little-endian. "Ticks" are time stamp counter ticks; the header has two points that turn them into
// nanoseconds of CLOCK_MONOTONIC. Fields that more than one thread writes are written with atomic instructions.
#ifndef MAINSTAY_TRACE_H
#define MAINSTAY_TRACE_H

#include <stdint.h>

#define MAINSTAY_TRACE_MAGIC "MAINSTAY"
#define MAINSTAY_TRACE_VERSION 1u
#define MAINSTAY_TRACE_MACHINE 62u /* EM_X86_64 */

#define MAINSTAY_BLOCK_BYTES 16384u
#define MAINSTAY_RECORDS_PER_BLOCK 680u /* (16384 - 64) / 24 */

// Capacities of the fixed tables. Index 0 of executor types, executors, functions and origins means "none" or "other".
#define MAINSTAY_THREADS 512u
#define MAINSTAY_EXECUTOR_TYPES 256u
#define MAINSTAY_EXECUTORS 16384u
#define MAINSTAY_FUNCTIONS 8192u
#define MAINSTAY_ORIGINS 2048u
#define MAINSTAY_STALLS 512u
#define MAINSTAY_SAMPLES 512u
#define MAINSTAY_SAMPLE_FRAMES 56u
#define MAINSTAY_GAPS 64u
#define MAINSTAY_STARVATIONS 16u
#define MAINSTAY_BLOCKERS 12u
#define MAINSTAY_BOUNDARIES 128u
#define MAINSTAY_BOUNDARY_COUNTS 8u
#define MAINSTAY_MODULE_BYTES 131072u

typedef enum mainstay_state {
  MAINSTAY_STATE_PREPARING = 0, // not yet usable: the program stopped while the recorder started
  MAINSTAY_STATE_RECORDING = 1, // being written, or the program crashed or called _exit
  MAINSTAY_STATE_FINISHED = 2,  // the program exited, or the recording was stopped
} mainstay_state;

// Whether a process is recorded, or why not: in the list of processes that the recorder appends to.
typedef enum mainstay_status {
  MAINSTAY_OK = 0,
  MAINSTAY_NO_RUNTIME = 1,        // no Swift concurrency runtime in this process
  MAINSTAY_UNKNOWN_LAYOUT = 2,    // a runtime whose layout is not known: nothing is recorded
  MAINSTAY_STRIPPED_RUNTIME = 3,  // the runtime is there, its symbols are not
  MAINSTAY_THREAD_SANITIZER = 4,  // ThreadSanitizer uses the hooks that the recorder needs
  MAINSTAY_CANNOT_WRITE = 5,      // the file could not be made or has no room
  MAINSTAY_ALREADY_RECORDING = 6, // another recorder of this process came first
  MAINSTAY_UNSUPPORTED_CLOCK = 7, // the time stamp counter of this processor does not run evenly
} mainstay_status;

// What the start-up self-check found. Each bit is one kind of event that can be seen.
typedef enum mainstay_capability {
  MAINSTAY_CAN_SEE_ENQUEUE = 1u << 0,
  MAINSTAY_CAN_SEE_START = 1u << 1,
  MAINSTAY_CAN_SEE_SUSPEND = 1u << 2,
  MAINSTAY_CAN_SEE_COMPLETION = 1u << 3,
  MAINSTAY_CAN_SEE_INLINE_HOP = 1u << 4,
  MAINSTAY_CAN_SEE_CONTINUATION = 1u << 5,
  MAINSTAY_CAN_SEE_CANCELLATION = 1u << 6,
  MAINSTAY_CAN_SEE_CREATION = 1u << 7,
  MAINSTAY_CAN_SEE_RETURN = 1u << 8,   // the definitive end of a job that Dispatch ran
  MAINSTAY_CAN_SEE_BLOCKS = 1u << 9,   // blocks on the main queue
  MAINSTAY_CAN_SEE_FUNCTION = 1u << 10, // what a job runs
  MAINSTAY_CAN_SEE_QUEUE = 1u << 11,    // the executor that a job is enqueued on
  MAINSTAY_CAN_SEE_ALL = (1u << 12) - 1,
} mainstay_capability;

typedef struct mainstay_region {
  uint64_t offset; // from the start of the file
  uint32_t count;  // of elements
  uint32_t stride; // bytes of an element
} mainstay_region;

typedef struct mainstay_clock {
  uint64_t ticks;
  uint64_t nanoseconds; // CLOCK_MONOTONIC at the same moment
} mainstay_clock;

typedef struct mainstay_header {
  char magic[8];
  uint32_t version;
  uint32_t header_bytes;
  uint32_t machine;
  uint32_t state; // mainstay_state
  uint64_t file_bytes;
  uint32_t pid;
  uint32_t parent_pid;
  uint32_t capabilities; // mainstay_capability
  uint32_t layout;       // the layout of the runtime that was recognised, as in runtime.c
  mainstay_clock started;
  mainstay_clock latest; // at exit; written by the reader's side when the program did not exit
  uint64_t frame_nanoseconds;
  uint64_t budget_nanoseconds;
  uint64_t realtime_nanoseconds; // CLOCK_REALTIME at start
  mainstay_region threads;
  mainstay_region executor_types;
  mainstay_region executors;
  mainstay_region functions;
  mainstay_region totals; // parallel to functions
  mainstay_region origins;
  mainstay_region stalls;
  mainstay_region samples;
  mainstay_region gaps;
  mainstay_region starvations;
  mainstay_region modules; // text, one mapping a line: start-end offset build-id path, in hexadecimal
  mainstay_region blocks;  // count: those that have storage; it grows
  mainstay_region histograms; // [t]: waits on executor type t; [MAINSTAY_EXECUTOR_TYPES]: lengths on the main actor
  // Counters.
  uint64_t next_block;     // sequence number of the block handed out next; those at or over blocks.count were reused
  uint64_t folded_records; // records that now only live in the totals
  uint64_t lost_records;   // single records that no block could hold; the totals have them
  uint64_t lost_threads;   // threads that found no slot: their jobs are not recorded at all
  uint64_t lost_executors; // executors beyond the table: their jobs count for their type only
  uint64_t lost_functions;
  uint64_t displaced_stalls; // stalls that a longer one displaced, and the frames that they dropped
  uint64_t displaced_frames;
  uint64_t unseen_blocks; // main-queue blocks that could not be wrapped
  uint64_t queued_blocks; // main-queue blocks submitted and not yet started
  uint64_t next_sample;   // samples taken; those beyond the table were not kept
  uint64_t lost_samples;  // asked for and not given: the thread blocks the signal, or had gone on
  uint64_t next_gap;
  mainstay_region boundaries; // in front of the modules
  uint64_t lost_boundaries;   // tellings of boundaries beyond the table
  uint64_t reserved[14];
  char executable[1024];    // path, zero-terminated
  char note[512];           // what the self-check missed, for a person
} mainstay_header;

// What a thread does now, in the file so that a crash leaves it readable. Counters stay when a slot is used again.
typedef struct mainstay_thread {
  uint32_t tid;   // 0: free
  uint32_t block; // index + 1 of the block it writes; 0: none
  uint32_t used;  // records in that block; the block itself says so when it is full
  uint16_t function;
  uint16_t executor;
  uint64_t start; // ticks at which the open stretch began; 0: none is open
  uint64_t whole; // ticks at which it began, before something that ran inside it
  uint64_t task;
  uint64_t wait; // ticks; all ones: unknown
  uint16_t origin;
  uint8_t kind; // mainstay_kind
  uint8_t priority;
  uint32_t main_worst; // ticks, at most all ones: the longest stretch of the main actor's that this thread ran,
  uint64_t job; // address of the job, or of the last
  uint64_t pool_enqueued; // jobs that this thread gave to the pool,
  uint64_t pool_started;  // and that it took from it
  uint64_t created;
  uint64_t completed;
  uint64_t cancelled;
  uint64_t continuations; // resumed
  uint64_t main_ticks;    // and all of them together, those that have ended
  uint64_t check; // while it asks whether it runs on an executor: MAINSTAY_CHECKING | the origin that asks << 16 | the executor
} mainstay_thread;
#define MAINSTAY_CHECKING 0x100000000

typedef enum mainstay_executor_kind {
  MAINSTAY_EXECUTOR_POOL = 0,
  MAINSTAY_EXECUTOR_MAIN = 1,
  MAINSTAY_EXECUTOR_ACTOR = 2,
  MAINSTAY_EXECUTOR_CUSTOM = 3,
} mainstay_executor_kind;

// The type of an executor: of the actor, or of the custom executor. Entry 0 is the pool, entry 1 the main actor.
typedef struct mainstay_executor_type {
  uint64_t metadata; // address of the type's metadata; 0 for the pool and the main actor
  uint32_t kind;     // mainstay_executor_kind
  uint32_t ready;    // 1 when the rest is written
  uint32_t histogram;        // 1: its histogram of waits has storage, 2: it has none
  uint32_t length_histogram; // likewise; of the main actor
  uint64_t instances; // executors of this type that were seen
  char name[96]; // zero-terminated, as the type's descriptor has it, without module
} mainstay_executor_type;

typedef struct mainstay_executor {
  uint64_t identity; // address of the actor or executor object; with the type the key, for addresses are reused
  uint64_t since;    // ticks when its queue last stopped being empty
  uint32_t enqueued; // jobs, modulo 2^32; less those started: its queue
  int32_t queue_max;
  uint16_t type;   // index into executor types
  uint8_t ready;   // 1 when the rest is written
  uint8_t settled; // 1: what is enqueued here runs here; a custom executor may hand its jobs on
  uint32_t started; // of the jobs enqueued; written by one thread at a time, for an executor runs one job at a time
} mainstay_executor;

// What runs, and where: the function that a job starts or resumes in, on one type of executor.
typedef struct mainstay_function {
  uint64_t address;
  uint32_t key;   // 1 + executor type, | MAINSTAY_FUNCTION_BLOCK for a main-queue block; 0: free
  uint32_t ready;
} mainstay_function;
#define MAINSTAY_FUNCTION_BLOCK 0x10000u

// Where tasks are created: return addresses, innermost first.
typedef struct mainstay_origin {
  uint64_t key; // 0: free
  uint64_t callers[3];
} mainstay_origin;

// What the folded records of one function add up to. Parallel to the functions.
typedef struct mainstay_total {
  uint64_t count;
  uint64_t ticks;
  uint64_t worst;
  uint64_t worst_start;
  uint64_t waits;  // records with a known wait
  uint64_t worst_wait;
} mainstay_total;

// A main-actor job or main-queue block near or over the budget. Never overwritten by a shorter one.
typedef struct mainstay_stall {
  uint64_t start; // ticks; 0: free
  uint64_t length;
  uint64_t wait;
  uint64_t task;
  uint16_t function;
  uint16_t origin;
  uint8_t kind;
  uint8_t priority;
  uint8_t end;
  uint8_t reserved;
  uint32_t tid;
  uint32_t padding;
  uint64_t reserved_words[2];
} mainstay_stall;

typedef enum mainstay_sample_state {
  MAINSTAY_SAMPLE_NONE = 0,
  MAINSTAY_SAMPLE_RUNNING = 1,
  MAINSTAY_SAMPLE_BLOCKED = 2, // in the system call `call`
  MAINSTAY_SAMPLE_CALLERS = 3, // no stack: the async functions that wait for the job, innermost first
} mainstay_sample_state;

// In the place of a frame: the stack could not be walked here. What follows is of functions further out, if anything is.
#define MAINSTAY_FRAME_UNKNOWN 1u

// What a thread did in the middle of a long stretch.
typedef struct mainstay_sample {
  uint64_t stretch; // ticks at which the stretch began, as in the stall; 0: free
  uint64_t time;
  uint32_t tid;
  uint16_t state; // mainstay_sample_state
  uint16_t count; // of frames
  uint64_t call;  // number of the system call
  uint64_t frames[MAINSTAY_SAMPLE_FRAMES]; // the first as it was, the others return addresses
} mainstay_sample;

// The whole process did not run: it was stopped, or the machine had no time for it.
typedef struct mainstay_gap {
  uint64_t start; // ticks
  uint64_t end;
} mainstay_gap;

// Every thread of the pool was blocked while jobs waited for one.
typedef struct mainstay_starvation {
  uint64_t start; // ticks when the last of them had blocked; 0: free
  uint64_t end;   // ticks when it was last seen
  uint64_t queued; // jobs that waited, at most
  uint32_t count;  // of blockers
  uint32_t reserved;
  uint64_t blockers[MAINSTAY_BLOCKERS]; // the stretches of their samples
} mainstay_starvation;

typedef enum mainstay_boundary_kind {
  MAINSTAY_BOUNDARY_ASSERTED = 1, // its callers promise to be on the main actor
  MAINSTAY_BOUNDARY_HOPPING = 2,  // its callers may be anywhere
} mainstay_boundary_kind;

// Indexes of a boundary's counts.
typedef enum mainstay_boundary_count {
  MAINSTAY_BOUNDARY_CALLBACKS = 0,
  MAINSTAY_BOUNDARY_ON_MAIN = 1,
  MAINSTAY_BOUNDARY_OFF_MAIN = 2,
  MAINSTAY_BOUNDARY_CANNOT_TELL = 3, // from an executor that cannot say whether it is the main actor's
  MAINSTAY_BOUNDARY_INVERSIONS = 4,  // values applied after one that came later
  MAINSTAY_BOUNDARY_MERGED = 5,      // values that a newer one replaced
  MAINSTAY_BOUNDARY_P50 = 6,         // nanoseconds from sent to applied; all ones: not measured
  MAINSTAY_BOUNDARY_P99 = 7,
} mainstay_boundary_count;

// A place where callbacks arrive from code whose isolation the compiler cannot see: what the library says of it. Written
// anew, whole, as often as it says so.
typedef struct mainstay_boundary {
  uint64_t key;    // of kind and texts; 0: free
  uint32_t kind;   // mainstay_boundary_kind
  uint32_t line;
  uint32_t ready;  // 1 when kind, line and texts are written
  uint32_t writes; // odd while the counts are being written
  uint64_t counts[MAINSTAY_BOUNDARY_COUNTS];
  char name[96]; // these four are zero-terminated
  char contract[256];
  char file[96];
  char queues[488]; // where callbacks off the main actor came from: one a line, the most frequent first
} mainstay_boundary;

typedef enum mainstay_block_state {
  MAINSTAY_BLOCK_FREE = 0,
  MAINSTAY_BLOCK_ACTIVE = 1,  // its thread writes it
  MAINSTAY_BLOCK_FULL = 2,    // may be folded
  MAINSTAY_BLOCK_FOLDING = 3, // records before `folded` are in the totals
} mainstay_block_state;

typedef struct mainstay_block {
  uint64_t sequence;
  uint64_t base;   // ticks that the records' starts count from
  uint32_t state;  // mainstay_block_state
  uint32_t used;   // records; of an active block its thread knows
  uint32_t folded; // records of these already in the totals
  uint32_t tid;
  uint32_t task_high; // upper half of the records' task ids
  uint32_t reserved[7];
  // records follow
} mainstay_block;

typedef enum mainstay_kind {
  MAINSTAY_KIND_NONE = 0,
  MAINSTAY_KIND_JOB = 1,      // a stretch that an executor started
  MAINSTAY_KIND_INLINE = 2,   // the same stretch, continued on this thread after an inline hop or an interruption
  MAINSTAY_KIND_BLOCK = 3,    // a block of the main Dispatch queue
  MAINSTAY_KIND_CREATED = 4,  // mainstay_event
  MAINSTAY_KIND_CANCELLED = 5, // mainstay_event
  MAINSTAY_KIND_RESUMED = 6,  // mainstay_event: a continuation was resumed
  MAINSTAY_KIND_SUSPENDED = 8, // mainstay_event: in a continuation. `origin` is the function (index) that it resumes
                               // in, `value` the address where what awaits that one goes on
  MAINSTAY_KIND_TASK = 7,     // mainstay_event: the next record belongs to the task in `value`, not to `task`
} mainstay_kind;

typedef enum mainstay_end {
  MAINSTAY_END_UNKNOWN = 0,
  MAINSTAY_END_HOP = 1,          // suspended: continues on another executor
  MAINSTAY_END_COMPLETED = 2,    // the task is done
  MAINSTAY_END_RETURNED = 3,     // the job returned to its executor
  MAINSTAY_END_CONTINUATION = 4, // suspended in a continuation
  MAINSTAY_END_TASK = 5,         // suspended: waits for a task
  MAINSTAY_END_GROUP = 6,        // suspended: waits for a task group
  MAINSTAY_END_INLINE = 7,       // went on inline on another executor
  MAINSTAY_END_NEXT = 8,         // its end was not seen: the next job on the thread began
  MAINSTAY_END_INTERRUPTED = 9,  // another job ran inside it (an immediate task, a nested loop)
  MAINSTAY_END_EXIT = 10,        // the process exited
  MAINSTAY_END_SUSPENDED = 11,   // suspended for another reason
} mainstay_end;

// A stretch: 24 bytes.
typedef struct mainstay_record {
  uint8_t kind_end;  // kind | end << 4
  uint8_t priority;  // the job's, as Swift's TaskPriority has it
  uint16_t function; // index into functions
  uint32_t task;     // lower half of the task's id; for a job that is no task, of the job's id
  uint64_t start_executor; // ticks since the block's base << 16 | index into executors
  uint32_t length; // ticks, as mainstay_span
  uint32_t wait;   // ticks from enqueue to start, as mainstay_span; MAINSTAY_SPAN_UNKNOWN
} mainstay_record;

// An event in the life of a task: 24 bytes, the same first half.
typedef struct mainstay_event {
  uint8_t kind_end;
  uint8_t priority;
  uint16_t origin;
  uint32_t task;
  uint64_t start_executor;
  uint64_t value; // created: the parent's id, 0 when there is none
} mainstay_event;

// A span of ticks in 32 bits: 26 bits of value and 6 of exponent. Exact below 2^26 ticks (about 25 ms), within 2^-25
// of the value above.
#define MAINSTAY_SPAN_UNKNOWN 0xffffffffu
static inline uint32_t mainstay_span(uint64_t ticks) {
  if (__builtin_expect(ticks < (1ull << 26), 1)) return (uint32_t)ticks;
  uint32_t exponent = 38u - (uint32_t)__builtin_clzll(ticks);
  return exponent << 26 | (uint32_t)(ticks >> exponent);
}
static inline uint64_t mainstay_span_ticks(uint32_t span) {
  uint32_t exponent = span >> 26;
  return exponent > 38 ? UINT64_MAX : (uint64_t)(span & ((1u << 26) - 1)) << exponent;
}

// A histogram of ticks: 64 linear steps, then 64 steps to each power of two. A value's step is at most 1/64 of the
// value wide, so its middle is at most 0.8 % off. Values of 2^36 ticks (half a minute) and more share the last step.
#define MAINSTAY_HISTOGRAM_STEPS 1984u
typedef struct mainstay_histogram {
  uint64_t counts[MAINSTAY_HISTOGRAM_STEPS];
} mainstay_histogram;
static inline uint32_t mainstay_histogram_step(uint64_t ticks) {
  if (ticks < 64) return (uint32_t)ticks;
  uint32_t exponent = 57u - (uint32_t)__builtin_clzll(ticks);
  uint32_t step = (exponent << 6) + (uint32_t)(ticks >> exponent);
  return step < MAINSTAY_HISTOGRAM_STEPS ? step : MAINSTAY_HISTOGRAM_STEPS - 1;
}
static inline uint64_t mainstay_histogram_lower(uint32_t step) {
  if (step < 128) return step;
  uint32_t exponent = (step >> 6) - 1;
  return (uint64_t)(step - (exponent << 6)) << exponent;
}

static inline uint64_t mainstay_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

_Static_assert(sizeof(mainstay_record) == 24 && sizeof(mainstay_event) == 24, "records are 24 bytes");
_Static_assert(sizeof(mainstay_block) == 64, "a block's header is 64 bytes");
_Static_assert(sizeof(mainstay_thread) == 128, "a thread has two cache lines");
_Static_assert(sizeof(mainstay_header) <= 4096, "the header is one page");
_Static_assert(sizeof(mainstay_executor_type) == 128 && sizeof(mainstay_executor) == 32, "table strides");
_Static_assert(sizeof(mainstay_function) == 16 && sizeof(mainstay_origin) == 32, "table strides");
_Static_assert(sizeof(mainstay_total) == 48 && sizeof(mainstay_stall) == 64, "table strides");
_Static_assert(sizeof(mainstay_sample) == 480 && sizeof(mainstay_gap) == 16 && sizeof(mainstay_starvation) == 128,
               "table strides");
_Static_assert(sizeof(mainstay_boundary) == 1024, "table strides");
_Static_assert(sizeof(mainstay_block) + MAINSTAY_RECORDS_PER_BLOCK * sizeof(mainstay_record) <= MAINSTAY_BLOCK_BYTES,
               "records fit a block");

#endif
