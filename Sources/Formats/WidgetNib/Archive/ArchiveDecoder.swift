internal import WidgetBytes

/// Reads the four tables. References are numbers, which are checked but not followed, so nothing recurses.
struct ArchiveDecoder {
    private let header: ArchiveHeader
    private let limits: NibLimits
    private var cursor: ArchiveCursor
    private var classes: [NibClass] = []
    private var keys: [String] = []
    private var objects: [NibObject] = []
    private var values: [NibValue] = []

    init(_ bytes: borrowing Span<UInt8>, limits: NibLimits) throws(NibError) {
        header = try ArchiveHeader(bytes, limits: limits)
        self.limits = limits
        cursor = ArchiveCursor(at: 0, end: bytes.count)
    }

    mutating func decode(_ bytes: borrowing Span<UInt8>) throws(NibError) -> NibArchive {
        var ranges: [Range<Int>] = []
        for (table, place) in zip(NibTable.allCases, header.places) {
            cursor.move(to: place.offset)
            switch table {
            case .objects: try readObjects(place.count, bytes)
            case .keys: try readKeys(place.count, bytes)
            case .values: try readValues(place.count, bytes)
            case .classes: try readClasses(place.count, bytes)
            }
            ranges.append(place.offset..<cursor.offset)
        }
        try checkRanges()
        let layout = try ArchiveLayout(ranges, wideNumbers: cursor.wideNumbers, of: bytes)
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy.append(copying: bytes)
        let graph = NibGraph(
            classes: classes, keys: keys, objects: objects, values: values, bytes: copy, root: 0)
        return NibArchive(graph: graph, coderVersion: header.coderVersion, layout: layout)
    }

    private mutating func readObjects(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        let (classCount, valueCount) = (header.places[3].count, header.places[2].count)
        objects.reserveCapacity(count)
        for _ in 0..<count {
            let start = cursor.offset
            let classIndex = try cursor.number(bytes)
            let first = try cursor.number(bytes)
            let owned = try cursor.number(bytes)
            guard classIndex < classCount else { throw NibError(.classOutOfRange(Int(bounded: classIndex)), at: start) }
            guard Int(bounded: first) + Int(bounded: owned) <= valueCount else {
                throw NibError(.valuesOutOfRange, at: start)
            }
            objects.append(NibObject(classIndex: classIndex, firstValue: first, valueCount: owned))
        }
    }

    private mutating func readKeys(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        keys.reserveCapacity(count)
        for _ in 0..<count {
            let length = try cursor.number(bytes)
            let start = try cursor.piece(Int(bounded: length))
            keys.append(try text(start, Int(bounded: length), bytes))
        }
    }

    private mutating func readClasses(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        classes.reserveCapacity(count)
        for _ in 0..<count {
            let length = Int(bounded: try cursor.number(bytes))
            let fallbackCount = Int(bounded: try cursor.number(bytes))
            guard fallbackCount <= cursor.remaining / 4 else { throw NibError(.truncated, at: cursor.offset) }
            var fallbacks: [Int32] = []
            for _ in 0..<fallbackCount {
                let place = cursor.offset
                let index = Int32(truncatingIfNeeded: try cursor.fixed(4, bytes))
                guard index >= 0, index < count else { throw NibError(.classOutOfRange(Int(index)), at: place) }
                fallbacks.append(index)
            }
            let start = try cursor.piece(length)
            let isTerminated = length > 0 && bytes[start + length - 1] == 0
            var entry = NibClass(try text(start, isTerminated ? length - 1 : length, bytes), fallbacks: fallbacks)
            entry.isTerminated = isTerminated
            classes.append(entry)
        }
    }

    private func text(_ start: Int, _ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) -> String {
        try checkMarks(start, count, bytes)
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(start..<start + count)))
        } catch {
            throw NibError(.invalidUTF8, at: start)
        }
    }

    /// Checks all data values: data other than text never looks like so many marks.
    private func checkMarks(_ start: Int, _ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        guard let offset = CombiningMarks.offsetOfTooMany(in: bytes.extracting(start..<start + count)) else { return }
        throw NibError(.markCount, of: limits, at: start + offset)
    }

    private mutating func readValues(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        let (objectCount, keyCount) = (header.places[0].count, header.places[1].count)
        values.reserveCapacity(count)
        for _ in 0..<count {
            let start = cursor.offset
            let key = try cursor.number(bytes)
            guard key < keyCount else { throw NibError(.keyOutOfRange(Int(bounded: key)), at: start) }
            let content = try readContent(bytes)
            if case .object(let index) = content, index >= objectCount {
                throw NibError(.objectOutOfRange(Int(bounded: index)), at: start)
            }
            values.append(NibValue(key: key, content: content))
        }
    }

    private mutating func readContent(_ bytes: borrowing Span<UInt8>) throws(NibError) -> NibContent {
        let place = cursor.offset
        switch try cursor.byte(bytes) {
        case 0: return .int8(Int8(truncatingIfNeeded: try cursor.fixed(1, bytes)))
        case 1: return .int16(Int16(truncatingIfNeeded: try cursor.fixed(2, bytes)))
        case 2: return .int32(Int32(truncatingIfNeeded: try cursor.fixed(4, bytes)))
        case 3: return .int64(Int64(bitPattern: try cursor.fixed(8, bytes)))
        case 4: return .boolean(false)
        case 5: return .boolean(true)
        case 6: return .float(bits: UInt32(truncatingIfNeeded: try cursor.fixed(4, bytes)))
        case 7: return .double(bits: try cursor.fixed(8, bytes))
        case 8:
            let count = try cursor.number(bytes)
            let start = try cursor.piece(Int(bounded: count))
            try checkMarks(start, Int(bounded: count), bytes)
            return .data(NibData(start: UInt32(start), count: count))
        case 9: return .null
        case 10: return .object(UInt32(truncatingIfNeeded: try cursor.fixed(4, bytes)))
        case let type: throw NibError(.unknownValueType(type), at: place)
        }
    }

    /// Refuses values that belong to two objects. Writers go through both tables in step, so a sort is the exception.
    private func checkRanges() throws(NibError) {
        let owners = objects.filter { $0.valueCount > 0 }
        if ArchiveDecoder.areDisjoint(owners) { return }
        guard ArchiveDecoder.areDisjoint(owners.sorted { $0.firstValue < $1.firstValue }) else {
            throw NibError(.valuesOverlap, at: header.places[0].offset)
        }
    }

    private static func areDisjoint(_ objects: [NibObject]) -> Bool {
        var end = 0
        for object in objects {
            guard object.firstValue >= end else { return false }
            end = object.values.upperBound
        }
        return true
    }
}

/// Reads little-endian numbers from front to back, and never beyond the end.
///
/// A number of seven bits a byte has its lowest bits first, and the high bit marks the last byte. Every known writer
/// uses the shortest encoding; for any other, the cursor notes the position among all such numbers and the width.
struct ArchiveCursor {
    private(set) var offset: Int
    private let end: Int
    private(set) var numberCount = 0
    private(set) var wideNumbers: [WideNumber] = []

    init(at offset: Int, end: Int) {
        self.offset = offset
        self.end = end
    }

    var remaining: Int { end - offset }

    mutating func move(to offset: Int) { self.offset = offset }

    mutating func byte(_ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt8 {
        guard offset < end else { throw NibError(.truncated, at: end) }
        let byte = bytes[offset]
        offset &+= 1
        return byte
    }

    /// Skips that many bytes and returns the offset of the first.
    mutating func piece(_ count: Int) throws(NibError) -> Int {
        guard count <= end &- offset else { throw NibError(.truncated, at: offset) }
        let start = offset
        offset &+= count
        return start
    }

    mutating func number(_ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt32 {
        let ordinal = numberCount
        numberCount &+= 1
        guard offset < end else { throw NibError(.truncated, at: end) }
        let first = bytes[offset]
        if first & 0x80 != 0 {
            offset &+= 1
            return UInt32(first & 0x7F)
        }
        return try longNumber(bytes, ordinal)
    }

    private mutating func longNumber(_ bytes: borrowing Span<UInt8>, _ ordinal: Int) throws(NibError) -> UInt32 {
        let start = offset
        var value: UInt64 = 0
        var width = 0
        while width < 10 {
            guard offset < end else { throw NibError(.truncated, at: end) }
            let byte = bytes[offset]
            offset &+= 1
            let bits = UInt64(byte & 0x7F)
            guard width < 5 || bits == 0 else { throw NibError(.numberTooLarge, at: start) }
            if width < 5 { value |= bits &<< UInt64(7 &* width) }
            width &+= 1
            guard byte & 0x80 != 0 else { continue }
            guard value <= UInt64(Int32.max) else { throw NibError(.numberTooLarge, at: start) }
            let number = UInt32(value)
            if width > ArchiveNumber.width(of: number) {
                wideNumbers.append(WideNumber(ordinal: UInt32(ordinal), width: UInt8(width)))
            }
            return number
        }
        throw NibError(.numberTooLarge, at: start)
    }

    /// Reads a whole number of that many bytes.
    mutating func fixed(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) -> UInt64 {
        let start = try piece(count)
        var value: UInt64 = 0
        var index = count
        while index > 0 {
            index &-= 1
            value = value &<< 8 | UInt64(bytes[start &+ index])
        }
        return value
    }
}

/// A number with a longer encoding than it needs.
struct WideNumber: Equatable, Sendable {
    /// The position among all numbers of seven bits a byte, table after table in the order of the header.
    var ordinal: UInt32
    var width: UInt8
}

/// The encoding of numbers of seven bits a byte.
enum ArchiveNumber {
    static func width(of number: UInt32) -> Int {
        max((38 - number.leadingZeroBitCount) / 7, 1)
    }

    static func append(_ number: UInt32, width: Int, to bytes: inout [UInt8]) {
        for place in 0..<width {
            let bits = place < 5 ? UInt8(truncatingIfNeeded: UInt64(number) >> UInt64(7 * place)) & 0x7F : 0
            bytes.append(place == width - 1 ? bits | 0x80 : bits)
        }
    }
}
