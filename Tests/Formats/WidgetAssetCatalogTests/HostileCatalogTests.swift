import Testing
import WidgetAssetCatalog
import WidgetTestSupport

@Suite struct `A hostile catalogue` {
    private static func good() -> [UInt8] {
        var forge = CatalogForge()
        let image = `A compiled catalogue`.image(ForgedRendition.bitmap(0, `A compiled catalogue`.pixels))
        let key = forge.add("a", image.with { $0.properties = [(1007, [8, 0, 0, 0])] })
        let block: [UInt8] =
            Array("bvxn".utf8) + [16, 0, 0, 0, 13, 0, 0, 0, 0xE4, 0, 0, 0, 0, 0xFC, 0x06]
            + [UInt8](repeating: 0, count: 7)
        forge.add("b", `A compiled catalogue`.image(ForgedRendition.bitmap(4, block + Array("bvx$".utf8))))
        let attributes = zip(forge.keyFormat, key).map { (UInt16($0), $1) }
        forge.add(
            "c",
            ForgedRendition(width: 1, height: 1).with {
                $0.properties = [
                    ForgedRendition.reference(left: 0, bottom: 0, width: 1, height: 1, attributes: attributes)
                ]
            })
        forge.add("d", ForgedRendition(payload: ForgedRendition.color([0, 1])))
        forge.appearances = [("UIAppearanceDark", 1)]
        return forge.bytes
    }

    /// Reads all content of a catalogue from any bytes; returns the error when parsing failed.
    private static func read(_ bytes: [UInt8]) -> AssetError.Reason? {
        do throws(AssetError) {
            let limits = AssetLimits(pixelCount: 1 << 16, expandedByteCount: 1 << 20)
            let catalog = try CompiledCatalog(parsing: bytes, limits: limits)
            for rendition in catalog.renditions {
                do throws(AssetError) { _ = try catalog.bitmap(of: rendition).png() } catch { _ = "\(error)" }
                do throws(AssetError) { _ = try catalog.file(of: rendition) } catch { _ = "\(error)" }
            }
            return nil
        } catch {
            _ = "\(error)"
            return error.reason
        }
    }

    @Test func `a name with many combining marks on one letter is refused`() {
        var forge = CatalogForge()
        forge.facets = [("e" + String(repeating: "\u{301}", count: 64), 1)]
        #expect(Self.read(forge.bytes) == nil)
        forge.facets = [("e" + String(repeating: "\u{301}", count: 65), 1)]
        let refusal = AssetError.Reason.limitReached(.markCount, limit: 64)
        #expect(Self.read(forge.bytes) == refusal)
        #expect("\(refusal)" == "a name has more than 64 combining marks on one letter")
    }

    @Test func `a catalogue that is cut off at any byte is refused`() {
        let good = Self.good()
        #expect(Self.read(good) == nil)
        // The table of blocks comes last, so nothing is complete without all of it.
        for count in stride(from: 0, to: good.count, by: good.count > 4_000 ? 3 : 1) {
            #expect(Self.read(Array(good[..<count])) != nil)
        }
    }

    @Test(arguments: [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1]] as [[UInt8]])
    func `a catalogue with any number replaced by an extreme is read or refused`(_ extreme: [UInt8]) {
        let good = Self.good()
        var slowest = Duration.zero
        for start in stride(from: 0, to: good.count - 4, by: 2) {
            for value in [extreme, extreme.reversed()] {
                var bytes = good
                bytes.replaceSubrange(start..<start + 4, with: value)
                slowest = max(slowest, ProcessorTime.spent { _ = Self.read(bytes) })
            }
        }
        // Generous for unoptimised code on a busy machine; the benchmark measures it properly.
        #expect(slowest < .seconds(1), "slowest: \(slowest)")
    }

    @Test func `a tree that leads back to itself is refused`() {
        var store = StoreForge()
        // An inner node that is its own child: the first block is number 1.
        _ = store.add([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1])
        store.add("FACETKEYS", Array("tree".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 16, 0, 0, 0, 0, 1, 0])
        store.add("CARHEADER", Array("RATC".utf8) + [UInt8](repeating: 0, count: 432))
        store.add("KEYFORMAT", Array("tmfk".utf8) + [UInt8](repeating: 0, count: 8))
        #expect(Self.read(store.bytes()) == .cycle)
    }

    @Test func `overlapping blocks are refused`() throws {
        var forge = CatalogForge()
        forge.add("a", `A compiled catalogue`.image(ForgedRendition.bitmap(0, `A compiled catalogue`.pixels)))
        var bytes = forge.bytes
        // Rows of the table, from its end: the name's key is the fifth, the rendition the eighth. Now they begin
        // in the same place.
        let end = bytes.count
        bytes.replaceSubrange(end - 40..<end - 36, with: bytes[end - 64..<end - 60])
        guard case .overlappingBlocks? = Self.read(bytes) else {
            Issue.record("blocks that overlap were accepted")
            return
        }
    }

    @Test func `many entries that share one block are refused`() {
        var store = StoreForge()
        store.add("CARHEADER", Array("RATC".utf8) + [UInt8](repeating: 0, count: 432))
        store.add("KEYFORMAT", Array("tmfk".utf8) + [UInt8](repeating: 0, count: 8))
        // Blocks 3 and 4 are the key and value of every entry; 5 is the leaf.
        _ = store.add([0, 0])
        _ = store.add(ForgedRendition(width: 1, height: 1).bytes)
        _ = store.add(
            [0, 1, 0xEA, 0x60, 0, 0, 0, 0, 0, 0, 0, 0] + (0..<60_000).flatMap { _ in [0, 0, 0, 4, 0, 0, 0, 3] })
        store.add("RENDITIONS", Array("tree".utf8) + [0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 16, 0, 0, 0, 0xEA, 0x60, 0])
        #expect(Self.read(store.bytes()) == .sharedBlock(4))
    }

    @Test func `a catalogue beyond its limits is refused`() {
        let good = Self.good()
        func reason(_ limits: AssetLimits) -> AssetError.Reason? {
            do throws(AssetError) {
                _ = try CompiledCatalog(parsing: good, limits: limits)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason(AssetLimits(byteCount: good.count)) == nil)
        #expect(reason(AssetLimits(byteCount: good.count - 1)) == .limitReached(.byteCount, limit: good.count - 1))
        #expect(reason(AssetLimits(blockCount: 3)) == .limitReached(.blockCount, limit: 3))
        // Four names, an appearance and four renditions.
        #expect(reason(AssetLimits(entryCount: 9)) == nil)
        #expect(reason(AssetLimits(entryCount: 8)) == .limitReached(.entryCount, limit: 8))
    }

    @Test func `a catalogue without a required variable is refused`() {
        var store = StoreForge()
        #expect(Self.read(store.bytes()) == .missingVariable("CARHEADER"))
        store.add("CARHEADER", Array("RATC".utf8) + [UInt8](repeating: 0, count: 432))
        #expect(Self.read(store.bytes()) == .missingVariable("KEYFORMAT"))
        #expect(Self.read(Array("BOMSTORE".utf8)) == .notAStore)
        #expect(Self.read(store.bytes(version: 2)) == .unsupportedVersion(2))
    }
}
