#define _GNU_SOURCE
#include "modules.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

typedef struct {
  mainstay_store *store;
  unsigned index;
} writer;

static unsigned long long written; // how many libraries had been loaded and unloaded when the list was last written

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
  if (w->index == 0 && info->dlpi_adds + info->dlpi_subs == written) return 1; // nothing is new
  if (w->index == 0) written = info->dlpi_adds + info->dlpi_subs;
  const char *path = info->dlpi_name;
  if (w->index++ == 0) path = w->store->header->executable; // the program itself has no name here
  if (info->dlpi_addr != 0 && info->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) path = "[vdso]"; // the kernel's: in no file
  else if (path == NULL || path[0] != '/') return 0;
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
  static int writing;
  if (__atomic_exchange_n(&writing, 1, __ATOMIC_ACQUIRE)) return; // the other one writes the same
  if (store->modules[0] == 0) written = 0;
  writer w = {store, 0};
  dl_iterate_phdr(write_object, &w);
  __atomic_store_n(&writing, 0, __ATOMIC_RELEASE);
}
