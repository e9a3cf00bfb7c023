import Plist
import TestSupport
import Testing

/// The binary form is a graph: what refers to itself, and what refers to one thing from many places.
@Suite struct `A binary property list's graph` {
    private typealias Forge = PlistForge

    static let cycles: [RefusedBinary] = [
        RefusedBinary("an array in itself", Forge(Forge.array([0])), .cycle, at: 8, path: "[0]"),
        RefusedBinary(
            "a dictionary as its own value", Forge(Forge.dictionary(keys: [1], values: [0]), Forge.ascii("k")), .cycle,
            at: 8, path: "k"),
        RefusedBinary("a dictionary as its own key", Forge(Forge.dictionary(keys: [0], values: [0])), .cycle, at: 8),
        RefusedBinary(
            "two arrays in each other", Forge(Forge.array([1]), Forge.array([0])), .cycle, at: 8, path: "[0][0]"),
        RefusedBinary(
            "a cycle of three behind a value",
            Forge(Forge.array([1, 2]), Forge.yes, Forge.array([3]), Forge.array([4]), Forge.array([2])),
            .cycle, at: 12, path: "[1][0][0][0]"),
        RefusedBinary(
            "two objects at one offset, one in the other",
            Forge(Forge.array([1]), Forge.yes).with { $0.offsets[1] = 8 },
            .cycle, at: 8, path: "[0][0]"),
    ]

    @Test(arguments: cycles)
    func `is refused when it holds`(_ refused: RefusedBinary) { refused.check() }

    /// `count` arrays, each holding the next one twice: a tree of 2^count leaves.
    private static func doubling(_ count: Int) -> PlistForge {
        let arrays = (1...count).map { PlistForge.array([UInt64($0), UInt64($0)]) }
        return PlistForge(objects: arrays + [PlistForge.ascii("lol")]).with { $0.offsetSize = 2 }
    }

    @Test(arguments: [19, 30, 60])
    func `is refused when it unfolds beyond the visit limit`(_ count: Int) {
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: Self.doubling(count).bytes) }
        #expect(error?.reason == .limitReached(.visitCount, limit: 400_000))
    }

    @Test func `is accepted when sharing unfolds to less, with the same values in each place`() throws {
        let value = try PlistValue(parsing: Self.doubling(10).bytes)
        var place = value
        for turn in 0..<10 { place = try #require(place.array?[turn % 2]) }
        #expect(place == .string("lol"))
    }

    @Test func `is refused exactly above each limit`() throws {
        // 1 + 2 + 4 values.
        let forge = Self.doubling(2)
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(visitCount: 7)) }
        RefusedBinary("", forge, .limitReached(.visitCount, limit: 6), at: 8, limits: PlistLimits(visitCount: 6))
            .check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(expandedByteCount: 12)) }
        RefusedBinary(
            "", forge, .limitReached(.expandedByteCount, limit: 11), at: 8, limits: PlistLimits(expandedByteCount: 11)
        ).check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(depth: 2)) }
        RefusedBinary("", forge, .limitReached(.depth, limit: 1), at: 11, path: "[0]", limits: PlistLimits(depth: 1))
            .check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(objectCount: 3)) }
        RefusedBinary("", forge, .limitReached(.objectCount, limit: 2), at: 32, limits: PlistLimits(objectCount: 2))
            .check()
    }

    /// A thousand strings at one offset would be a thousand copies.
    @Test func `is refused when overlapping objects decode to more bytes than the limit`() {
        let text = PlistForge.ascii(String(repeating: "x", count: 30_000))
        let forge = PlistForge(
            objects: [text] + Array(repeating: [0x08], count: 1_000)
                + [PlistForge.array((0..<1_001).map { UInt64($0) }, size: 2)]
        ).with {
            $0.offsetSize = 4
            $0.referenceSize = 2
            $0.topObject = 1_001
            for object in 1...1_000 { $0.offsets[object] = 8 }
        }
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: forge.bytes) }
        #expect(error?.reason == .limitReached(.expandedByteCount, limit: 16 << 20))
    }

    /// A thousand arrays at one offset would be a thousand times their references.
    @Test func `is refused when overlapping arrays hold more references than the limit`() {
        let forge = PlistForge(
            objects: [PlistForge.array(Array(repeating: 1_001, count: 5_000), size: 2)]
                + Array(repeating: [0x08], count: 1_001) + [PlistForge.array((0..<1_000).map { UInt64($0) }, size: 2)]
        ).with {
            $0.offsetSize = 4
            $0.referenceSize = 2
            $0.topObject = 1_002
            for object in 1...1_000 { $0.offsets[object] = 8 }
        }
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: forge.bytes) }
        #expect(error?.reason == .limitReached(.visitCount, limit: 400_000))
    }

    /// Each array in the next, `count` deep, a boolean in the innermost.
    private static func chain(_ count: Int) -> PlistForge {
        let arrays = (1...count).map { PlistForge.array([UInt64($0)], size: 4) }
        return PlistForge(objects: arrays + [PlistForge.yes]).with { ($0.offsetSize, $0.referenceSize) = (4, 4) }
    }

    @Test func `is accepted at the depth limit and refused beyond, however deep`() throws {
        #expect(throws: Never.self) { try PlistValue(parsing: Self.chain(64).bytes) }
        for count in [65, 66, 1_000, 60_000] {
            let path = String(repeating: "[0]", count: 64)
            RefusedBinary("", Self.chain(count), .limitReached(.depth, limit: 64), at: 8 + 64 * 5, path: path).check()
        }
        let deep = PlistLimits(depth: 1_000_000)
        #expect(throws: Never.self) { try PlistValue(parsing: Self.chain(PlistLimits.deepest).bytes, limits: deep) }
        #expect(throws: PlistError.self) {
            try PlistValue(parsing: Self.chain(PlistLimits.deepest + 1).bytes, limits: deep)
        }
    }

    /// The shared part was met first at a shallow place; at the deep place it is too deep.
    @Test func `is refused when a shared part is too deep at one of its places`() {
        let forge = PlistForge(
            PlistForge.array([1, 3]), PlistForge.array([2]), PlistForge.yes, PlistForge.array([4]),
            PlistForge.array([1]))
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(depth: 4)) }
        RefusedBinary(
            "", forge, .limitReached(.depth, limit: 3), at: 11, path: "[1][0][0]", limits: PlistLimits(depth: 3)
        ).check()
    }
}
