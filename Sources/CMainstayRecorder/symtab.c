#include "symtab.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t hash(const char *name) {
  uint32_t h = 5381;
  for (; *name; name++) h = h * 33 + (unsigned char)*name;
  return h;
}

static void match(const char *name, const Elf64_Sym *symbol, mainstay_symbol *wanted, const uint32_t *hashes, size_t count) {
  uint32_t h = hash(name);
  for (size_t i = 0; i < count; i++)
    if (hashes[i] == h && wanted[i].value == 0 && strcmp(name, wanted[i].name) == 0) {
      wanted[i].value = symbol->st_value;
      wanted[i].size = symbol->st_size;
    }
}

// Every offset comes from the file, so every one is checked against its size.
static bool inside(uint64_t offset, uint64_t bytes, uint64_t size) { return offset <= size && bytes <= size - offset; }

static bool search(const char *file, uint64_t size, mainstay_symbol *wanted, const uint32_t *hashes, size_t count) {
  bool first[256] = {false}; // most names of a Swift library begin with a character that none of ours does
  for (size_t i = 0; i < count; i++) first[(unsigned char)wanted[i].name[0]] = true;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_machine != EM_X86_64 || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
      !inside(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), size))
    return false;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  bool found = false;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum || table->sh_offset % 8 != 0) continue;
    const Elf64_Shdr *strings = &sections[table->sh_link];
    if (!inside(table->sh_offset, table->sh_size, size) || !inside(strings->sh_offset, strings->sh_size, size)) return false;
    if (strings->sh_size == 0 || file[strings->sh_offset + strings->sh_size - 1] != 0) return false;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
    for (uint64_t s = 0; s < table->sh_size / sizeof *symbols; s++) {
      if (symbols[s].st_shndx == SHN_UNDEF || symbols[s].st_name >= strings->sh_size) continue;
      const char *name = file + strings->sh_offset + symbols[s].st_name;
      if (first[(unsigned char)*name]) match(name, &symbols[s], wanted, hashes, count);
    }
    found = true;
  }
  return found;
}

bool mainstay_symtab_find(const char *path, mainstay_symbol *symbols, size_t count) {
  uint32_t hashes[64];
  if (count > 64) return false;
  for (size_t i = 0; i < count; i++) hashes[i] = hash(symbols[i].name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool found = false;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      found = search(bytes, (uint64_t)status.st_size, symbols, hashes, count);
      munmap(bytes, (size_t)status.st_size);
    }
  }
  close(file);
  return found;
}
