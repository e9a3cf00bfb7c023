internal import Bytes
internal import Nib
internal import Plist

/// The frames of compiled interfaces and models, which are read as a whole because they are small.
enum InterfaceHeader {
    /// A compiled interface: the newer form with its own tables, or a keyed archive in a property list of either form.
    static func requireNib(_ bytes: [UInt8]) throws(FormatFault) {
        if bytes.holds("NIBArchive", at: 0) { return try requireTables(bytes) }
        if bytes.holds("bplist00", at: 0) { return try requireKeyedArchive(bytes) }
        guard NibDocument.isMarked(bytes.span) else { throw FormatFault(.wrongMagic, at: 0) }
        // The text of menus has control characters in it, which only the reader of interfaces lets through.
        _ = try rethrowing(as: {
            FormatFault($0.reason == .notAnArchive ? .notAnArchive : .invalidPart, at: $0.offset ?? 0)
        }) { () throws(NibError) in try KeyedNib(parsing: bytes) }
    }

    /// A compiled data model: a keyed archive in a property list of either form.
    static func requireModel(_ bytes: [UInt8]) throws(FormatFault) {
        guard NibDocument.isMarked(bytes.span), !bytes.holds("NIBArchive", at: 0) else {
            throw FormatFault(.wrongMagic, at: 0)
        }
        try requireKeyedArchive(bytes)
    }

    /// What Core Data keeps beside a model to load it faster; its contents are its own business.
    static func requireOptimizedModel(_ bytes: [UInt8]) throws(FormatFault) {
        if bytes.holds("momv2$", at: 0) { return }
        try requireModel(bytes)
    }

    /// Ten numbers: two versions, then count and offset of objects, keys, values and classes.
    private static func requireTables(_ bytes: [UInt8]) throws(FormatFault) {
        guard bytes.count >= 50 else { throw FormatFault(.truncated, at: bytes.count) }
        guard bytes.littleEndian32(10) == 1 else { throw FormatFault(.unknownVersion, at: 10) }
        // The least an element of each table takes.
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

    /// The last table: for each class the lengths of its name and of a list of numbers, that list, the name. Its end
    /// is the file's, but for a few bytes that some versions of Xcode leave behind it.
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

    /// Too few for anything that runs.
    private static let tailByteCount = 32

    /// Seven bits in each byte, the lowest first; the last byte has its high bit set.
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
