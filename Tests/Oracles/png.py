#!/usr/bin/env python3
"""Decodes PNG files with libpng and prints, for each, its size and the SHA-256 of its pixels as RGBA.

Exits with 77 when there is no libpng. A file that it refuses, or warns of, is printed as such.
"""
import ctypes
import ctypes.util
import hashlib
import sys

try:
    libpng = ctypes.CDLL("libpng16.so.16")
except OSError:
    # Looks for it in other ways, which start half a dozen programs.
    name = ctypes.util.find_library("png16") or ctypes.util.find_library("png")
    if name is None:
        sys.exit(77)
    libpng = ctypes.CDLL(name)


class Image(ctypes.Structure):
    _fields_ = [("opaque", ctypes.c_void_p)] + [
        (field, ctypes.c_uint32)
        for field in ("version", "width", "height", "format", "flags", "colormap_entries", "warning_or_error")
    ] + [("message", ctypes.c_char * 64)]


def decode(path):
    data = open(path, "rb").read()
    image = Image(version=1)
    if not libpng.png_image_begin_read_from_memory(ctypes.byref(image), data, ctypes.c_size_t(len(data))):
        return "refused: " + image.message.decode()
    image.format = 3  # RGBA of eight bits
    pixels = ctypes.create_string_buffer(image.width * image.height * 4)
    if not libpng.png_image_finish_read(ctypes.byref(image), None, pixels, ctypes.c_int32(0), None):
        return "refused: " + image.message.decode()
    if image.warning_or_error:
        return "warned: " + image.message.decode()
    return f"{image.width}x{image.height} {hashlib.sha256(pixels.raw).hexdigest()}"


for path in sys.argv[1:]:
    print(decode(path))
