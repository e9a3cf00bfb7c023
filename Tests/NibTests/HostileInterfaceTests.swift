import Nib
import TestSupport
import Testing

private typealias Forge = ArchiveForge

/// Goal: what refers to one thing many times costs little more than what refers to it once. Method: interfaces that took
/// minutes when each reference was followed.
@Suite struct `A hostile interface` {
    private static let marks = Array(String(repeating: "\u{301}", count: 65).utf8)

    /// An object with so many values, none of which anybody asks for.
    private static func large(_ builder: inout NibGraphBuilder, _ name: String, _ count: Int) {
        builder.beginObject(builder.classIndex(name))
        let key = builder.keyIndex("filler")
        for _ in 0..<count { builder.add(key, .boolean(true)) }
    }

    @Test func `lists one large object 20,000 times, and has it once`() {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        for key in [
            "UINibTopLevelObjectsKey", "UINibObjectsKey", "UINibConnectionsKey", "UINibKeyValuePairsKey",
        ] { builder.add(key, .object(1)) }
        builder.beginObject(builder.classIndex("NSArray"))
        let element = builder.keyIndex(NibKey.element)
        for _ in 0..<20_000 { builder.add(element, .object(2)) }
        Self.large(&builder, "UIRuntimeOutletConnection", 280_000)
        builder.add("UISource", .object(0))
        builder.add("UIDestination", .object(0))
        builder.add("UILabel", .object(3))
        builder.beginObject(builder.classIndex("NSString"))
        builder.add(NibKey.bytes, .data(builder.store(Array("name".utf8))))
        let interface = NibInterface(builder.finish())
        #expect(interface.topLevelObjects.count == 1 && interface.objects.count == 1)
        #expect(interface.outlets.map(\.name) == ["name"])
    }

    @Test func `connects one large object 20,000 times, and finds its keys at once`() {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        builder.add("UINibConnectionsKey", .object(1))
        builder.beginObject(builder.classIndex("NSArray"))
        let element = builder.keyIndex(NibKey.element)
        for place in 0..<20_000 { builder.add(element, .object(UInt32(4 + place))) }
        Self.large(&builder, "UIProxyObject", 200_000)
        builder.add("UIProxiedObjectIdentifier", .object(3))
        builder.add("UIProxiedObjectIdentifier", .object(0))
        builder.beginObject(builder.classIndex("NSString"))
        builder.add(NibKey.bytes, .data(builder.store(Array("Other".utf8))))
        let keys = ["UISource", "UIDestination", "UILabel"].map { builder.keyIndex($0) }
        let outlet = builder.classIndex("UIRuntimeOutletConnection")
        for _ in 0..<20_000 {
            builder.beginObject(outlet)
            for (key, object) in zip(keys, [2, 2, 3] as [UInt32]) { builder.add(key, .object(object)) }
        }
        let interface = NibInterface(builder.finish())
        #expect(interface.outlets.count == 20_000 && interface.owned("Other") == nil)
        #expect(interface.outlets.allSatisfy { $0.source.proxyName == "Other" }, "the first value of a key counts")
    }

    @Test func `says of a large object what it says of a small one`() {
        for count in [3, 63, 64, 65, 1_000] {
            var builder = NibGraphBuilder()
            builder.beginObject(builder.classIndex("NSObject"))
            // Each key twice, in an order that is not theirs.
            for key in (0..<count).reversed() { _ = builder.keyIndex("key \(key * 7 % count)") }
            for round in 0..<2 {
                for key in 0..<count { builder.add("key \(key)", .int32(Int32(key + round * count))) }
            }
            let root = builder.finish().rootElement
            for key in 0..<count where root.integer("key \(key)") != key {
                Issue.record("key \(key) of \(count) is \(String(describing: root.integer("key \(key)")))")
            }
            #expect(!root.has("key \(count)") && !root.has("else"))
        }
    }

    @Test func `puts many combining marks on one letter of a text or a name, and is refused`() {
        let refusal = NibError.Reason.limitReached(.markCount, limit: 64)
        let inText = Forge.everyType.with {
            $0.tables[2][8] = Forge.value(0, 8, Forge.number(130) + Self.marks)
        }
        let inKey = Forge.everyType.with { $0.tables[1][0] = Forge.number(130) + Self.marks }
        let inClass = Forge.everyType.with {
            $0.tables[3][0] = Forge.named(String(repeating: "\u{301}", count: 65))
        }
        for forge in [inText, inKey, inClass] {
            let error = #expect(throws: NibError.self) { try NibDocument(parsing: forge.bytes) }
            #expect(error?.reason == refusal)
        }
        #expect("\(refusal)" == "more than 64 combining marks on one letter")
        var keyed = KeyedForge.interface
        keyed.objects[13] = .dictionary([("$class", .uid(2)), ("NS.bytes", .data(Self.marks))])
        let error = #expect(throws: NibError.self) { try NibDocument(parsing: keyed.forge.bytes) }
        #expect(error?.reason == refusal)
    }
}
