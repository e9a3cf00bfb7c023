import Files
import TestSupport
import Testing

@testable import Registry

@Suite struct `A member of a backup` {
    private static let sizes = [0, 1, 1 << 33 - 1, 1 << 33, 9_876_543_210_987]

    /// As Python's reader of tar archives sees it.
    @Test(arguments: sizes, ["catalog.sqlite", String(repeating: "a", count: 180)])
    func `has the size and the name that others read from it`(_ size: Int, _ name: String) throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        let file = try FileDescriptor.creating(scratch.path + "/a.tar")
        try file.write(TarHeader(name: name, byteCount: size, modified: 1_000).bytes, at: 0)
        let script = """
            import tarfile
            archive = tarfile.open('\(scratch.path)/a.tar')
            member = archive.next()
            print(member.name, member.size)
            """
        let seen = Shell.run("python3 -c \"\(script)\"")
        #expect(seen.output == "\(name) \(size)\n", "\(seen.output)")
    }

    @Test(arguments: sizes) func `is read as it was written`(_ size: Int) throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        let file = try FileDescriptor.creating(scratch.path + "/a.tar")
        let header = TarHeader(name: String(repeating: "b", count: 150), byteCount: size, modified: 1_000)
        try file.write(header.bytes, at: 0)
        // A hole of that size: the reader compares what is announced with what is there.
        try file.truncate(to: header.bytes.count + size)
        var reader = TarReader(try StoredFile(file))
        #expect(try reader.next() == header)
    }

    @Test(arguments: [
        "11 size=1\n", "20 size=99999999999\n", "12 size=-5\n", "9 path=\n", "99 path=x\n", "x", "11 mode=1\n",
        "0 path=x\n", "-1 path=x\n",
    ])
    func `is refused with records that we do not write`(_ record: String) throws {
        let header = TarHeader(name: "a", byteCount: 5)
        #expect(header.extended(by: Array(record.utf8)) == nil)
    }
}
