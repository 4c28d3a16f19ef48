// Reads the symbol table of an ELF file, for functions that the dynamic linker does not export.
#ifndef MAINSTAY_SYMTAB_H
#define MAINSTAY_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mainstay_symbol {
  const char *name;
  uint64_t value, size; // as in the file: relative to where the file is loaded. 0: not found
} mainstay_symbol;

/// Looks up `count` symbols. False when the file has no symbol table, or is damaged.
bool mainstay_symtab_find(const char *path, mainstay_symbol *symbols, size_t count);

#endif
