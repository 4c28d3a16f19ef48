// GTK 4 and libadwaita for Swift, which imports neither cast macros nor functions with a variable number of arguments.
// Everything here takes and returns GtkWidget, so that one type does on the other side.
#pragma once
#include "signals.h"
#include "window.h"
#include "boxes.h"
#include "lines.h"
#include "widgets.h"
#include "lists.h"
#include "pictures.h"
#include "drawing.h"
#include "files.h"
