internal import WidgetBytes

/// A value of a property list, whichever of the two forms it was read from.
package enum PlistValue: Sendable {
    case dictionary(PlistDictionary)
    case array([PlistValue])
    case string(String)
    case data([UInt8])
    case date(PlistDate)
    case integer(Int64)
    /// A whole number above the largest `Int64`; smaller ones are always `integer`.
    case largeInteger(UInt64)
    /// May be infinite or not a number: both forms can say so, and so do Apple's writers.
    case real(Double)
    case boolean(Bool)
    /// A reference inside a keyed archive. Only the binary form has it; in the XML form it is a
    /// dictionary with the one key `CF$UID`, and stays one.
    case uid(UInt32)
}

extension PlistValue {
    package var dictionary: PlistDictionary? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    package var array: [PlistValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    package var date: PlistDate? {
        if case .date(let value) = self { value } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A number of any kind, rounded to the nearest double.
    package var double: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .largeInteger(let value): Double(value)
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var uid: UInt32? {
        if case .uid(let value) = self { value } else { nil }
    }

    /// The value of that key, when this is a dictionary that has it.
    package subscript(_ key: String) -> PlistValue? { dictionary?[key] }

    package var typeName: PlistTypeName {
        switch self {
        case .dictionary: .dictionary
        case .array: .array
        case .string: .string
        case .data: .data
        case .date: .date
        case .integer, .largeInteger: .integer
        case .real: .real
        case .boolean: .boolean
        case .uid: .uid
        }
    }
}

/// The kind of a value, found or expected.
package enum PlistTypeName: String, Sendable {
    case dictionary, array, string, data, date, integer, real, boolean, uid
}

extension PlistValue: Equatable {
    /// Equal contents; the order of a dictionary's keys does not count, and a number that is not one
    /// equals itself.
    package static func == (left: PlistValue, right: PlistValue) -> Bool {
        // Pairs still to be compared wait here, not on the call stack.
        var pending = [(left, right)]
        while let (first, second) = pending.popLast() {
            switch (first, second) {
            case (.dictionary(let a), .dictionary(let b)):
                guard a.count == b.count else { return false }
                for (key, value) in a.members {
                    guard let other = b[key] else { return false }
                    pending.append((value, other))
                }
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                pending.append(contentsOf: zip(a, b))
            default:
                guard first.isSameScalar(second) else { return false }
            }
        }
        return true
    }

    private func isSameScalar(_ other: PlistValue) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.largeInteger(let a), .largeInteger(let b)): a == b
        case (.real(let a), .real(let b)): a == b || a.isNaN && b.isNaN
        case (.boolean(let a), .boolean(let b)): a == b
        case (.uid(let a), .uid(let b)): a == b
        default: false
        }
    }
}

/// Keys and their values in the order of the file, each key once.
package struct PlistDictionary: Sendable {
    package let keys: [String]
    package let values: [PlistValue]
    /// Positions in the order of their keys' bytes; empty for dictionaries small enough to scan.
    private let sorted: [Int]

    private static let largestScanned = 16

    package init() {
        (keys, values, sorted) = ([], [], [])
    }

    /// Refused, with the position of the first key that repeats an earlier one, when there is such a key.
    init(keys: [String], values: [PlistValue]) throws(DuplicateKey) {
        precondition(keys.count == values.count, "every key has one value")
        if keys.count > PlistDictionary.largestScanned {
            sorted = PlistDictionary.sortedPositions(keys)
            var duplicate = Int.max
            for (first, second) in zip(sorted, sorted.dropFirst()) where keys[first].hasBytes(of: keys[second]) {
                duplicate = min(duplicate, second)
            }
            guard duplicate == .max else { throw DuplicateKey(position: duplicate) }
        } else {
            sorted = []
            for (second, key) in keys.enumerated() where keys[..<second].contains(where: { $0.hasBytes(of: key) }) {
                throw DuplicateKey(position: second)
            }
        }
        self.keys = keys
        self.values = values
    }

    /// A dictionary with the last value of each key, at the place of its first.
    init(lastOf keys: [String], values: [PlistValue], _ repetitions: inout [Repetition]) {
        do {
            self = try PlistDictionary(keys: keys, values: values)
        } catch {
            self = PlistDictionary(merging: keys, values, &repetitions)
        }
    }

    private init(merging keys: [String], _ values: [PlistValue], _ repetitions: inout [Repetition]) {
        // For each first key the position of its last value; nil for the others.
        var lasts: [Int?] = keys.indices.map { $0 }
        let sorted = PlistDictionary.sortedPositions(keys)
        var first = sorted.first ?? 0
        for (before, position) in zip(sorted, sorted.dropFirst()) {
            guard keys[before].hasBytes(of: keys[position]) else {
                first = position
                continue
            }
            lasts[first] = position
            lasts[position] = nil
            repetitions.append(Repetition(position: position, agrees: values[before] == values[position]))
        }
        repetitions.sort { $0.position < $1.position }
        let kept = keys.indices.filter { lasts[$0] != nil }
        self.keys = kept.map { keys[$0] }
        self.values = kept.map { values[lasts[$0] ?? $0] }
        self.sorted = kept.count > PlistDictionary.largestScanned ? PlistDictionary.sortedPositions(self.keys) : []
    }

    /// A key that is in its dictionary already.
    struct Repetition {
        var position: Int
        /// True if it repeats the value before it.
        var agrees: Bool
    }

    /// A dictionary of these members, or `nil` when two have one key.
    package init?(_ members: [(String, PlistValue)]) {
        do { self = try PlistDictionary(keys: members.map { $0.0 }, values: members.map { $0.1 }) } catch { return nil }
    }

    struct DuplicateKey: Error {
        var position: Int
    }

    package var count: Int { keys.count }

    package var isEmpty: Bool { keys.isEmpty }

    package var members: Zip2Sequence<[String], [PlistValue]> { zip(keys, values) }

    /// The value of exactly that key: code points are compared, not appearances.
    ///
    /// - Complexity: O(log n), and a plain scan for small dictionaries.
    package subscript(_ key: String) -> PlistValue? { position(of: key).map { values[$0] } }

    private func position(of key: String) -> Int? {
        guard !sorted.isEmpty else { return keys.firstIndex { $0.hasBytes(of: key) } }
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = low + (high - low) / 2
            if keys[sorted[middle]].byteOrder(key) < 0 { low = middle + 1 } else { high = middle }
        }
        guard low < sorted.count, keys[sorted[low]].hasBytes(of: key) else { return nil }
        return sorted[low]
    }

    /// Equal keys are in the order of their positions.
    private static func sortedPositions(_ keys: [String]) -> [Int] {
        keys.indices.sorted { first, second in
            let order = keys[first].byteOrder(keys[second])
            return order < 0 || order == 0 && first < second
        }
    }
}

/// A moment, as property lists count it: seconds since the beginning of 2001, UTC.
package struct PlistDate: Hashable, Sendable {
    package let secondsSince2001: Double

    /// `nil` for infinities and for "not a number".
    package init?(secondsSince2001: Double) {
        guard secondsSince2001.isFinite else { return nil }
        self.secondsSince2001 = secondsSince2001
    }

    /// Only `YYYY-MM-DDThh:mm:ssZ`; the day must exist.
    init?(iso8601 text: [UInt8]) {
        guard text.count == 20 else { return nil }
        for (offset, mark) in zip([4, 7, 10, 13, 16, 19], "--T::Z".utf8) where text[offset] != mark { return nil }
        guard let year = PlistDate.number(text[0..<4]), let month = PlistDate.number(text[5..<7]),
            let day = PlistDate.number(text[8..<10]), let hour = PlistDate.number(text[11..<13]),
            let minute = PlistDate.number(text[14..<16]), let second = PlistDate.number(text[17..<19]),
            hour < 24, minute < 60, second < 60,
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        secondsSince2001 = Double(
            (days - PlistDate.referenceDay) * 86_400 + Int64(hour * 3_600 + minute * 60 + second))
    }

    /// At most four digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit &- 0x30)
        }
        return value
    }

    /// Days from 1 January 1970 to 1 January 2001.
    private static let referenceDay: Int64 = 11_323
}
