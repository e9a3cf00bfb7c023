"""Compiled interfaces, changed: what `widget build` cannot make from a source, such as rules for size classes."""

import struct
import zipfile

MAGIC = b"NIBArchive"
WIDTHS = {0: 1, 1: 2, 2: 4, 3: 8, 6: 4, 7: 8, 10: 4}
TRUE, DOUBLE, INTEGER, REFERENCE = 5, 7, 0, 10


class Nib:
    """Objects, each with the name of its class and a list of its values: key, kind, bytes."""

    def __init__(self, data):
        self.data = data
        numbers = struct.unpack_from("<10I", data, len(MAGIC))
        tables = [(numbers[2 + 2 * table], numbers[3 + 2 * table]) for table in range(4)]
        objects = self.read(tables[0], lambda: (self.number(), self.number(), self.number()))
        keys = self.read(tables[1], lambda: self.take(self.number()))
        values = self.read(tables[2], self.value)
        classes = self.read(tables[3], self.name)
        self.objects = [[classes[name], [[keys[key], kind, data] for key, kind, data in values[first:first + count]]]
                        for name, first, count in objects]

    def read(self, table, one):
        count, self.place = table
        return [one() for _ in range(count)]

    def number(self):
        number = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80:
                return number

    def take(self, count):
        self.place += count
        return self.data[self.place - count:self.place]

    def value(self):
        key, kind = self.number(), self.take(1)[0]
        return key, kind, self.take(self.number() if kind == 8 else WIDTHS.get(kind, 0))

    def name(self):
        length, others = self.number(), self.number()
        others = self.take(4 * others)
        return self.take(length), others

    def add(self, name, **values):
        """Adds an object; numbers of whole values are integers, `Object`s references. Returns its place."""
        self.objects.append([(name.encode() + b"\0", b""), [self.made(key, value) for key, value in values.items()]])
        return Object(len(self.objects) - 1)

    def list(self, *members):
        made = self.add("NSArray", NSInlinedValue=True)
        self.objects[made][1] += [self.made("UINibEncoderEmptyKey", member) for member in members]
        return made

    @staticmethod
    def made(key, value):
        if value is True:
            return [key.encode(), TRUE, b""]
        if isinstance(value, Object):
            return [key.encode(), REFERENCE, struct.pack("<I", value)]
        if isinstance(value, float):
            return [key.encode(), DOUBLE, struct.pack("<d", value)]
        return [key.encode(), INTEGER, struct.pack("<b", value)]

    def set(self, place, key, value):
        values = self.objects[place][1]
        values[:] = [one for one in values if one[0] != key.encode()] + [self.made(key, value)]

    def find(self, name, key, number):
        """The object of a class that has a number under a key."""
        for place, (own, values) in enumerate(self.objects):
            if own[0].rstrip(b"\0").decode() == name and any(
                    one == key.encode() and data and decoded(kind, data) == number for one, kind, data in values):
                return Object(place)
        raise LookupError(f"there is no {name} with {key} {number}")

    @property
    def bytes(self):
        classes = list(dict.fromkeys(name for name, _ in self.objects))
        keys = list(dict.fromkeys(value[0] for _, values in self.objects for value in values))
        objects, values, count = b"", b"", 0
        for name, own in self.objects:
            objects += packed(classes.index(name)) + packed(count) + packed(len(own))
            count += len(own)
            for key, kind, data in own:
                values += packed(keys.index(key)) + bytes([kind]) + (packed(len(data)) if kind == 8 else b"") + data
        tables = [(len(self.objects), objects), (len(keys), b"".join(packed(len(key)) + key for key in keys)), (count, values),
                  (len(classes), b"".join(packed(len(name)) + packed(len(more) // 4) + more + name for name, more in classes))]
        head, place = struct.pack("<2I", 1, 9), len(MAGIC) + 40
        for length, data in tables:
            head += struct.pack("<2I", length, place)
            place += len(data)
        return MAGIC + head + b"".join(data for _, data in tables)


class Object(int):
    """The place of an object."""


def decoded(kind, data):
    return struct.unpack({0: "<b", 1: "<h", 2: "<i", 3: "<q", 6: "<f", 7: "<d", 10: "<I"}[kind], data)[0]


def packed(number):
    data = b""
    while number > 0x7F:
        data += bytes([number & 0x7F])
        number >>= 7
    return data + bytes([number | 0x80])


def vary(archive, constants):
    """Gives the rules with some constants other ones where the width is regular."""
    with zipfile.ZipFile(archive) as source:
        files = {entry: source.read(entry) for entry in source.infolist()}
    for entry, data in files.items():
        if "-view-" in entry.filename:
            files[entry] = varied(Nib(data), constants)
    made = archive.with_name("Varied.zip")
    with zipfile.ZipFile(made, "w") as target:
        for entry, data in files.items():
            target.writestr(entry, data)
    return made


def varied(nib, constants):
    regular = nib.add("UITraitCollection", **{"UITraitCollectionBuiltinTrait-_UITraitNameHorizontalSizeClass": 2})
    storages = []
    for constant, other in constants.items():
        value = nib.add("UIConstraintValue", UINumericConstant=float(other))
        record = nib.add("UITraitStorageRecord", UITraitCollection=regular, UIValue=value)
        rule = nib.find("NSLayoutConstraint", "NSConstant", constant)
        storages.append(nib.add("UITraitStorage", UIObject=rule, UIRecords=nib.list(record)))
    lists = nib.add("UITraitStorageList", UITraitStorages=nib.list(*storages))
    nib.set(0, "UINibTraitStorageListsKey", nib.list(lists))
    return nib.bytes
