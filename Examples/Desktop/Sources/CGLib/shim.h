// GLib's event loop, as far as this package needs it in Swift.
#pragma once
#include <glib.h>
