"""The archives that taking in a bundle is measured with; the same bytes for the same seed."""

import json
import plistlib
import random
import struct
import zipfile
import zlib

NAME = "Bench.bundle"
INFO = plistlib.dumps({"CFBundleIdentifier": "org.example.bench", "CFBundleVersion": "1", "CFBundleName": "Bench",
                       "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "Bench"})


def png(data):
    """A picture with valid chunks around any data: the registry does not read pixels."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def screen(generator, name, size):
    """A screen as people write them: objects, elements, bindings, indented."""
    objects, elements, length = {}, {}, 0
    while length < size:
        key = f"{generator.choice(['list', 'title', 'image', 'cell'])}{len(elements)}"
        objects[key] = {"type": "ItemsCollection", "attrs": {"masterKeyPath": f"content.items{generator.randrange(99)}",
                                                             "predicateFormat": f"id == {generator.randrange(10**6)}"}}
        elements[key] = {"bindings": [{"from": f"object.name{generator.randrange(9)}", "to": "text"},
                                      {"from": "object.isHidden", "to": "hidden", "predicateFormat": "SELF == YES"}],
                         "attrs": {"text": f"Element {generator.random()}", "alpha": generator.random()}}
        length = 620 * len(elements)
    return json.dumps({name: {"objects": objects, "elements": elements}}, indent=2).encode()


def write(path, files, method=zipfile.ZIP_DEFLATED, level=None, folder=NAME):
    with zipfile.ZipFile(path, "w", method, compresslevel=level) as archive:
        archive.writestr(f"{folder}/Info.plist", INFO)
        for name, data in files:
            archive.writestr(f"{folder}/{name}", data)


def renamed(path, count):
    """As many entries as there may be, under long names that all change: an application becomes a bundle."""
    folders = "folder" + "x" * 200
    write(path, [(f"{folders}/{index:04}{'y' * 240}.json", b'{"a": 1}') for index in range(count - 1)],
          folder="Bench.app")


def mix(path, seed, byte_count, count):
    """A raw product in the proportions of the demo archive: screens of a few kilobytes, data, strings, pictures
    that hardly compress, and the code and leftovers that are stripped. Returns the names of those."""
    generator = random.Random(seed)
    share = byte_count // count
    stripped = ["Bench", "Frameworks/A.framework/A", "_CodeSignature/CodeResources", ".DS_Store", "PkgInfo"]
    files = [("Bench", b"\xcf\xfa\xed\xfe" + generator.randbytes(share)),
             ("Frameworks/A.framework/A", b"\xcf\xfa\xed\xfe" + generator.randbytes(share)),
             ("_CodeSignature/CodeResources", plistlib.dumps({"files": {}})),
             (".DS_Store", bytes(6148)), ("PkgInfo", b"APPL????")]
    for index in range(count - len(files) - 1):
        scale = generator.uniform(0.4, 1.6)
        kind = index % 10
        if kind < 2:
            files.append((f"Screen{index:04}.json", screen(generator, f"Screen{index:04}", int(5_000 * scale))))
        elif kind == 2:
            rows = [{"id": row, "value": generator.random(), "on": True} for row in range(int(250 * scale))]
            files.append((f"Data{index:04}.json", json.dumps(rows).encode()))
        elif kind == 3:
            lines = [f'"key{row}" = "Text {generator.random()}";' for row in range(int(200 * scale))]
            files.append((f"en.lproj/Table{index:04}.strings", "\n".join(lines).encode()))
        else:
            noise = generator.randbytes(int(share * 1.6 * scale))
            files.append((f"Picture{index:04}.png", png(noise + bytes(len(noise) // 9))))
    write(path, files)
    return [f"{NAME}/{name}" for name in stripped]


def pictures(path, seed, byte_count, count):
    """Nothing but pictures, up to a size."""
    generator = random.Random(seed)
    data = generator.randbytes(byte_count // count - 400)
    write(path, [(f"Picture{index:04}.png", png(data)) for index in range(count)], zipfile.ZIP_STORED)


def many(path, count, length, deep=False):
    """As many entries as there may be, under names of a length: in one folder, or each in twelve separate ones (and of a
    kind that is stripped, because kept folders count as entries)."""
    if deep:
        part = length // 14
        write(path, [("/".join([f"{index:04}" + "z" * (part - 4)] * 12) + "/a.txt", b"a") for index in range(count - 1)])
        return
    folders = "/".join(["folder" + "x" * 90] * (length // 120))
    rest = length - len(folders) - len(NAME) - 12
    names = [f"{folders}{'/' if folders else ''}{index:04}{'y' * rest}.json" for index in range(count - 1)]
    write(path, [(name, b'{"a": 1}') for name in names])


def strings(path, count):
    """Strings files of the largest size and as many keys as may be."""
    lines = "".join(f'"{index:05}key"="text {index:05}";\n' for index in range(32_700)).encode()
    write(path, [(f"T{index:04}.strings", lines) for index in range(count)])


def lists(path, count):
    """Property lists of both forms with as many values as may be."""
    values = plistlib.dumps({"a": [0] * 32_000}, fmt=plistlib.FMT_XML)
    shared = plistlib.dumps({"a": [float(index) for index in range(32_000)]}, fmt=plistlib.FMT_BINARY)
    write(path, [(f"L{index:04}.plist", shared if index % 2 else values) for index in range(count)])


def numbers(path, count, screens):
    """JSON that is nearly all values: short numbers in an array, or as attributes of a screen."""
    files = []
    for index in range(count):
        if screens:
            attributes = {f"k{row}": 0 for row in range(60_000)}
            value = {f"N{index:04}": {"objects": {"a": {"type": "x", "attrs": attributes}}}}
        else:
            value = [0] * 199_000
        files.append((f"N{index:04}.json", json.dumps(value, separators=(",", ":")).encode()))
    write(path, files)


def one(path, seed, byte_count):
    """One file as large as a file may be; half of it compresses."""
    generator = random.Random(seed)
    block = generator.randbytes(1 << 14) + bytes(1 << 14)
    data = png(block * (byte_count // len(block) - 1))
    write(path, [("Picture.png", data)], level=1)
