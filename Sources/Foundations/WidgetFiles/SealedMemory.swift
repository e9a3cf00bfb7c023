internal import CWidgetLinux
internal import Glibc

/// Files in memory that never change, for processes that may open none.
extension FileDescriptor {
    /// The bytes that are copied at once.
    private static let pieceByteCount = 256 << 10

    /// A file in memory with the bytes, which no process can change from then on, its maker included.
    package static func sealed(_ bytes: [UInt8], subject: String) throws(FileError) -> FileDescriptor {
        let file = try inMemory(subject)
        try file.write(bytes, at: 0)
        try file.seal()
        return file
    }

    /// A file in memory with a stretch of another file, sealed in the same way.
    ///
    /// A file that is shorter than the stretch is an error.
    package static func sealed(
        copyOf file: borrowing FileDescriptor, _ range: Range<Int>, subject: String
    ) throws(FileError) -> FileDescriptor {
        let copy = try inMemory(subject)
        var window = [UInt8](repeating: 0, count: min(pieceByteCount, max(1, range.count)))
        var place = 0
        try file.forEachPiece(of: range, through: &window) { piece throws(FileError) in
            try copy.write(piece, at: place)
            place += piece.count
        }
        guard place == range.count else { throw FileError(.read, subject: file.subject, code: ENODATA) }
        try copy.seal()
        return copy
    }

    /// True if neither bytes nor size can change, by any process that has the file.
    package var isSealed: Bool { linux_is_sealed(number) == 1 }

    /// A file of these bytes that has no name, and that its owner may change.
    package static func memory(_ bytes: [UInt8], subject: String) throws(FileError) -> FileDescriptor {
        let file = try inMemory(subject)
        try file.write(bytes, at: 0)
        return file
    }

    private static func inMemory(_ subject: String) throws(FileError) -> FileDescriptor {
        // The name is for people who look into /proc.
        let number = try retrying(.open, subject) { unsafe linux_memory_file("widget") }
        return FileDescriptor(owning: number, subject: subject)
    }

    private borrowing func seal() throws(FileError) {
        _ = try retrying(.setMode, subject) { linux_seal(number) }
    }
}
