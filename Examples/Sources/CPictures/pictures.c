// Everything that is known of gdk-pixbuf.
#include "gallery_pictures.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t most_pixels;
  int width, height;
  gboolean too_large;
} size_check;

// Comes when the header has been read and before anything is allocated for the pixels. A size of nothing ends it there.
static void size_prepared(GdkPixbufLoader *loader, int width, int height, gpointer data) {
  size_check *check = data;
  check->width = width;
  check->height = height;
  check->too_large = (int64_t)width * height > check->most_pixels;
  if (check->too_large) gdk_pixbuf_loader_set_size(loader, 0, 0);
}

// Packs the rows, and puts what is transparent on white.
static gallery_picture packed(const GdkPixbuf *pixbuf) {
  int width = gdk_pixbuf_get_width(pixbuf), height = gdk_pixbuf_get_height(pixbuf);
  int channels = gdk_pixbuf_get_n_channels(pixbuf);
  size_t stride = (size_t)gdk_pixbuf_get_rowstride(pixbuf);
  const uint8_t *source = gdk_pixbuf_read_pixels(pixbuf);
  gallery_picture picture = {width, height, malloc((size_t)width * (size_t)height * 3)};
  if (!picture.pixels) return picture;
  uint8_t *target = picture.pixels;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = source + stride * (size_t)y;
    if (channels == 3) {
      memcpy(target, row, (size_t)width * 3);
      target += (size_t)width * 3;
      continue;
    }
    for (int x = 0; x < width; x++, row += 4) {
      unsigned alpha = row[3];
      for (int channel = 0; channel < 3; channel++)
        *target++ = (uint8_t)((row[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
  }
  return picture;
}

// libjpeg fills a picture that ends too early with grey and calls it whole. A JPEG is whole when its segments lead to the
// marker of its end.
static gboolean is_cut_off_jpeg(const uint8_t *bytes, size_t count) {
  if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) return FALSE;
  size_t at = 2;
  while (at + 1 < count) {
    if (bytes[at] != 0xFF) {
      // Compressed data, in which every 0xFF is followed by 0.
      const uint8_t *next = memchr(bytes + at, 0xFF, count - at);
      if (!next) return TRUE;
      at = (size_t)(next - bytes);
      continue;
    }
    uint8_t marker = bytes[at + 1];
    if (marker == 0xD9) return FALSE;
    if (marker == 0xFF) {
      at += 1;
    } else if (marker == 0 || marker == 1 || (marker >= 0xD0 && marker <= 0xD7)) {
      at += 2;
    } else {
      if (at + 3 >= count) return TRUE;
      at += 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
    }
  }
  return TRUE;
}

// The PNG loader shows as much as there is. A PNG is whole when its chunks lead to the one that ends it.
static gboolean is_cut_off_png(const uint8_t *bytes, size_t count) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
  if (count < 8 || memcmp(bytes, signature, 8) != 0) return FALSE;
  for (size_t at = 8; at + 12 <= count;) {
    if (memcmp(bytes + at + 4, "IEND", 4) == 0) return FALSE;
    size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
    at += length + 12;
  }
  return TRUE;
}

static void explain(GError **error, char *reason, size_t size) {
  if (*error && reason && size) g_strlcpy(reason, (*error)->message, size);
  g_clear_error(error);
}

gallery_picture_status gallery_picture_decode(const uint8_t *bytes, size_t count, int64_t most_pixels,
                                              gallery_picture *picture, char *reason, size_t reason_size) {
  size_check check = {.most_pixels = most_pixels};
  *picture = (gallery_picture){0};
  GError *error = NULL;
  GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
  g_signal_connect(loader, "size-prepared", G_CALLBACK(size_prepared), &check);
  // The loader reads ahead of what it was told to stop at, so it gets the bytes in pieces.
  gboolean ok = TRUE;
  for (size_t at = 0; ok && at < count && !check.too_large; at += 65536)
    ok = gdk_pixbuf_loader_write(loader, bytes + at, count - at < 65536 ? count - at : 65536, &error);
  GError *closing = NULL;
  if (!gdk_pixbuf_loader_close(loader, ok ? &closing : NULL) && ok) {
    ok = FALSE;
    error = closing;
  }
  gallery_picture_status status = gallery_picture_ok;
  GdkPixbuf *pixbuf = ok ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
  if (check.too_large) {
    status = gallery_picture_too_large;
    picture->width = check.width;
    picture->height = check.height;
    g_clear_error(&error);
  } else if (pixbuf && (is_cut_off_jpeg(bytes, count) || is_cut_off_png(bytes, count))) {
    status = gallery_picture_damaged;
    if (reason_size) g_strlcpy(reason, "it ends too early", reason_size);
  } else if (!pixbuf) {
    status = check.width > 0 || (error && !g_error_matches(error, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_UNKNOWN_TYPE))
                 ? gallery_picture_damaged
                 : gallery_picture_unknown;
    explain(&error, reason, reason_size);
  } else {
    GdkPixbuf *upright = gdk_pixbuf_apply_embedded_orientation(pixbuf);
    *picture = packed(upright ? upright : pixbuf);
    if (upright) g_object_unref(upright);
    if (!picture->pixels) {
      status = gallery_picture_damaged;
      if (reason_size) g_strlcpy(reason, "there is not enough memory for it", reason_size);
    }
  }
  g_object_unref(loader);
  return status;
}

static GdkPixbuf *wrapped(const gallery_picture *picture) {
  return gdk_pixbuf_new_from_data(picture->pixels, GDK_COLORSPACE_RGB, FALSE, 8, picture->width, picture->height,
                                  picture->width * 3, NULL, NULL);
}

gallery_picture gallery_picture_scaled(const gallery_picture *picture, int width, int height) {
  gallery_picture scaled = {0};
  GdkPixbuf *source = wrapped(picture);
  GdkPixbuf *target = gdk_pixbuf_scale_simple(source, width, height, GDK_INTERP_BILINEAR);
  if (target) {
    scaled = packed(target);
    g_object_unref(target);
  }
  g_object_unref(source);
  return scaled;
}

size_t gallery_picture_encode(const gallery_picture *picture, const char *format, uint8_t **bytes) {
  GdkPixbuf *source = wrapped(picture);
  gchar *buffer = NULL;
  gsize size = 0;
  gboolean ok = gdk_pixbuf_save_to_buffer(source, &buffer, &size, format, NULL, NULL);
  g_object_unref(source);
  *bytes = NULL;
  if (!ok) return 0;
  *bytes = malloc(size);
  if (*bytes) memcpy(*bytes, buffer, size);
  g_free(buffer);
  return *bytes ? size : 0;
}
