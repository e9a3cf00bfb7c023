#!/usr/bin/env python3
"""Draws the images of the sample and makes its stand-ins for code. Needs nothing but the standard library.

    python3 Bundles/RawProduct/draw.py
"""

import math
import os
import struct
import zlib

PRODUCT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Greeting.app")


def png(width, height, colour):
    """A PNG of 8-bit RGBA pixels; colour(x, y) answers four numbers from 0 to 255."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows.extend(colour(x + 0.5, y + 0.5))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b"")


def sun(size):
    def colour(x, y):
        dx, dy = x - size / 2, y - size / 2
        distance = math.hypot(dx, dy) / size
        ray = math.cos(8 * math.atan2(dy, dx))
        if distance < 0.26 or distance < 0.38 + 0.08 * ray and ray > 0:
            return 255, int(200 - 120 * distance), 40, 255
        return 0, 0, 0, 0

    return png(size, size, colour)


def wave(width, height):
    def colour(x, y):
        edge = height * (0.5 + 0.3 * math.sin(2 * math.pi * x / width))
        return (40, 90, 160, 255) if y > edge else (170, 210, 240, 255)

    return png(width, height, colour)


def write(path, data):
    path = os.path.join(PRODUCT, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def main():
    write("sun.png", sun(60))
    write("sun@2x.png", sun(120))
    write("wave.png", wave(160, 48))
    # What the linker of a real product would have left: the first bytes of a Mach-O file, then nothing that runs.
    machine_code = struct.pack("<IIIIIIII", 0xFEEDFACF, 0x0100000C, 0, 2, 0, 0, 0x85, 0) + bytes(2016)
    write("Greeting", machine_code)
    write("Frameworks/Salute.framework/Salute", machine_code)
    write("Frameworks/libswiftCore.dylib", machine_code)
    write("PkgInfo", b"APPL????")
    write("embedded.mobileprovision", b"\x30\x80 stands for a signed profile")
    write("_CodeSignature/CodeResources", b'<?xml version="1.0"?><plist version="1.0"><dict/></plist>\n')
    write(".DS_Store", b"\x00\x00\x00\x01Bud1" + bytes(56))
    write("._sun.png", struct.pack(">IIHHII", 0x00051607, 0x00020000, 0, 0, 0, 0))


main()
