import Testing
import WidgetFiles
import WidgetTestSupport

@Suite struct `A watch on directories` {
    @Test func `A watch on directories reports a name that comes, changes or goes, once`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let watch = try DirectoryWatch()
        try watch.add(scratch.path)
        #expect(try !watch.drain())
        try scratch.directory.replaceFile("a", with: [1])
        #expect(try watch.drain())
        #expect(try !watch.drain())
        try scratch.directory.replaceFile("a", with: [2])
        #expect(try watch.drain())
        try scratch.directory.removeFile("a")
        #expect(try watch.drain())
    }

    @Test func `A watch on a missing directory is an error`() throws {
        let watch = try DirectoryWatch()
        #expect(throws: FileError.self) { try watch.add("/nonexistent") }
    }
}

@Suite struct `Two names that change places` {
    @Test func `Two names change places within one directory and between two`() throws {
        let first = try ScratchDirectory(in: TemporaryPlace.path)
        let second = try ScratchDirectory(in: TemporaryPlace.path)
        try first.directory.replaceFile("a", with: [1])
        let folder = try second.directory.createDirectory("b")
        try folder.replaceFile("inside", with: [2])
        try first.directory.exchange("a", with: "b", in: second.directory)
        #expect(try second.directory.openFile("b").read(at: 0, count: 2) == [1])
        #expect(try first.directory.openDirectory("a").openFile("inside").read(at: 0, count: 2) == [2])
    }

    @Test func `Two names change places only if both exist`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        try scratch.directory.replaceFile("a", with: [1])
        do throws(FileError) {
            try scratch.directory.exchange("a", with: "b", in: scratch.directory)
            Issue.record("b does not exist")
        } catch {
            #expect(error.isMissing)
        }
    }
}

@Suite struct `A link in a directory` {
    @Test func `A link in a directory is seen, not followed, and removed without its target`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        try scratch.directory.replaceFile("target", with: [1])
        let inside = try scratch.directory.createDirectory("tree")
        try FileWork.link(inside.path + "/file", to: scratch.path + "/target")
        try FileWork.link(inside.path + "/folder", to: scratch.path)
        #expect(try inside.items(limit: 9)?.map(\.status.kind) == [.link, .link])
        for attempt in ["file", "folder"] {
            do throws(FileError) {
                _ = try inside.openFile(attempt)
                Issue.record("followed \(attempt)")
            } catch {
                #expect(error.isLink)
            }
        }
        #expect(throws: FileError.self) { _ = try inside.openDirectory("folder") }
        #expect(throws: FileError.self) { _ = try inside.createDirectory("folder") }
        #expect(throws: FileError.self) { _ = try inside.openOrCreateFile("file") }
        try scratch.directory.removeTree("tree")
        #expect(try scratch.directory.items(limit: 9)?.map(\.name) == ["target"])
    }
}

@Suite struct `A lock on a file` {
    @Test func `A lock on a file ends with its owner, though a starting child has a copy of the descriptor`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
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
    func `A durable directory is made with those above it, once or again`(_ path: String) throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        for _ in 0..<2 {
            let made = try Directory(creating: "\(scratch.path)/\(path)", mode: 0o700, isDurable: true)
            try made.replaceFile("file", with: [1])
        }
        #expect(try scratch.directory.items(limit: 9)?.map(\.name) == ["a"])
    }

    @Test func `A durable directory is refused where it cannot be made`() {
        #expect(throws: FileError.self) { _ = try Directory(creating: "/proc/nothing/here", isDurable: true) }
    }
}

/// Goal: a lock is waited for only when the process that is named in it has ended. Method: numbers that are known.
@Suite struct `The number of a process` {
    @Test func `A number is another process's if one runs that is not this one`() {
        #expect(ProcessNumber.isOther(1))
        #expect(!ProcessNumber.isOther(ProcessNumber.current))
        // No process has the last of these.
        for number in [0, -1, .min, .max, 2_000_000_000] { #expect(!ProcessNumber.isOther(number), "\(number)") }
    }
}
