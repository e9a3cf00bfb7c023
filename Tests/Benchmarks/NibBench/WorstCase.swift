/// Files as large as is accepted, each with as much as possible of one thing.
enum WorstCase {
    static let byteCount = 4 << 20

    static var all: [(String, [UInt8])] {
        [
            ("values of nothing", tables(values: 500_000, [0x80, 9])),
            ("numbers spelled long", tables(values: 270_000, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 8, 0, 0, 0, 0x80])),
            ("too many values", tables(values: 2_000_000, [0x80, 9])),
            ("objects", objects(200_000)),
            ("objects in reverse", reversed(200_000)),
            ("keys", keys(20_000)),
            ("keyed: long texts named often", keyed(text: 1 << 20, references: 400_000)),
            ("keyed: objects", keyedObjects(59_000)),
            ("keyed: one object in many places", keyed(pairs: 120_000, objects: 190_000)),
            ("text: comments", text(many(524_000, Array("- ".utf8)), in: "<!--", "-->", count: 1)),
            ("text: one long text", text(many(1_048_200, Array("]".utf8)), in: "<string>", "</string>", count: 1)),
            ("text: data", text(many(1_048_200, Array("A".utf8)), in: "<data>", "</data>", count: 1)),
            (
                "text: references",
                text(Array("1".utf8), in: "<dict><key>CF$UID</key><integer>", "</integer></dict>", count: 20_900)
            ),
            (
                "text: numbers of characters",
                text(many(209_000, Array("&#65;".utf8)), in: "<string>", "</string>", count: 1)
            ),
            ("text: real numbers", text(Array("1.5e30".utf8), in: "<real>", "</real>", count: 39_500)),
            ("text: empty texts", text([], in: "<string>", "</string>", count: 49_900)),
        ]
    }

    static func tables(values: Int, _ value: [UInt8]) -> [UInt8] {
        file(objects: [0x80, 0x80, 0x80], 1, keys: [0x81, 0x61], 1, values: many(values, value), values)
    }

    private static func objects(_ count: Int) -> [UInt8] {
        file(objects: many(count, [0x80, 0x80, 0x80]), count, keys: [0x81, 0x61], 1, values: [], 0)
    }

    private static func reversed(_ count: Int) -> [UInt8] {
        var objects: [UInt8] = []
        for index in (0..<count).reversed() {
            objects += [0x80] + [UInt8(index & 0x7F), UInt8(index >> 7 & 0x7F), UInt8(index >> 14) | 0x80] + [0x81]
        }
        return file(
            objects: objects, count, keys: [0x81, 0x61], 1, values: many(count, [0x80, 9]), count)
    }

    private static func keys(_ count: Int) -> [UInt8] {
        let key: [UInt8] = [0x48, 0x81] + [UInt8](repeating: 0x61, count: 200)
        return file(objects: [0x80, 0x80, 0x80], 1, keys: many(count, key), count, values: [], 0)
    }

    private static func many(_ count: Int, _ piece: [UInt8]) -> [UInt8] {
        [UInt8]((0..<count).lazy.map { _ in piece }.joined())
    }

    private static func file(
        objects: [UInt8], _ objectCount: Int, keys: [UInt8], _ keyCount: Int, values: [UInt8], _ valueCount: Int
    ) -> [UInt8] {
        let classes: [UInt8] = [0x82, 0x80, 0x41, 0]
        var bytes = Array("NIBArchive".utf8) + fixed(1) + fixed(9)
        var offset = 50
        for (table, count) in [(objects, objectCount), (keys, keyCount), (values, valueCount), (classes, 1)] {
            bytes += fixed(count) + fixed(offset)
            offset += table.count
        }
        return bytes + objects + keys + values + classes
    }

    private static func fixed(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    // MARK: Keyed

    /// One dictionary whose keys and values are all the same long texts.
    private static func keyed(text: Int, references: Int) -> [UInt8] {
        let pairs = references / 2 - 10
        let dictionary = [0xDF, 0x12] + big(pairs, 4) + many(pairs, big(7, 2)) + many(pairs, big(8, 2))
        return plist([
            frame(objects: 5, top: 6), ascii("$objects"), ascii("$top"), ascii("$archiver"), ascii("NSKeyedArchiver"),
            [0xA2] + big(9, 2) + big(10, 2), [0xD0], ascii(String(repeating: "k", count: text)),
            ascii(String(repeating: "v", count: text)), ascii("$null"), dictionary,
        ])
    }

    /// A dictionary whose keys all name its class, many times in the list of objects.
    private static func keyed(pairs: Int, objects: Int) -> [UInt8] {
        let dictionary = [0xDF, 0x12] + big(pairs, 4) + many(pairs, big(8, 3)) + many(pairs, big(9, 3))
        let list = [0xAF, 0x12] + big(objects, 4) + many(objects, big(7, 3))
        return plist(
            [
                frame(objects: 5, top: 6, size: 3), ascii("$objects"), ascii("$top"), ascii("$archiver"),
                ascii("NSKeyedArchiver"), list, [0xD0], dictionary, ascii("$class"), [0x80, 1],
            ], size: 3)
    }

    private static func keyedObjects(_ count: Int) -> [UInt8] {
        let list = [0xAF, 0x12] + big(count, 4) + (0..<count).flatMap { big(7 + $0, 3) }
        return plist(
            [
                frame(objects: 5, top: 6, size: 3), ascii("$objects"), ascii("$top"), ascii("$archiver"),
                ascii("NSKeyedArchiver"), list, [0xD0],
            ] + (0..<count).map { ascii("\($0)") }, size: 3)
    }

    /// An archive in the XML form whose list of objects has so many pieces.
    private static func text(_ content: [UInt8], in start: String, _ end: String, count: Int) -> [UInt8] {
        let head =
            "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict/><key>$objects</key><array>"
        let content = content.prefix((1 << 20) - 200)
        let piece = Array(start.utf8) + content + Array(end.utf8)
        return Array(head.utf8) + many(count, piece) + Array("</array></dict></plist>".utf8)
    }

    private static func frame(objects: Int, top: Int, size: Int = 2) -> [UInt8] {
        [0xD3] + [1, 2, 3, objects, top, 4].flatMap { big($0, size) }
    }

    private static func ascii(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        return (count < 15 ? [0x50 | UInt8(count)] : [0x5F, 0x12] + big(count, 4)) + text.utf8
    }

    private static func plist(_ objects: [[UInt8]], size: Int = 2) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += big(offset, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, UInt8(size)] + big(objects.count, 8) + big(0, 8) + big(table, 8)
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
