import Files
import Testing

@Suite struct `A watch on directories` {
    @Test func `tells of a name that comes, changes or goes, once`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
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

    @Test func `says that there is nothing to watch`() throws {
        let watch = try DirectoryWatch()
        #expect(throws: FileError.self) { try watch.add("/nonexistent") }
    }
}

@Suite struct `Two names that change places` {
    @Test func `do so within one directory and between two`() throws {
        let first = try ScratchDirectory(in: "/tmp")
        let second = try ScratchDirectory(in: "/tmp")
        try first.directory.replaceFile("a", with: [1])
        let folder = try second.directory.createDirectory("b")
        try folder.replaceFile("inside", with: [2])
        try first.directory.exchange("a", with: "b", in: second.directory)
        #expect(try second.directory.openFile("b").read(at: 0, count: 2) == [1])
        #expect(try first.directory.openDirectory("a").openFile("inside").read(at: 0, count: 2) == [2])
    }

    @Test func `both have to be there`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        try scratch.directory.replaceFile("a", with: [1])
        do throws(FileError) {
            try scratch.directory.exchange("a", with: "b", in: scratch.directory)
            Issue.record("there is no b")
        } catch {
            #expect(error.isMissing)
        }
    }
}
