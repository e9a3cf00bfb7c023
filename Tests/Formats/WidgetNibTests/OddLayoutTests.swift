import Testing
import WidgetNib
import WidgetTestSupport

private typealias Forge = ArchiveForge

/// Layouts that no known version of Xcode writes but that the formats allow: they have to be written again unchanged.
@Suite struct `A file laid out in an unusual way` {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `an archive in an unusual layout is written again byte for byte`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let forge = Self.tables(&random)
        let archive = try NibArchive(parsing: forge.bytes)
        #expect(archive.encode() == forge.bytes)
        // Everything is read, including entries without references.
        #expect(archive.graph.keys.count == forge.tables[1].count)
        #expect(archive.graph.values.count == forge.tables[2].count)
        #expect(archive.graph.classes.count == forge.tables[3].count)
    }

    /// Tables in any order with bytes between them, values that no object or several objects in any order own, repeated
    /// classes and keys, numbers of any width.
    private static func tables(_ random: inout SeededGenerator) -> ArchiveForge {
        func width() -> Int { random.next() % 3 == 0 ? Int(random.next() % 10) + 1 : 1 }
        func below(_ limit: Int) -> UInt32 { UInt32(random.next() % UInt64(limit)) }
        func bytes(_ most: UInt64) -> [UInt8] { (0..<random.next() % most).map { _ in UInt8(random.next() & 0xFF) } }
        let (keyCount, classCount, objectCount) = (Int(below(5)) + 1, Int(below(4)) + 1, Int(below(12)) + 1)
        let names = ["NSObject", "UIView", "größe", "", "UIView"]
        let classes = (0..<classCount).map { _ in
            let name = names[Int(below(names.count))]
            let fallbacks = (0..<below(3)).map { _ in below(classCount) }
            let terminator: [UInt8] = below(3) == 0 ? [] : [0]
            return Forge.number(UInt32(name.utf8.count + terminator.count), width: width())
                + Forge.number(UInt32(fallbacks.count), width: width()) + fallbacks.flatMap { Forge.fixed($0) }
                + Array(name.utf8) + terminator
        }
        var values: [[UInt8]] = []
        var ranges: [(first: Int, count: Int)] = []
        for _ in 0..<objectCount {
            // Some that belong to no object.
            for _ in 0..<below(3) { values.append(value()) }
            ranges.append((values.count, Int(below(4))))
            for _ in 0..<(ranges.last?.count ?? 0) { values.append(value()) }
        }
        func value() -> [UInt8] {
            let type = UInt8(below(11))
            let sizes = [1, 2, 4, 8, 0, 0, 4, 8, 0, 0, 0]
            var payload = (0..<sizes[Int(type)]).map { _ in UInt8(random.next() & 0xFF) }
            if type == 8 {
                let data = bytes(200)
                payload = Forge.number(UInt32(data.count), width: width()) + data
            }
            if type == 10 { payload = Forge.fixed(below(objectCount)) }
            return Forge.number(below(keyCount), width: width()) + [type] + payload
        }
        ranges.shuffle(using: &random)
        let objects = ranges.map { range in
            // An object without values may say that they begin anywhere.
            let first = range.count == 0 ? Int(below(values.count + 1)) : range.first
            return Forge.number(below(classCount), width: width()) + Forge.number(UInt32(first), width: width())
                + Forge.number(UInt32(range.count), width: width())
        }
        let keys = (0..<keyCount).map { _ in names[Int(below(names.count))] }
        var forge = ArchiveForge(objects: objects, keys: keys, values: values, classes: classes)
        forge.coderVersion = below(2) + 9
        forge.order.shuffle(using: &random)
        for table in 0..<4 where below(2) == 0 { forge.before[table] = bytes(9) }
        forge.trailing = bytes(9)
        return forge
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a keyed archive in an unusual layout is written again byte for byte`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = Self.keyed(&random)
        let document = try NibDocument(parsing: bytes)
        #expect(document.encode() == bytes)
        let label = NibInterface(document.graph).objects.isEmpty
        #expect(label == false)
    }

    /// The objects of an interface in any order, some of them twice, with bytes between them and wider numbers than they
    /// need.
    private static func keyed(_ random: inout SeededGenerator) -> [UInt8] {
        let plain = KeyedForge.interface.forge
        let (referenceSize, offsetSize) = (Int(random.next() % 7) + 2, Int(random.next() % 7) + 2)
        var order = Array(plain.objects.indices)
        order.shuffle(using: &random)
        var body: [UInt8] = Array("bplist00".utf8)
        var offsets = [UInt64](repeating: 0, count: order.count)
        func gap() { for _ in 0..<random.next() % 4 { body.append(UInt8(random.next() & 0xFF)) } }
        for object in order {
            gap()
            offsets[object] = UInt64(body.count)
            body += widened(plain.objects[object], to: referenceSize, &random)
        }
        gap()
        let table = UInt64(body.count)
        for offset in offsets { body += PlistForge.number(offset, size: offsetSize) }
        // A version for sorting, which readers ignore.
        body += [0, 0, 0, 0, 0, UInt8(random.next() & 0xFF), UInt8(offsetSize), UInt8(referenceSize)]
        for number in [UInt64(offsets.count), 0, table] { body += PlistForge.number(number, size: 8) }
        return body
    }

    /// The same object with wider references, and in places with a wider count, number or uid.
    private static func widened(_ object: [UInt8], to size: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let kind = object[0] & 0xF0
        let isWide = random.next() % 2 == 0
        if kind == 0x80, isWide { return PlistForge.uid(UInt64(object[1]), size: Int(random.next() % 16) + 1) }
        if kind == 0x10, isWide, object.count == 2 { return PlistForge.integer(UInt64(object[1]), size: 16) }
        guard kind == 0xA0 || kind == 0xD0 else { return object }
        // The forge writes references of two bytes, and counts above 14 as four bytes.
        let hasLongCount = object[0] & 0x0F == 0x0F
        let head = hasLongCount ? 6 : 1
        let references = stride(from: head, to: object.count, by: 2).map {
            UInt64(object[$0]) << 8 | UInt64(object[$0 + 1])
        }
        let count = kind == 0xA0 ? references.count : references.count / 2
        let marker = isWide ? [kind | 0x0F] + PlistForge.integer(UInt64(count)) : PlistForge.marker(kind, count: count)
        return marker + references.flatMap { PlistForge.number($0, size: size) }
    }
}
