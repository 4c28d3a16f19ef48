#!/bin/sh
# Stands in for llvm-symbolizer in SymbolizerTests, which say in STAND_IN what it does.
eval "$STAND_IN"
