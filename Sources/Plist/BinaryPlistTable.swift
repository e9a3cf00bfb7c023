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
    /// The table of a value: each container before what it holds, and equal scalars once.
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
                    pending.append((child, (Int(number), position)))
                }
                objects[Int(number)] = .dictionary(
                    keys: Array(repeating: 0, count: count), values: Array(repeating: 0, count: count))
            } else {
                let elements = value.array ?? []
                objects.append(.array(Array(repeating: 0, count: elements.count)))
                for (position, child) in elements.enumerated().reversed() {
                    pending.append((child, (Int(number), position)))
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
        // The first object is the one that holds all others.
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
