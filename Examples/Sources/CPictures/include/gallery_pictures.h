// Pictures in and out of files' bytes, by gdk-pixbuf. Safe to call on any thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Three bytes a pixel, row after row without gaps; `pixels` is the caller's to free.
typedef struct {
  int width, height;
  uint8_t *pixels;
} gallery_picture;

typedef enum {
  gallery_picture_ok = 0,
  /// No format that is known here.
  gallery_picture_unknown,
  /// A known format, and the rest is not as it should be.
  gallery_picture_damaged,
  /// More pixels than `most_pixels`; width and height are set.
  gallery_picture_too_large,
} gallery_picture_status;

/// Decodes PNG or JPEG: upright, what is transparent on white. `reason`, of `reason_size` bytes, says what is wrong.
gallery_picture_status gallery_picture_decode(const uint8_t *bytes, size_t count, int64_t most_pixels,
                                              gallery_picture *picture, char *reason, size_t reason_size);

/// Scales a picture to a size of its own.
gallery_picture gallery_picture_scaled(const gallery_picture *picture, int width, int height);

/// Encodes as "png" or "jpeg". Returns the number of bytes, 0 when it failed; `bytes` is the caller's to free.
size_t gallery_picture_encode(const gallery_picture *picture, const char *format, uint8_t **bytes);
