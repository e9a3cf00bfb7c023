#!/usr/bin/env python3
"""Writes zeros over what differs in a program with the folder in which it was built.

    .ci/packing/marks.py PROGRAM

The sections stay: where one is left out, `strip` leaves out the segment as well by which the loader protects tables from writing
(GNU_RELRO).
"""

import struct
import subprocess
import sys

# Digests that the compiler makes of the command by which it compiled each file, which names the folder, and the linker of
# the whole; with the bytes before each that stay.
MARKS = {".swift_modhash": 0, ".note.gnu.build-id": 16}


def blank(path):
    with open(path, "r+b") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            raise SystemExit(f"error: {path} is not a program for 64 bits")
        (start,) = struct.unpack_from("<Q", head, 0x28)
        size, count, names = struct.unpack_from("<HHH", head, 0x3A)
        file.seek(start)
        table = file.read(size * count)
        # The name's place in the table of names, and where the section lies.
        sections = [
            (*struct.unpack_from("<I", table, size * number), *struct.unpack_from("<QQ", table, size * number + 24))
            for number in range(count)]
        file.seek(sections[names][1])
        text = file.read(sections[names][2])
        for name, place, length in sections:
            kept = MARKS.get(text[name:text.index(b"\0", name)].decode())
            if kept is not None:
                file.seek(place + kept)
                file.write(bytes(length - kept))
    headers = subprocess.run(["readelf", "--program-headers", "--wide", path], capture_output=True, text=True, check=True)
    if "GNU_RELRO" not in headers.stdout:
        raise SystemExit(f"error: {path} has no GNU_RELRO: its tables can be written while it runs")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    blank(sys.argv[1])
