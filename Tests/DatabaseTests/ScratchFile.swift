import Files

/// A place for a database, gone with its owner.
struct ScratchFile: ~Copyable {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory(in: "/tmp") }

    var path: String { folder.path + "/test.sqlite" }

    borrowing func bytes() throws -> [UInt8] {
        try folder.directory.openFile("test.sqlite").read(at: 0, count: 1 << 24)
    }

    borrowing func replace(_ bytes: [UInt8]) throws {
        for name in ["test.sqlite-wal", "test.sqlite-shm"] { try? folder.directory.removeFile(name) }
        try folder.directory.replaceFile("test.sqlite", with: bytes)
    }
}
