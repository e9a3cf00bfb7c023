internal import WidgetBytes
internal import WidgetPlist

/// Checks the frames of compiled interfaces and models, which are read as a whole because they are small.
enum InterfaceHeader {
    /// Requires a compiled interface: the newer form with its own tables, or a keyed archive in a property list of
    /// either form.
    static func requireNib(_ bytes: [UInt8]) throws(FormatFault) {
        if bytes.holds("NIBArchive", at: 0) { return try requireTables(bytes) }
        if bytes.holds("bplist00", at: 0) { return try requireKeyedArchive(bytes) }
        if isSource(bytes) { throw FormatFault(.interfaceSource, at: 0) }
        guard isPropertyList(bytes) else { throw FormatFault(.wrongMagic, at: 0) }
        try TextArchiveWalk.require(bytes)
    }

    /// Returns true if the first bytes are those of a property list of either form.
    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        ["bplist00", "<?xml", "<!DOCTYPE plist", "<plist", "\u{FEFF}<?xml"].contains { bytes.holds($0, at: 0) }
    }

    /// Returns true for the XML that Interface Builder writes, of today or of before Xcode 5.
    private static func isSource(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(1 << 10)
        guard head.first == UInt8(ascii: "<") else { return false }
        return ["<document ", "<archive type=\"com.apple.InterfaceBuilder"].contains { mark in
            head.indices.contains { head[$0...].starts(with: mark.utf8) }
        }
    }

    /// Requires a compiled data model: a keyed archive in a property list of either form.
    static func requireModel(_ bytes: [UInt8]) throws(FormatFault) {
        guard isPropertyList(bytes) else { throw FormatFault(.wrongMagic, at: 0) }
        try requireKeyedArchive(bytes)
    }

    /// Requires Core Data's optimised copy of a model, whose contents are opaque, or a model.
    static func requireOptimizedModel(_ bytes: [UInt8]) throws(FormatFault) {
        if bytes.holds("momv2$", at: 0) { return }
        try requireModel(bytes)
    }

    /// Checks ten numbers: two versions, then count and offset of objects, keys, values and classes.
    private static func requireTables(_ bytes: [UInt8]) throws(FormatFault) {
        guard bytes.count >= 50 else { throw FormatFault(.truncated, at: bytes.count) }
        guard bytes.littleEndian32(10) == 1 else { throw FormatFault(.unknownVersion, at: 10) }
        // The smallest size of an element of each table.
        let smallest = [3, 1, 2, 2]
        var previousEnd = 50
        for (table, byteCount) in smallest.enumerated() {
            let place = 18 + 8 * table
            let count = bytes.littleEndian32(place)
            let offset = bytes.littleEndian32(place + 4)
            let end = table == 3 ? bytes.count : bytes.littleEndian32(place + 12)
            guard offset >= previousEnd, offset <= end, end <= bytes.count, count * byteCount <= end - offset else {
                throw FormatFault(.tableOutOfBounds, at: place)
            }
            previousEnd = offset + count * byteCount
        }
        try requireClasses(bytes, bytes.littleEndian32(42), from: bytes.littleEndian32(46))
    }

    /// Checks the last table: for each class the lengths of its name and of a list of numbers, that list, the name. It
    /// ends with the file, but for a few bytes that some versions of Xcode leave behind it.
    private static func requireClasses(_ bytes: [UInt8], _ count: Int, from start: Int) throws(FormatFault) {
        var position = start
        for _ in 0..<count {
            let record = position
            let nameByteCount = try number(bytes, &position)
            let extraCount = try number(bytes, &position)
            position += 4 * extraCount + nameByteCount
            guard position <= bytes.count else { throw FormatFault(.tableOutOfBounds, at: record) }
        }
        guard bytes.count - position <= tailByteCount, Magic.foreign(Array(bytes[position...])) == nil else {
            throw FormatFault(.dataAfterEnd, at: position)
        }
    }

    /// Too few bytes for any program.
    private static let tailByteCount = 32

    /// Reads a number of seven bits in each byte, the lowest first; the last byte has its high bit set.
    private static func number(_ bytes: [UInt8], _ position: inout Int) throws(FormatFault) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 != 0 { return value }
        }
        throw FormatFault(.tableOutOfBounds, at: position)
    }

    private static func requireKeyedArchive(_ bytes: [UInt8]) throws(FormatFault) {
        let root: PlistValue
        do {
            root = try PlistValue(parsing: bytes)
        } catch {
            throw FormatFault(.invalidPart, at: error.offset ?? 0)
        }
        guard root["$archiver"]?.string != nil, root["$objects"]?.array != nil, root["$top"]?.dictionary != nil else {
            throw FormatFault(.notAnArchive, at: 0)
        }
    }
}

/// Checks asset catalogues: the frame of a BOM store, whose tables must be inside the file. The content of blocks is
/// not decoded.
struct CatalogWalk: FormatWalk {
    let fileByteCount: Int
    private var phase = Phase.header
    private var indexByteCount = 0
    private var blocksLeft = 0
    /// The end of the last part; only zeros may follow.
    private var end = 0

    /// Blocks read at a time.
    private static let batch = 256

    private enum Phase { case header, count, blocks, lastByte, tail }

    init(fileByteCount: Int) {
        self.fileByteCount = fileByteCount
    }

    var start: FormatStep { .next(take: 32) }

    func mayEnd(holding count: Int) -> Bool { phase == .tail && count == 0 }

    mutating func take(_ bytes: [UInt8], at offset: Int) throws(FormatFault) -> FormatStep {
        switch phase {
        case .header:
            guard bytes.holds("BOMStore", at: 0) else { throw FormatFault(.wrongMagic, at: 0) }
            guard bytes.bigEndian32(8) == 1 else { throw FormatFault(.unknownVersion, at: 8) }
            let index = bytes.bigEndian32(16)
            indexByteCount = bytes.bigEndian32(20)
            try require(index, indexByteCount, at: 16)
            try require(bytes.bigEndian32(24), bytes.bigEndian32(28), at: 24)
            guard index >= 32, indexByteCount >= 4 else { throw FormatFault(.tableOutOfBounds, at: 16) }
            phase = .count
            return .next(skip: index - 32, take: 4)
        case .count:
            blocksLeft = bytes.bigEndian32(0)
            guard blocksLeft > 0, blocksLeft <= (indexByteCount - 4) / 8 else {
                throw FormatFault(.tableOutOfBounds, at: offset)
            }
            phase = .blocks
        case .blocks:
            for index in stride(from: 0, to: bytes.count, by: 8) {
                // Some writers mark unused numbers this way.
                if bytes[index..<index + 8].allSatisfy({ $0 == 0xFF }) { continue }
                try require(bytes.bigEndian32(index), bytes.bigEndian32(index + 4), at: offset + index)
            }
            blocksLeft -= bytes.count / 8
        case .lastByte: return tail()
        case .tail: throw FormatFault(.dataAfterEnd, at: offset)
        }
        guard blocksLeft == 0 else { return .next(take: 8 * min(blocksLeft, CatalogWalk.batch)) }
        let rest = end - offset - bytes.count
        guard rest > 0 else { return tail() }
        phase = .lastByte
        return .next(skip: rest - 1, take: 1)
    }

    private mutating func tail() -> FormatStep {
        phase = .tail
        return .skipZeros(take: 1)
    }

    private mutating func require(_ start: Int, _ byteCount: Int, at offset: Int) throws(FormatFault) {
        guard start + byteCount <= fileByteCount else { throw FormatFault(.tableOutOfBounds, at: offset) }
        end = max(end, start + byteCount)
    }
}
