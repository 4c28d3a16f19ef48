#define _GNU_SOURCE
#include "modules.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  mainstay_store *store;
  unsigned index;
} writer;

static void build_id(const struct dl_phdr_info *info, char *text, size_t room) {
  text[0] = '-';
  text[1] = 0;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE) continue;
    const char *note = (const char *)info->dlpi_addr + segment->p_vaddr, *end = note + segment->p_memsz;
    while (end - note >= 12) {
      const uint32_t *words = (const uint32_t *)note;
      uint64_t name = (words[0] + 3u) & ~3ull, size = (words[1] + 3u) & ~3ull;
      if (12 + name + size > (uint64_t)(end - note)) break;
      if (words[2] == NT_GNU_BUILD_ID && words[0] == 4 && memcmp(note + 12, "GNU", 4) == 0 && words[1] * 2 < room) {
        for (uint32_t b = 0; b < words[1]; b++) snprintf(text + 2 * b, 3, "%02x", (unsigned char)note[12 + name + b]);
        return;
      }
      note += 12 + name + size;
    }
  }
}

static int write_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  writer *w = data;
  const char *path = info->dlpi_name;
  if (w->index++ == 0) path = w->store->header->executable; // the program itself has no name here
  if (path == NULL || path[0] != '/') return 0;             // the kernel's own page
  char id[80];
  build_id(info, id, sizeof id);
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    char line[1400];
    uint64_t start = info->dlpi_addr + segment->p_vaddr;
    int length = snprintf(line, sizeof line, "%lx-%lx %lx %s %s\n", start, start + segment->p_memsz,
                          (unsigned long)segment->p_offset, id, path);
    char *text = w->store->modules;
    uint64_t used = strnlen(text, MAINSTAY_MODULE_BYTES - 1);
    if (length <= 0 || (size_t)length >= sizeof line || used + (uint64_t)length + 1 >= MAINSTAY_MODULE_BYTES) continue;
    if (memmem(text, used, line, (size_t)length) == NULL) memcpy(text + used, line, (size_t)length);
  }
  return 0;
}

void mainstay_modules_write(mainstay_store *store) {
  writer w = {store, 0};
  dl_iterate_phdr(write_object, &w);
}
