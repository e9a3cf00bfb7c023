import Glibc
import Testing
import WidgetFiles
import WidgetTestSupport

@Suite struct `A staged file` {
    let scratch: () throws -> ScratchDirectory = { try ScratchDirectory(in: TemporaryPlace.path) }

    @Test func `A staged file has no final name until it is committed`() throws {
        let scratch = try scratch()
        let staged = try StagedFile(in: scratch.directory)
        try staged.file.write([1, 2, 3], at: 0)
        #expect(throws: FileError.self) { try scratch.directory.status(of: "blob") }
        try staged.commit(as: "blob", replacing: false)
        #expect(try scratch.directory.openFile("blob").read(at: 0, count: 10) == [1, 2, 3])
        #expect(try scratch.directory.items(limit: 10)?.map(\.name) == ["blob"])
    }

    @Test func `A staged file leaves nothing behind when it is dropped`() throws {
        let scratch = try scratch()
        do {
            let staged = try StagedFile(in: scratch.directory)
            try staged.file.write([1], at: 0)
        }
        #expect(try scratch.directory.items(limit: 10)?.isEmpty == true)
    }

    @Test func `A staged file replaces an existing file only on request`() throws {
        let scratch = try scratch()
        try scratch.directory.replaceFile("blob", with: [1])
        let staged = try StagedFile(in: scratch.directory)
        do throws(FileError) {
            try staged.commit(as: "blob", replacing: false)
            Issue.record("committed over an existing file")
        } catch {
            #expect(error.exists)
            #expect(error.operation == .rename)
        }
        #expect(try scratch.directory.openFile("blob").read(at: 0, count: 10) == [1])
        try scratch.directory.replaceFile("blob", with: [2])
        #expect(try scratch.directory.openFile("blob").read(at: 0, count: 10) == [2])
        #expect(try scratch.directory.items(limit: 10)?.count == 1)
    }
}

@Suite struct `A directory` {
    @Test func `A staged file never takes the place of a pipe or a device`() throws {
        let place = try ScratchDirectory(in: TemporaryPlace.path)
        let made = unsafe mkfifo("\(place.path)/pipe", 0o600)
        try #require(made == 0)
        let error = #expect(throws: FileError.self) { try place.directory.replaceFile("pipe", with: [1]) }
        #expect(error?.exists == true)
        let kind = try place.directory.status(of: "pipe").kind
        #expect(kind == .other)
    }

    @Test(arguments: ["", ".", "..", "a/b", "/", "a\u{0}b"])
    func `A directory takes single names only`(_ name: String) throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        #expect(throws: FileError.self) { try scratch.directory.replaceFile(name, with: []) }
        #expect(throws: FileError.self) { _ = try scratch.directory.openFile(name) }
        #expect(throws: FileError.self) { _ = try scratch.directory.createDirectory(name) }
        #expect(throws: FileError.self) { try scratch.directory.removeFile(name) }
    }

    @Test func `A directory counts no further than its limit`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        for name in ["b", "a", "c"] { try scratch.directory.replaceFile(name, with: []) }
        #expect(try scratch.directory.items(limit: 3)?.map(\.name) == ["a", "b", "c"])
        #expect(try scratch.directory.items(limit: 2) == nil)
    }

    @Test func `A directory removes a tree of any depth`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        do {
            var directory = try scratch.directory.createDirectory("tree")
            for _ in 0..<40 {
                try directory.replaceFile("file", with: [1])
                directory = try directory.createDirectory("below")
            }
        }
        try scratch.directory.removeTree("tree")
        #expect(try scratch.directory.items(limit: 1)?.isEmpty == true)
    }

    @Test func `A directory lets one owner at a time hold its lock`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        try scratch.directory.lock()
        let second = try Directory(opening: scratch.path)
        do throws(FileError) {
            try second.lock()
            Issue.record("locked twice")
        } catch {
            #expect(error.isLocked)
        }
    }

    @Test func `A directory is made with its parents`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let made = try Directory(creating: scratch.path + "/a/b//c")
        try made.replaceFile("file", with: [7])
        #expect(try FileDescriptor.reading(scratch.path + "/a/b/c/file").read(at: 0, count: 1) == [7])
    }
}

@Suite struct `A descriptor` {
    @Test func `A descriptor reads the bytes of a file up to its end`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let file = try FileDescriptor.unnamed(inDirectory: scratch.path)
        try file.write([1, 2, 3, 4], at: 2)
        #expect(try file.status().byteCount == 6)
        #expect(try file.read(at: 0, count: 100) == [0, 0, 1, 2, 3, 4])
        #expect(try file.read(at: 6, count: 1) == [])
        try file.truncate(to: 3)
        #expect(try file.read(at: 1, count: 100) == [0, 1])
        #expect(try scratch.directory.items(limit: 1)?.isEmpty == true)
        try file.reserve(byteCount: 4096)
        try file.synchronize()
        try file.close()
    }

    @Test func `A descriptor names the operation and its subject in a failure`() throws {
        do throws(FileError) {
            _ = try FileDescriptor.reading("/nowhere/at/all")
            Issue.record("opened")
        } catch {
            #expect(error.isMissing)
            #expect(error.description == "could not open /nowhere/at/all: No such file or directory")
        }
    }
}
