/// Writes the four tables, in the layout that was read.
struct ArchiveEncoder {
    private let archive: NibArchive
    private var numberCount = 0
    private var nextWide = 0

    init(_ archive: NibArchive) {
        self.archive = archive
    }

    mutating func encode() -> [UInt8] {
        let tables = NibTable.allCases.map { encode($0) }
        var offsets = [Int](repeating: 0, count: tables.count)
        var body: [UInt8] = []
        body.reserveCapacity(tables.reduce(archive.layout.trailing.count) { $0 + $1.count })
        for part in archive.layout.parts {
            guard let position = NibTable.allCases.firstIndex(of: part.table) else { continue }
            body += part.before
            offsets[position] = ArchiveHeader.byteCount + body.count
            body += tables[position]
        }
        body += archive.layout.trailing
        return header(offsets) + body
    }

    private func header(_ offsets: [Int]) -> [UInt8] {
        let graph = archive.graph
        let counts = [graph.objects.count, graph.keys.count, graph.values.count, graph.classes.count]
        var bytes = ArchiveHeader.mark
        ArchiveEncoder.append(1, 4, to: &bytes)
        ArchiveEncoder.append(UInt64(archive.coderVersion), 4, to: &bytes)
        for (count, offset) in zip(counts, offsets) {
            ArchiveEncoder.append(UInt64(count), 4, to: &bytes)
            ArchiveEncoder.append(UInt64(offset), 4, to: &bytes)
        }
        return bytes
    }

    private mutating func encode(_ table: NibTable) -> [UInt8] {
        var bytes: [UInt8] = []
        switch table {
        case .objects:
            for object in archive.graph.objects {
                append(object.classIndex, to: &bytes)
                append(object.firstValue, to: &bytes)
                append(object.valueCount, to: &bytes)
            }
        case .keys:
            for key in archive.graph.keys {
                append(UInt32(key.utf8.count), to: &bytes)
                bytes += key.utf8
            }
        case .values: for value in archive.graph.values { append(value, to: &bytes) }
        case .classes: for entry in archive.graph.classes { append(entry, to: &bytes) }
        }
        return bytes
    }

    private mutating func append(_ entry: NibClass, to bytes: inout [UInt8]) {
        append(UInt32(entry.name.utf8.count + (entry.isTerminated ? 1 : 0)), to: &bytes)
        append(UInt32(entry.fallbacks.count), to: &bytes)
        for index in entry.fallbacks {
            ArchiveEncoder.append(UInt64(UInt32(bitPattern: index)), 4, to: &bytes)
        }
        bytes += entry.name.utf8
        if entry.isTerminated { bytes.append(0) }
    }

    private mutating func append(_ value: NibValue, to bytes: inout [UInt8]) {
        append(value.key, to: &bytes)
        let (type, bits, size): (UInt8, UInt64, Int) =
            switch value.content {
            case .int8(let number): (0, UInt64(UInt8(bitPattern: number)), 1)
            case .int16(let number): (1, UInt64(UInt16(bitPattern: number)), 2)
            case .int32(let number): (2, UInt64(UInt32(bitPattern: number)), 4)
            case .int64(let number): (3, UInt64(bitPattern: number), 8)
            case .boolean(let flag): (flag ? 5 : 4, 0, 0)
            case .float(let bits): (6, UInt64(bits), 4)
            case .double(let bits): (7, bits, 8)
            case .data: (8, 0, 0)
            case .null: (9, 0, 0)
            case .object(let index): (10, UInt64(index), 4)
            }
        bytes.append(type)
        ArchiveEncoder.append(bits, size, to: &bytes)
        if case .data(let data) = value.content {
            append(data.count, to: &bytes)
            bytes += archive.graph.bytes(of: data)
        }
    }

    private mutating func append(_ number: UInt32, to bytes: inout [UInt8]) {
        var width = ArchiveNumber.width(of: number)
        let wide = archive.layout.wideNumbers
        if nextWide < wide.count, wide[nextWide].ordinal == numberCount {
            width = Int(wide[nextWide].width)
            nextWide += 1
        }
        numberCount += 1
        ArchiveNumber.append(number, width: width, to: &bytes)
    }

    /// Appends the low bytes of a number, lowest first.
    private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }
}
