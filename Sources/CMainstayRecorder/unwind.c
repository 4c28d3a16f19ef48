#define _GNU_SOURCE
#include "unwind.h"

#include "eh_frame.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define ASYNC_FRAME (1ull << 60) // Swift marks the saved frame pointers of async functions
#define LARGEST_FRAME (8u << 20)
enum { RBP = 6, RSP = 7, RIP = 16 };

bool mainstay_stack_read(const mainstay_stack_memory *memory, uintptr_t address, void *bytes, size_t size) {
  if (memory->copy != NULL && address >= memory->address && address - memory->address <= memory->size &&
      memory->size - (address - memory->address) >= size) {
    memcpy(bytes, memory->copy + (address - memory->address), size);
    return true;
  }
  // Without the risk of a fault: the kernel says how much of it is there.
  struct iovec to = {bytes, size}, from = {(void *)address, size};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

typedef struct {
  enum { SAME, UNDEFINED, AT_OFFSET, AT_EXPRESSION, IS_EXPRESSION, OTHERWISE } how;
  int64_t offset;
  mainstay_bytes expression;
} rule;

// Where the caller's frame begins ("CFA"), and from there its registers.
typedef struct {
  uint64_t base; // the register, when there is no expression
  int64_t offset;
  mainstay_bytes expression;
  rule frame, pc, other;
} rules;

static rule *rule_of(rules *row, uint64_t number) {
  return number == RBP ? &row->frame : number == RIP ? &row->pc : &row->other;
}

static bool run_table(const mainstay_function_table *table, uintptr_t address, rules *row) {
  rules initial = {0}, saved[4];
  unsigned depth = 0;
  memset(row, 0, sizeof *row);
  uintptr_t at = table->start;
  for (int pass = 0; pass < 2; pass++) {
    mainstay_bytes b = pass == 0 ? table->common : table->own;
    if (pass == 1) initial = *row;
    while (b.at < b.end && !b.bad) {
      uint8_t code = (uint8_t)mainstay_bytes_fixed(&b, 1), low = code & 0x3f;
      uint64_t number;
      switch (code & 0xc0) {
      case 0x40: at += low * table->code_step; goto advanced;
      case 0x80: *rule_of(row, low) = (rule){AT_OFFSET, (int64_t)mainstay_bytes_uleb(&b) * table->data_step, {0}}; continue;
      case 0xc0: *rule_of(row, low) = *rule_of(&initial, low); continue;
      default: break;
      }
      switch (code) {
      case 0x00: break;
      case 0x02: at += mainstay_bytes_fixed(&b, 1) * table->code_step; goto advanced;
      case 0x03: at += mainstay_bytes_fixed(&b, 2) * table->code_step; goto advanced;
      case 0x04: at += mainstay_bytes_fixed(&b, 4) * table->code_step; goto advanced;
      case 0x05: number = mainstay_bytes_uleb(&b); *rule_of(row, number) = (rule){AT_OFFSET, (int64_t)mainstay_bytes_uleb(&b) * table->data_step, {0}}; break;
      case 0x06: number = mainstay_bytes_uleb(&b); *rule_of(row, number) = *rule_of(&initial, number); break;
      case 0x07: rule_of(row, mainstay_bytes_uleb(&b))->how = UNDEFINED; break;
      case 0x08: rule_of(row, mainstay_bytes_uleb(&b))->how = SAME; break;
      case 0x09: number = mainstay_bytes_uleb(&b); mainstay_bytes_uleb(&b); rule_of(row, number)->how = OTHERWISE; break;
      case 0x0a:
        if (depth == 4) return false;
        saved[depth++] = *row;
        break;
      case 0x0b:
        if (depth == 0) return false;
        *row = saved[--depth];
        break;
      case 0x0c: row->base = mainstay_bytes_uleb(&b); row->offset = (int64_t)mainstay_bytes_uleb(&b); row->expression.at = NULL; break;
      case 0x0d: row->base = mainstay_bytes_uleb(&b); row->expression.at = NULL; break;
      case 0x0e: row->offset = (int64_t)mainstay_bytes_uleb(&b); break;
      case 0x0f: row->expression = mainstay_bytes_part(&b, mainstay_bytes_uleb(&b)); break;
      case 0x10: number = mainstay_bytes_uleb(&b); *rule_of(row, number) = (rule){AT_EXPRESSION, 0, mainstay_bytes_part(&b, mainstay_bytes_uleb(&b))}; break;
      case 0x11: number = mainstay_bytes_uleb(&b); *rule_of(row, number) = (rule){AT_OFFSET, mainstay_bytes_sleb(&b) * table->data_step, {0}}; break;
      case 0x12: row->base = mainstay_bytes_uleb(&b); row->offset = mainstay_bytes_sleb(&b) * table->data_step; row->expression.at = NULL; break;
      case 0x13: row->offset = mainstay_bytes_sleb(&b) * table->data_step; break;
      case 0x16: number = mainstay_bytes_uleb(&b); *rule_of(row, number) = (rule){IS_EXPRESSION, 0, mainstay_bytes_part(&b, mainstay_bytes_uleb(&b))}; break;
      case 0x2e: mainstay_bytes_uleb(&b); break;
      default: return false;
      }
      continue;
    advanced:
      if (at > address) return pass == 1 && !b.bad;
    }
    if (b.bad) return false;
  }
  return true;
}

static bool register_of(const mainstay_frame *frame, uint64_t number, uint64_t *value) {
  if (number == RBP && !frame->knows_frame) return false;
  *value = number == RSP ? frame->stack : number == RBP ? frame->frame : frame->pc;
  return number == RSP || number == RBP || number == RIP;
}

// A DWARF expression, as far as tables of procedure linkage and of signal frames go.
static bool evaluate(mainstay_bytes b, const mainstay_frame *frame, const mainstay_stack_memory *memory, bool starts, uint64_t first, uint64_t *result) {
  uint64_t stack[16];
  unsigned depth = 0;
  if (starts) stack[depth++] = first;
  for (unsigned steps = 0; b.at < b.end && steps < 64; steps++) {
    uint8_t code = (uint8_t)mainstay_bytes_fixed(&b, 1);
    uint64_t value = 0;
    bool pushes = true;
    if (code >= 0x30 && code <= 0x4f) value = code - 0x30u;
    else if (code >= 0x70 && code <= 0x8f) {
      if (!register_of(frame, code - 0x70u, &value)) return false;
      value += (uint64_t)mainstay_bytes_sleb(&b);
    } else
      switch (code) {
      case 0x08: value = mainstay_bytes_fixed(&b, 1); break;
      case 0x09: value = (uint64_t)mainstay_bytes_signed(&b, 1); break;
      case 0x0a: value = mainstay_bytes_fixed(&b, 2); break;
      case 0x0b: value = (uint64_t)mainstay_bytes_signed(&b, 2); break;
      case 0x0c: value = mainstay_bytes_fixed(&b, 4); break;
      case 0x0d: value = (uint64_t)mainstay_bytes_signed(&b, 4); break;
      case 0x10: value = mainstay_bytes_uleb(&b); break;
      case 0x11: value = (uint64_t)mainstay_bytes_sleb(&b); break;
      case 0x12: // duplicate
        if (depth == 0) return false;
        value = stack[depth - 1];
        break;
      case 0x06: // what is at the address
        if (depth == 0 || !mainstay_stack_read(memory, stack[depth - 1], &stack[depth - 1], 8)) return false;
        pushes = false;
        break;
      case 0x23:
        if (depth == 0) return false;
        stack[depth - 1] += mainstay_bytes_uleb(&b);
        pushes = false;
        break;
      default: {
        if (depth < 2) return false;
        uint64_t right = stack[--depth], *left = &stack[depth - 1];
        pushes = false;
        switch (code) {
        case 0x1a: *left &= right; break;
        case 0x1c: *left -= right; break;
        case 0x21: *left |= right; break;
        case 0x22: *left += right; break;
        case 0x24: *left = right < 64 ? *left << right : 0; break;
        case 0x25: *left = right < 64 ? *left >> right : 0; break;
        case 0x2a: *left = (int64_t)*left >= (int64_t)right; break;
        default: return false;
        }
      }
      }
    if (pushes) {
      if (depth == 16) return false;
      stack[depth++] = value;
    }
  }
  if (b.bad || depth == 0) return false;
  *result = stack[depth - 1];
  return true;
}

// A register of the caller. False when nothing says.
static bool recover(const rule *rule, uint64_t base, const mainstay_frame *frame, const mainstay_stack_memory *memory, uint64_t *value) {
  uint64_t address;
  switch (rule->how) {
  case AT_OFFSET: return mainstay_stack_read(memory, base + (uint64_t)rule->offset, value, 8);
  case AT_EXPRESSION:
    return evaluate(rule->expression, frame, memory, true, base, &address) && mainstay_stack_read(memory, address, value, 8);
  case IS_EXPRESSION: return evaluate(rule->expression, frame, memory, true, base, value);
  default: return false;
  }
}

mainstay_step mainstay_unwind_step(mainstay_frame *frame, const mainstay_stack_memory *memory) {
  uintptr_t address = frame->interrupted ? frame->pc : frame->pc - 1;
  mainstay_function_table table;
  rules row;
  if (!mainstay_eh_frame_find(address, &table) || !run_table(&table, address, &row)) return MAINSTAY_STEP_UNKNOWN;
  if (row.pc.how == UNDEFINED) return MAINSTAY_STEP_OUTERMOST;
  uint64_t base, pc, saved;
  if (row.expression.at != NULL) {
    if (!evaluate(row.expression, frame, memory, false, 0, &base)) return MAINSTAY_STEP_UNKNOWN;
  } else {
    if (row.base == RBP && !frame->knows_frame) return MAINSTAY_STEP_NEEDS_FRAME;
    if (!register_of(frame, row.base, &base)) return MAINSTAY_STEP_UNKNOWN;
    base += (uint64_t)row.offset;
  }
  // A frame lies above those that it called; the handler of a signal may have a stack of its own.
  if (base % 8 != 0 || (!table.is_signal && (base <= frame->stack || base - frame->stack > LARGEST_FRAME)))
    return MAINSTAY_STEP_UNKNOWN;
  if (!recover(&row.pc, base, frame, memory, &pc)) return MAINSTAY_STEP_UNKNOWN;
  if (row.frame.how != SAME) {
    frame->knows_frame = recover(&row.frame, base, frame, memory, &saved);
    if (frame->knows_frame) frame->frame = saved & ~ASYNC_FRAME;
  }
  frame->pc = pc;
  frame->stack = base;
  frame->interrupted = table.is_signal;
  return pc == 0 ? MAINSTAY_STEP_OUTERMOST : MAINSTAY_STEP_CALLER;
}

bool mainstay_unwind_function(uintptr_t address, uintptr_t *start, uintptr_t *end, int64_t *above) {
  mainstay_function_table table;
  rules row;
  if (!mainstay_eh_frame_find(address, &table) || !run_table(&table, address, &row)) return false;
  *start = table.start;
  *end = table.end;
  *above = row.offset;
  return row.base == RBP && row.expression.at == NULL;
}

static mainstay_call_step call_step(uintptr_t pc) {
  mainstay_call_step step = {.pc = pc};
  mainstay_function_table table;
  rules row;
  if (!mainstay_eh_frame_find(pc - 1, &table) || !run_table(&table, pc - 1, &row) || row.expression.at != NULL) return step;
  if ((row.base != RBP && row.base != RSP) || row.offset < 8 || row.offset > (int64_t)LARGEST_FRAME || table.is_signal) return step;
  if (row.pc.how != AT_OFFSET || row.pc.offset != -8) return step;
  if (row.frame.how != SAME && (row.frame.how != AT_OFFSET || row.frame.offset >= 0 || row.frame.offset < -row.offset)) return step;
  step.base = (int32_t)row.offset;
  step.from_frame = row.base == RBP;
  step.saved_frame = row.frame.how == AT_OFFSET ? (int32_t)row.frame.offset : 0;
  step.known = true;
  return step;
}

void mainstay_unwind_callers(uint64_t callers[3], uintptr_t frame, uintptr_t end, mainstay_call_step steps[MAINSTAY_CALL_STEPS]) {
  callers[1] = callers[2] = 0;
  if (frame % 8 != 0 || frame >= end || end - frame < 16) return;
  uintptr_t rbp = *(const uintptr_t *)frame & ~ASYNC_FRAME, rsp = frame + 16;
  for (int i = 1; i < 3; i++) {
    uintptr_t pc = callers[i - 1];
    mainstay_call_step *step = &steps[(pc ^ pc >> 5) % MAINSTAY_CALL_STEPS];
    if (step->pc != pc) *step = call_step(pc);
    uintptr_t base = step->known && !step->from_frame ? rsp + (uintptr_t)step->base : rbp + (step->known ? (uintptr_t)step->base : 16);
    // Within what the frames below leave of the stack, whatever a table or rbp says.
    if (base % 8 != 0 || base < rsp + 8 || base > end) return;
    callers[i] = ((const uintptr_t *)base)[-1];
    int32_t saved = step->known ? step->saved_frame : -16;
    if (saved != 0) {
      uintptr_t at = base + (uintptr_t)(intptr_t)saved;
      if (at < rsp || at % 8 != 0) return;
      rbp = *(const uintptr_t *)at & ~ASYNC_FRAME;
    }
    rsp = base;
  }
}
