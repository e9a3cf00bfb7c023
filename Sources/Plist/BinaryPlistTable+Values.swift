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
