#define _GNU_SOURCE
#include "eh_frame.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define LARGEST_ENTRY 65536u // bytes of one function's table
#define RIP 16u

static int (*find_object)(void *, struct dl_find_object *); // of the loader, by name: the library needs libc alone

void mainstay_eh_frame_prepare(void) {
  find_object = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
}

bool mainstay_eh_frame_is_loaded(uintptr_t address) {
  struct dl_find_object object;
  return address > 4096 && (find_object == NULL || find_object((void *)address, &object) == 0);
}

uint64_t mainstay_bytes_fixed(mainstay_bytes *b, size_t size) {
  uint64_t value = 0;
  if (b->bad || (size_t)(b->end - b->at) < size) {
    b->bad = true;
    return 0;
  }
  memcpy(&value, b->at, size);
  b->at += size;
  return value;
}

int64_t mainstay_bytes_signed(mainstay_bytes *b, size_t size) {
  int shift = 64 - 8 * (int)size;
  return (int64_t)(mainstay_bytes_fixed(b, size) << shift) >> shift;
}

uint64_t mainstay_bytes_uleb(mainstay_bytes *b) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = (uint8_t)mainstay_bytes_fixed(b, 1);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  b->bad = true;
  return 0;
}

int64_t mainstay_bytes_sleb(mainstay_bytes *b) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64;) {
    uint8_t byte = (uint8_t)mainstay_bytes_fixed(b, 1);
    value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
    if (!(byte & 0x80)) return (int64_t)(byte & 0x40 && shift < 64 ? value | ~0ull << shift : value);
  }
  b->bad = true;
  return 0;
}

mainstay_bytes mainstay_bytes_part(mainstay_bytes *b, uint64_t size) {
  mainstay_bytes part = {b->at, b->at, b->bad};
  if (b->bad || size > (uint64_t)(b->end - b->at)) {
    b->bad = part.bad = true;
    return part;
  }
  part.end = b->at += size;
  return part;
}

// A pointer as DW_EH_PE encodes it. `base` is what "relative to the data" means.
static uintptr_t pointer(mainstay_bytes *b, uint8_t encoding, uintptr_t base) {
  uintptr_t here = (uintptr_t)b->at, value;
  switch (encoding & 0x0f) {
  case 0x00: case 0x04: case 0x0c: value = mainstay_bytes_fixed(b, 8); break;
  case 0x02: value = mainstay_bytes_fixed(b, 2); break;
  case 0x03: value = mainstay_bytes_fixed(b, 4); break;
  case 0x0a: value = (uintptr_t)mainstay_bytes_signed(b, 2); break;
  case 0x0b: value = (uintptr_t)mainstay_bytes_signed(b, 4); break;
  default: b->bad = true; return 0;
  }
  switch (encoding & 0x70) {
  case 0x00: return value;
  case 0x10: return value + here;
  case 0x30: return value + base;
  default: b->bad = true; return 0;
  }
}

static bool read_common(const uint8_t *at, const uint8_t *low, const uint8_t *high, mainstay_function_table *table, uint8_t *encoding,
                        bool *augmented) {
  if (at < low || high - at < 4) return false;
  mainstay_bytes b = {at, high, false};
  uint64_t size = mainstay_bytes_fixed(&b, 4);
  if (size == 0 || size > LARGEST_ENTRY) return false;
  b = mainstay_bytes_part(&b, size);
  uint64_t id = mainstay_bytes_fixed(&b, 4), version = mainstay_bytes_fixed(&b, 1);
  if (id != 0 || (version != 1 && version != 3)) return false;
  const char *augmentation = (const char *)b.at;
  while (!b.bad && mainstay_bytes_fixed(&b, 1) != 0) {}
  if (b.bad) return false;
  table->code_step = mainstay_bytes_uleb(&b);
  table->data_step = mainstay_bytes_sleb(&b);
  if ((version == 1 ? mainstay_bytes_fixed(&b, 1) : mainstay_bytes_uleb(&b)) != RIP) return false;
  *encoding = 0;
  *augmented = augmentation[0] == 'z';
  if (*augmented) {
    mainstay_bytes data = mainstay_bytes_part(&b, mainstay_bytes_uleb(&b));
    for (const char *c = augmentation + 1; *c != 0; c++) {
      if (*c == 'R') *encoding = (uint8_t)mainstay_bytes_fixed(&data, 1);
      else if (*c == 'L') mainstay_bytes_fixed(&data, 1);
      else if (*c == 'S') table->is_signal = true;
      else if (*c == 'P') {
        uint8_t how = (uint8_t)mainstay_bytes_fixed(&data, 1) & 0x7f;
        pointer(&data, how, 0);
      } else if (*c != 'B') break;
    }
    if (data.bad) return false;
  } else if (augmentation[0] != 0)
    return false;
  table->common = (mainstay_bytes){b.at, b.end, false};
  return !b.bad;
}

static bool read_entry(const uint8_t *at, const uint8_t *low, const uint8_t *high, mainstay_function_table *table) {
  if (at < low || high - at < 8) return false;
  mainstay_bytes b = {at, high, false};
  uint64_t size = mainstay_bytes_fixed(&b, 4);
  if (size < 4 || size > LARGEST_ENTRY) return false;
  b = mainstay_bytes_part(&b, size);
  const uint8_t *here = b.at;
  uint8_t encoding;
  bool augmented;
  uint64_t back = mainstay_bytes_fixed(&b, 4);
  if (back == 0 || back > (uint64_t)(here - low) || !read_common(here - back, low, high, table, &encoding, &augmented)) return false;
  table->start = pointer(&b, encoding, 0);
  table->end = table->start + pointer(&b, encoding & 0x0f, 0);
  if (augmented) mainstay_bytes_part(&b, mainstay_bytes_uleb(&b));
  table->own = (mainstay_bytes){b.at, b.end, false};
  return !b.bad;
}

// The file's sorted index of its functions leads to the entry.
bool mainstay_eh_frame_find(uintptr_t address, mainstay_function_table *table) {
  struct dl_find_object object;
  if (find_object == NULL || find_object((void *)address, &object) != 0 || object.dlfo_eh_frame == NULL) return false;
  const uint8_t *index = object.dlfo_eh_frame, *low = object.dlfo_map_start, *high = object.dlfo_map_end;
  if (index < low || high - index < 12 || index[0] != 1 || index[2] != 0x03 || index[3] != 0x3b) return false;
  mainstay_bytes b = {index + 4, high, false};
  pointer(&b, index[1], (uintptr_t)index);
  uint64_t count = mainstay_bytes_fixed(&b, 4);
  if (b.bad || count == 0 || count > (uint64_t)(high - b.at) / 8) return false;
  const uint8_t *rows = b.at; // each: where a function starts, and its entry, from the index
  int64_t wanted = (int64_t)(address - (uintptr_t)index);
  uint64_t first = 0, last = count;
  while (last - first > 1) {
    uint64_t middle = first + (last - first) / 2;
    int32_t start;
    memcpy(&start, rows + 8 * middle, 4);
    if (start <= wanted) first = middle;
    else last = middle;
  }
  int32_t entry;
  memcpy(&entry, rows + 8 * first + 4, 4);
  memset(table, 0, sizeof *table);
  return read_entry(index + entry, low, high, table) && address >= table->start && address < table->end;
}
