import Files
import Testing

@Suite struct `A lock on a file` {
    @Test func `ends with its owner, though a child that is being born has a copy of the descriptor`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        func open() throws(FileError) -> FileDescriptor {
            try scratch.directory.openOrCreateFile("lock", mode: 0o600)
        }
        let copy: FileDescriptor
        do {
            let lock = try FileLock(of: open())
            copy = try lock.file.duplicate()
            #expect(throws: FileError.self) { _ = try FileLock(of: open()) }
        }
        _ = try FileLock(of: open())
        #expect(copy.number >= 0)
    }
}

@Suite struct `A directory that is made for good` {
    @Test(arguments: ["a", "a/b/c", "a//b/", "./a/./b"])
    func `is there, with those above it, once or again`(_ path: String) throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        for _ in 0..<2 {
            let made = try Directory(creating: "\(scratch.path)/\(path)", mode: 0o700, isDurable: true)
            try made.replaceFile("file", with: [1])
        }
        #expect(try scratch.directory.items(limit: 9)?.map(\.name) == ["a"])
    }

    @Test func `is refused where it cannot be`() {
        #expect(throws: FileError.self) { _ = try Directory(creating: "/proc/nothing/here", isDurable: true) }
    }
}
