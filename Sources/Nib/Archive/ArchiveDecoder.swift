internal import Bytes

/// Reads the four tables. Nothing in them is followed: an object refers to others by number, so there is nothing to
/// recurse into, and a number is only checked.
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
            guard classIndex < classCount else { throw NibError(.classOutOfRange(Int(classIndex)), at: start) }
            guard Int(first) + Int(owned) <= valueCount else { throw NibError(.valuesOutOfRange, at: start) }
            objects.append(NibObject(classIndex: classIndex, firstValue: first, valueCount: owned))
        }
    }

    private mutating func readKeys(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        keys.reserveCapacity(count)
        for _ in 0..<count {
            let length = try cursor.number(bytes)
            let start = try cursor.piece(Int(length))
            keys.append(try text(start, Int(length), bytes))
        }
    }

    private mutating func readClasses(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(NibError) {
        classes.reserveCapacity(count)
        for _ in 0..<count {
            let length = Int(try cursor.number(bytes))
            let fallbackCount = Int(try cursor.number(bytes))
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

    /// What is data and no text never looks like so many marks.
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
            guard key < keyCount else { throw NibError(.keyOutOfRange(Int(key)), at: start) }
            let content = try readContent(bytes)
            if case .object(let index) = content, index >= objectCount {
                throw NibError(.objectOutOfRange(Int(index)), at: start)
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
            let start = try cursor.piece(Int(count))
            try checkMarks(start, Int(count), bytes)
            return .data(NibData(start: UInt32(start), count: count))
        case 9: return .null
        case 10: return .object(UInt32(truncatingIfNeeded: try cursor.fixed(4, bytes)))
        case let type: throw NibError(.unknownValueType(type), at: place)
        }
    }

    /// No value belongs to two objects. Writers go through both tables in step, so a sort is the exception.
    private func checkRanges() throws(NibError) {
        let owners = objects.filter { $0.valueCount > 0 }
        if ArchiveDecoder.areApart(owners) { return }
        guard ArchiveDecoder.areApart(owners.sorted { $0.firstValue < $1.firstValue }) else {
            throw NibError(.valuesOverlap, at: header.places[0].offset)
        }
    }

    private static func areApart(_ objects: [NibObject]) -> Bool {
        var end = 0
        for object in objects {
            guard object.firstValue >= end else { return false }
            end = object.values.upperBound
        }
        return true
    }
}
