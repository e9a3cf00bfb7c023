/// Builds the form with tables field by field, good ones and bad ones. What is not set is right.
struct ArchiveForge {
    var formatVersion: UInt32 = 1
    var coderVersion: UInt32 = 10
    /// Encoded entries of objects, keys, values and classes.
    var tables: [[[UInt8]]]
    /// The order in which the tables stand in the file.
    var order = [0, 1, 2, 3]
    /// Bytes before a table that belong to none, by table.
    var before: [Int: [UInt8]] = [:]
    var trailing: [UInt8] = []
    /// Instead of the right ones, by table.
    var counts: [Int: UInt32] = [:]
    var offsets: [Int: UInt32] = [:]

    init(objects: [[UInt8]], keys: [String], values: [[UInt8]], classes: [[UInt8]]) {
        tables = [objects, keys.map { Self.number(UInt32($0.utf8.count)) + $0.utf8 }, values, classes]
    }

    /// A root that has a value of each type.
    static let everyType = ArchiveForge(
        objects: [object(0, 0, 11), object(1, 11, 0)], keys: ["a", "größe", ""],
        values: [
            value(0, 0, [0x80]), value(0, 1, [0xFF, 0x7F]), value(1, 2, [1, 2, 3, 4]),
            value(1, 3, [1, 2, 3, 4, 5, 6, 7, 8]), value(2, 4, []), value(2, 5, []),
            value(0, 6, [1, 0, 0x80, 0x7F]), value(0, 7, [1, 0, 0, 0, 0, 0, 0xF0, 0xFF]),
            value(0, 8, number(3) + [9, 8, 7]), value(0, 9, []), value(0, 10, [1, 0, 0, 0]),
        ],
        classes: [named("NSObject"), named("UIColor", fallbacks: [0])])

    func with(_ change: (inout ArchiveForge) -> Void) -> ArchiveForge {
        var copy = self
        change(&copy)
        return copy
    }

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var found = [UInt32](repeating: 0, count: 4)
        for table in order {
            body += before[table] ?? []
            found[table] = UInt32(50 + body.count)
            body += tables[table].flatMap { $0 }
        }
        var bytes = Array("NIBArchive".utf8) + Self.fixed(formatVersion) + Self.fixed(coderVersion)
        for table in 0..<4 {
            bytes += Self.fixed(counts[table] ?? UInt32(tables[table].count))
            bytes += Self.fixed(offsets[table] ?? found[table])
        }
        return bytes + body + trailing
    }

    static func fixed(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// Seven bits a byte, the lowest first, the last with the high bit; with more bytes than needed when asked.
    static func number(_ value: UInt32, width: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.append(UInt8(rest & 0x7F))
            rest >>= 7
        } while rest > 0
        while bytes.count < width { bytes.append(0) }
        bytes[bytes.count - 1] |= 0x80
        return bytes
    }

    static func object(_ classIndex: UInt32, _ first: UInt32, _ count: UInt32, width: Int = 1) -> [UInt8] {
        number(classIndex, width: width) + number(first, width: width) + number(count, width: width)
    }

    static func value(_ key: UInt32, _ type: UInt8, _ payload: [UInt8]) -> [UInt8] { number(key) + [type] + payload }

    static func named(_ name: String, fallbacks: [UInt32] = [], terminator: [UInt8] = [0]) -> [UInt8] {
        number(UInt32(name.utf8.count + terminator.count)) + number(UInt32(fallbacks.count))
            + fallbacks.flatMap { fixed($0) } + Array(name.utf8) + terminator
    }
}
