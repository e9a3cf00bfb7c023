internal import Glibc

extension FileDescriptor {
    /// What the process was given to read, under a number of its own.
    package static func standardInput() throws(FileError) -> FileDescriptor {
        let number = try retrying(.open, "standard input") { dup(STDIN_FILENO) }
        return FileDescriptor(owning: number, subject: "standard input")
    }

    /// The next bytes of what can be read only once, up to `count`; none at its end.
    package borrowing func readNext(count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try retrying(.read, subject) {
            // The pointer lives for this call, inside the array.
            unsafe bytes.withUnsafeMutableBytes { room in unsafe Glibc.read(number, room.baseAddress, room.count) }
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
