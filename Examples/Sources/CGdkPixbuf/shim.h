// The image decoders of the platform. They need no screen.
#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>
