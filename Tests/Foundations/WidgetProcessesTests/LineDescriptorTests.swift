import Glibc
import Testing
import WidgetFiles

@testable import WidgetProcesses

/// Goal: a program can say by lines what it does, and a reader that reads them badly does not stop it. Method: both ends of a pipe.
@Suite struct `A descriptor for lines` {
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func read(_ number: Int32) -> String {
        var room = [UInt8](repeating: 0, count: 1_000)
        let count = unsafe Glibc.read(number, &room, room.count)
        return String(decoding: room[..<max(0, count)], as: UTF8.self)
    }

    @Test func `Lines arrive in their order, and the end after the last`() throws {
        let (input, output) = try pipe()
        defer { close(input) }
        let lines = try LineDescriptor(inherited: output)
        lines.write("one")
        #expect(read(input) == "one\n")
        lines.write("two")
        lines.write("three")
        #expect(read(input) == "two\nthree\n")
        #expect(fcntl(output, F_GETFD) & FD_CLOEXEC != 0)
        lines.close()
        lines.write("four")
        #expect(read(input) == "")
        lines.close()
    }

    @Test func `A descriptor that is not open, or cannot be written to, is refused`() throws {
        let (input, output) = try pipe()
        defer { close(output) }
        #expect(throws: FileError.self) { try LineDescriptor(inherited: input) }
        close(input)
        let folder = unsafe open("/", O_RDONLY)
        let watch = inotify_init()
        for number in [folder, watch, 60_000] {
            #expect(throws: FileError.self) { try LineDescriptor(inherited: number) }
            close(number)
        }
    }

    @Test func `A reader that does not read, or is gone, loses lines and stops nothing`() throws {
        let (input, output) = try pipe()
        let lines = try LineDescriptor(inherited: output, roomWait: 0)
        let line = String(repeating: "x", count: 1_000)
        // A pipe holds 64 KiB.
        for _ in 0..<200 { lines.write(line) }
        var count = 0
        for _ in 0..<60 { count += read(input).utf8.count }
        #expect(count == 60_000)
        close(input)
        lines.write("too late")
    }
}
