internal import WidgetBytes

/// The objects of a binary property list that is about to be written, in their order, each referring to others by
/// number.
struct BinaryPlistTable {
    enum Object: Hashable {
        /// The first byte, without the count of text and data, and the bytes behind it.
        case scalar(marker: UInt8, bytes: [UInt8])
        case array([UInt32])
        case dictionary(keys: [UInt32], values: [UInt32])
    }

    var objects: [Object] = []
}

extension PlistValue {
    /// The binary form: the same bytes for the same value every time.
    package func encodedBinary() -> [UInt8] { BinaryPlistTable(of: self).encoded() }
}

extension BinaryPlistTable {
    /// The table of a value: each container before its contents, and equal scalars once.
    init(of value: PlistValue) {
        var numbers: [Object: UInt32] = [:]
        // Values that wait for a number, with the place that has to know it.
        var pending: [(value: PlistValue, place: (object: Int, position: Int)?)] = [(value, nil)]
        while let (value, place) = pending.popLast() {
            let number = UInt32(truncatingIfNeeded: objects.count)
            if let scalar = Object(scalar: value) {
                if let known = numbers[scalar] {
                    set(known, at: place)
                    continue
                }
                numbers[scalar] = number
                objects.append(scalar)
            } else if case .dictionary(let dictionary) = value {
                let count = dictionary.count
                objects.append(.array(Array(repeating: 0, count: count * 2)))
                let children = dictionary.keys.map { PlistValue.string($0) } + dictionary.values
                for (position, child) in children.enumerated().reversed() {
                    pending.append((child, (Int(bounded: number), position)))
                }
                objects[Int(bounded: number)] = .dictionary(
                    keys: Array(repeating: 0, count: count), values: Array(repeating: 0, count: count))
            } else {
                let elements = value.array ?? []
                objects.append(.array(Array(repeating: 0, count: elements.count)))
                for (position, child) in elements.enumerated().reversed() {
                    pending.append((child, (Int(bounded: number), position)))
                }
            }
            set(number, at: place)
        }
    }

    private mutating func set(_ number: UInt32, at place: (object: Int, position: Int)?) {
        guard let (object, position) = place else { return }
        switch objects[object] {
        case .scalar: break
        case .array(var references):
            // Nothing else may hold the list while it changes: every change would copy it.
            objects[object] = .array([])
            references[position] = number
            objects[object] = .array(references)
        case .dictionary(var keys, var values):
            objects[object] = .array([])
            if position < keys.count { keys[position] = number } else { values[position - keys.count] = number }
            objects[object] = .dictionary(keys: keys, values: values)
        }
    }
}

extension BinaryPlistTable.Object {
    /// `nil` for containers.
    fileprivate init?(scalar value: PlistValue) {
        var bytes: [UInt8] = []
        switch value {
        case .dictionary, .array: return nil
        case .boolean(let value): self = .scalar(marker: value ? 0x09 : 0x08, bytes: [])
        case .integer(let value):
            let size = value < 0 ? 8 : BinaryPlistTable.size(of: UInt64(value))
            BinaryPlistTable.append(UInt64(bitPattern: value), size: size, to: &bytes)
            self = .scalar(marker: 0x10 | UInt8(truncatingIfNeeded: size.trailingZeroBitCount), bytes: bytes)
        case .largeInteger(let value):
            BinaryPlistTable.append(0, size: 8, to: &bytes)
            BinaryPlistTable.append(value, size: 8, to: &bytes)
            self = .scalar(marker: 0x14, bytes: bytes)
        case .real(let value):
            BinaryPlistTable.append(value.bitPattern, size: 8, to: &bytes)
            self = .scalar(marker: 0x23, bytes: bytes)
        case .date(let date):
            BinaryPlistTable.append(date.secondsSince2001.bitPattern, size: 8, to: &bytes)
            self = .scalar(marker: 0x33, bytes: bytes)
        case .data(let value): self = .scalar(marker: 0x40, bytes: value)
        case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
            self = .scalar(marker: 0x50, bytes: Array(text.utf8))
        case .string(let text):
            for unit in text.utf16 { BinaryPlistTable.append(UInt64(unit), size: 2, to: &bytes) }
            self = .scalar(marker: 0x60, bytes: bytes)
        case .uid(let number):
            let size = BinaryPlistTable.size(of: UInt64(number))
            BinaryPlistTable.append(UInt64(number), size: size, to: &bytes)
            self = .scalar(marker: 0x80 | UInt8(truncatingIfNeeded: size - 1), bytes: bytes)
        }
    }
}

extension BinaryPlistTable {
    /// The file: objects in their order, the table of their offsets, the trailer.
    func encoded() -> [UInt8] {
        let referenceSize = Self.size(of: UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            Self.append(object, referenceSize: referenceSize, to: &bytes)
        }
        let tableOffset = bytes.count
        let offsetSize = Self.size(of: UInt64(tableOffset))
        for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0]
        bytes += [UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
        // The first object holds all others.
        for number in [UInt64(objects.count), 0, UInt64(tableOffset)] {
            Self.append(number, size: 8, to: &bytes)
        }
        return bytes
    }

    private static func append(_ object: Object, referenceSize: Int, to bytes: inout [UInt8]) {
        switch object {
        case .scalar(let marker, let content):
            switch marker {
            case 0x60: append(marker: marker, count: content.count / 2, to: &bytes)
            case 0x40, 0x50: append(marker: marker, count: content.count, to: &bytes)
            default: bytes.append(marker)
            }
            bytes += content
        case .array(let references):
            append(marker: 0xA0, count: references.count, to: &bytes)
            for reference in references { append(UInt64(reference), size: referenceSize, to: &bytes) }
        case .dictionary(let keys, let values):
            append(marker: 0xD0, count: keys.count, to: &bytes)
            for reference in keys + values { append(UInt64(reference), size: referenceSize, to: &bytes) }
        }
    }

    /// A count up to 14 fits the marker; a longer one follows as an integer.
    private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
        guard count >= 15 else {
            bytes.append(marker | UInt8(truncatingIfNeeded: count))
            return
        }
        bytes.append(marker | 0x0F)
        let size = size(of: UInt64(count))
        bytes.append(0x10 | UInt8(truncatingIfNeeded: size.trailingZeroBitCount))
        append(UInt64(count), size: size, to: &bytes)
    }

    static func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes.append(shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0)
        }
    }

    /// 1, 2, 4 or 8 bytes.
    static func size(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

/// The last 32 bytes of the binary form: where the table of offsets lies, and how wide its numbers are.
///
/// Every number is checked against the file before anything is read or allocated by it.
struct BinaryPlistTrailer {
    static let byteCount = 32
    static let headerByteCount = 8

    var offsetSize = 0
    var referenceSize = 0
    var objectCount = 0
    var topObject = 0
    /// The offset at which the objects end and the table of their offsets begins.
    var tableOffset = 0

    init(of bytes: Span<UInt8>, limits: PlistLimits) throws(PlistFault) {
        guard bytes.count >= BinaryPlistTrailer.headerByteCount else { throw PlistFault(.truncated, at: bytes.count) }
        guard bytes[6] == UInt8(ascii: "0"), bytes[7] == UInt8(ascii: "0") else {
            throw PlistFault(.unsupportedVersion, at: 6)
        }
        guard let start = bytes.count.subtracting(BinaryPlistTrailer.byteCount),
            start >= BinaryPlistTrailer.headerByteCount
        else { throw PlistFault(.truncated, at: bytes.count) }
        for index in start..<start + 5 where bytes[index] != 0 { throw PlistFault(.unusedBytesNotZero, at: index) }
        // The sixth byte is a version for sorting that no reader uses.
        try readSizes(bytes, at: start + 6)
        try readNumbers(bytes, at: start + 8, limits)
        try checkTable(endingAt: start)
    }

    private mutating func readSizes(_ bytes: Span<UInt8>, at start: Int) throws(PlistFault) {
        guard (1...8).contains(bytes[start]) else { throw PlistFault(.offsetSize(bytes[start]), at: start) }
        guard (1...8).contains(bytes[start + 1]) else {
            throw PlistFault(.referenceSize(bytes[start + 1]), at: start + 1)
        }
        offsetSize = Int(bytes[start])
        referenceSize = Int(bytes[start + 1])
    }

    private mutating func readNumbers(_ bytes: Span<UInt8>, at start: Int, _ limits: PlistLimits) throws(PlistFault) {
        let count = bigEndian(bytes, at: start, size: 8)
        guard count > 0 else { throw PlistFault(.noObjects, at: start) }
        guard let objectCount = Int64(exactly: count).map({ Int(bounded: $0) }), objectCount <= limits.objectCount
        else {
            throw PlistFault(.objectCount, of: limits, at: start)
        }
        self.objectCount = objectCount
        let top = bigEndian(bytes, at: start + 8, size: 8)
        guard top < count, let topObject = Int64(exactly: top).map({ Int(bounded: $0) }) else {
            throw PlistFault(.topObjectOutOfRange, at: start + 8)
        }
        self.topObject = topObject
        guard let tableOffset = Int64(exactly: bigEndian(bytes, at: start + 16, size: 8)).map({ Int(bounded: $0) })
        else {
            throw PlistFault(.offsetTableOutOfRange, at: start + 16)
        }
        self.tableOffset = tableOffset
    }

    /// Header, objects, table and trailer follow each other without a gap, and the numbers are wide
    /// enough for what they have to say.
    private func checkTable(endingAt end: Int) throws(PlistFault) {
        guard tableOffset > BinaryPlistTrailer.headerByteCount,
            let size = objectCount.multiplied(by: offsetSize), tableOffset.adding(size) == end
        else { throw PlistFault(.offsetTableOutOfRange, at: end + 24) }
        guard reaches(tableOffset - 1, offsetSize) else {
            throw PlistFault(.offsetSize(UInt8(offsetSize)), at: end + 6)
        }
        guard reaches(objectCount - 1, referenceSize) else {
            throw PlistFault(.referenceSize(UInt8(referenceSize)), at: end + 7)
        }
    }

    /// Returns the offset of that object; the caller has checked that its number exists.
    func offset(of object: Int, _ bytes: Span<UInt8>) throws(PlistFault) -> Int {
        let place = tableOffset + object * offsetSize
        guard let offset = Int64(exactly: bigEndian(bytes, at: place, size: offsetSize)).map({ Int(bounded: $0) }),
            offset >= BinaryPlistTrailer.headerByteCount, offset < tableOffset
        else { throw PlistFault(.offsetOutOfRange, at: place) }
        return offset
    }

    /// The number of an object that exists, from a place that the caller has checked.
    func reference(at place: Int, _ bytes: Span<UInt8>) throws(PlistFault) -> Int {
        guard let object = Int64(exactly: bigEndian(bytes, at: place, size: referenceSize)).map({ Int(bounded: $0) }),
            object < objectCount
        else {
            throw PlistFault(.referenceOutOfRange, at: place)
        }
        return object
    }

    private func reaches(_ largest: Int, _ size: Int) -> Bool {
        size >= 8 || UInt64(largest) >> UInt64(size * 8) == 0
    }
}

/// An unsigned number of at most eight bytes; the caller has checked that they are there.
func bigEndian(_ bytes: Span<UInt8>, at start: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<start + size { value = value << 8 | UInt64(bytes[index]) }
    return value
}
