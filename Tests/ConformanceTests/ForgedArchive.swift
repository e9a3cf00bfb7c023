import TestSupport

/// Archives that are not of the usual shape.
enum ForgedArchive {
    static func of(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        ZipForge(files.map { .init(Array($0.0.utf8), $0.1, stored: stored) }).build().bytes
    }
}

/// Text that does not get much smaller when it is packed, and is always the same.
enum Noise {
    static func text(_ count: Int) -> String {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { _ in String(generator.next() % 36, radix: 36) }.joined()
    }
}
