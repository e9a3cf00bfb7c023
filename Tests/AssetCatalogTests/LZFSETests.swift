import AssetCatalog
import TestSupport
import Testing

@Suite struct `A stream of LZFSE` {
    private static let end = Array("bvx$".utf8)

    /// Texts of few and of many letters, copies from near and far, over themselves, and of the last distance again.
    static let sample: LZFSEForge = {
        var random = SeededGenerator(seed: 7)
        var forge = LZFSEForge(literals: [], matches: [])
        var size = 0
        for number in 0..<120 {
            let count = number == 0 ? 300 : [0, 1, 3, 15, 16, 19, 27, 60, 314][Int(random.next() % 9)]
            forge.literals += (0..<count).map { _ in UInt8(random.next() % (number % 2 == 0 ? 4 : 256)) }
            size += count
            let length = [0, 1, 4, 15, 16, 23, 55, 311, 2_359][Int(random.next() % 9)]
            let distance = number % 5 == 4 ? 0 : [1, 2, 3, 4, 59, 60, size][Int(random.next() % 7)]
            forge.matches.append(.init(literals: count, length: length, distance: distance))
            size += length
        }
        return forge
    }()

    /// What comes out of a catalogue that keeps the stream as a file's data.
    private func file(_ stream: [UInt8]) throws -> [UInt8] {
        var forge = CatalogForge()
        let size = (0..<4).map { UInt8(truncatingIfNeeded: stream.count >> ($0 * 8)) }
        forge.add(
            "a",
            ForgedRendition(payload: Array("DWAR".utf8) + [1, 0, 0, 0] + size + stream).with {
                $0.pixelFormat = "DATA"
                $0.layout = 1_000
            })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        return try catalog.file(of: try #require(catalog.renditions.first))
    }

    @Test func `may have blocks with headers of plain numbers and of packed ones`() throws {
        let forge = Self.sample
        #expect(forge.expanded.count > 20_000)
        #expect(try file(forge.plain + Self.end) == forge.expanded)
        #expect(try file(forge.packed + Self.end) == forge.expanded)
    }

    @Test func `may have blocks of all kinds, one after the other`() throws {
        let forge = Self.sample
        let raw = Array("bvx-".utf8) + [3, 0, 0, 0, 7, 8, 9]
        let stream = raw + forge.packed + forge.plain + raw + forge.packed + Self.end
        let text: [UInt8] = [7, 8, 9]
        #expect(try file(stream) == text + forge.expanded + forge.expanded + text + forge.expanded)
    }

    @Test func `may have a block of literals alone, and one of one byte`() throws {
        for literals in [Array(repeating: 65, count: 200), [9], Array(0...255)] as [[UInt8]] {
            let forge = LZFSEForge(
                literals: literals, matches: [.init(literals: literals.count, length: 0, distance: 1)])
            #expect(try file(forge.plain + Self.end) == literals)
            #expect(try file(forge.packed + Self.end) == literals)
        }
    }

    @Test func `is refused when it is cut off, and refused or read when a byte is another`() throws {
        let forge = LZFSEForge(
            literals: Array("abcabcd".utf8),
            matches: [.init(literals: 4, length: 9, distance: 3), .init(literals: 3, length: 2, distance: 0)])
        for stream in [forge.plain + Self.end, forge.packed + Self.end] {
            #expect(try file(stream) == forge.expanded)
            // Without its end mark, and without more of it.
            for count in stride(from: 4, to: stream.count - 1, by: 1) {
                #expect(throws: AssetError.self) { _ = try file(Array(stream[..<count])) }
            }
            for position in 4..<stream.count - 4 {
                for byte in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var changed = stream
                    changed[position] = byte
                    if let read = try? file(changed) { #expect(read.count < 1 << 20) }
                }
            }
        }
    }

    @Test func `is refused when a block says more than there is`() {
        // Bytes of the block, of literals and matches, how many of both, and bits that are not used.
        for field in 0..<7 where field != 1 {
            for number in [0x7FFF_FFFF, 0x8000_0001, 40_004] as [UInt32] {
                var forge = Self.sample
                forge.plainFields[field] = number
                #expect(throws: AssetError.self, "\(field)") { _ = try file(forge.plain + Self.end) }
            }
        }
    }

    @Test func `is refused when it copies from before its beginning`() {
        let forge = LZFSEForge(literals: [1, 2], matches: [.init(literals: 2, length: 4, distance: 2)])
        #expect(throws: Never.self) { _ = try file(forge.plain + Self.end) }
        var far = LZFSEForge(literals: [1, 2], matches: [.init(literals: 2, length: 0, distance: 3)])
        // The same block but for its promise: two bytes more, which the copy has to bring.
        far.matches.append(.init(literals: 0, length: 0, distance: 0))
        far.plainFields[0] = 4
        #expect(throws: AssetError.self) { _ = try file(far.plain + Self.end) }
    }
}
