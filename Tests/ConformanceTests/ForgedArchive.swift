import TestSupport

/// Archives that are not of the usual shape.
enum ForgedArchive {
    static func of(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        ZipForge(files.map { .init(Array($0.0.utf8), $0.1, stored: stored) }).build().bytes
    }
}
