import Files
import TestSupport
import Testing
import Zip

/// Goal: no byte of an archive can be changed so that the reader fails in any way but a refusal, and whatever it
/// still accepts is rewritten to the same tree.
/// Method: every byte of small archives of every kind is changed in several ways, and random spans are.
@Suite struct `A changed archive` {
    static let bases: [[UInt8]] = [
        Forged.plain(), Forged.described(), Forged.describedUnsigned(), Forged.wide(), Forged.wideDescribed(),
    ].map { $0.build().bytes }

    /// Refuses, or accepts and rewrites to something that is accepted with the same contents.
    private func judge(_ bytes: [UInt8], _ note: @autoclosure () -> String) throws -> Bool {
        guard let read = try? Archive.read(bytes) else {
            #expect(try Archive.refusal(bytes)?.isRefusal == true, "\(note())")
            return false
        }
        let rewritten = try Archive.rewritten(bytes)
        let again = try Archive.read(rewritten.bytes)
        let before = zip(read.directory.entries, read.contents).map { ($0.name, $1) }
        let after = zip(again.directory.entries, again.contents).map { ($0.name, $1) }
        #expect(
            Dictionary(uniqueKeysWithValues: before) == Dictionary(uniqueKeysWithValues: after), "\(note())")
        return true
    }

    @Test(arguments: bases.indices) func `is refused or means one thing, whichever byte is changed`(_ base: Int) throws
    {
        let bytes = Self.bases[base]
        var accepted = 0
        for index in bytes.indices {
            for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xFF, bytes[index] &+ 1] where value != bytes[index]
            {
                var changed = bytes
                changed[index] = value
                if try judge(changed, "byte \(index) of base \(base) is \(value)") { accepted += 1 }
            }
        }
        // Times, permissions and letters of names are free; structure is not.
        #expect(accepted > 0 && accepted < bytes.count * 5 / 4)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `is refused or means one thing, however it is mangled`(
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var bytes = Self.bases[round % Self.bases.count]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let count = min(Int.random(in: 1...8, using: &generator), bytes.count - start)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(start..<(start + count))
                case 1: bytes.insert(contentsOf: bytes[start..<(start + count)], at: start)
                case 2:
                    for index in start..<(start + count) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
                default: bytes.swapAt(start, Int.random(in: 0..<bytes.count, using: &generator))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            _ = try judge(bytes, "seed \(seed), round \(round)")
        }
    }
}
