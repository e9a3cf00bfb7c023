/// A file: here, bytes in memory, under the names that the engine's readers know a file of the system by.
package struct FileDescriptor: ~Copyable, @unchecked Sendable {
    private final class Memory {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private let memory: Memory
    /// The file's role, for errors.
    package let subject: String

    /// A file of these bytes that has no name.
    package static func memory(_ bytes: [UInt8], subject: String) throws(FileError) -> FileDescriptor {
        FileDescriptor(Memory(bytes), subject)
    }

    private init(_ memory: Memory, _ subject: String) {
        self.memory = memory
        self.subject = subject
    }

    /// The same file for a second owner.
    package borrowing func duplicate() throws(FileError) -> FileDescriptor { FileDescriptor(memory, subject) }

    package borrowing func status() throws(FileError) -> FileStatus { FileStatus(byteCount: memory.bytes.count) }

    /// Reads from `offset` into the array, from `index` on, until `count` bytes are there or the file ends.
    ///
    /// - Returns: the number of bytes read; fewer than asked for only at the end of the file.
    package borrowing func read(
        at offset: Int, into bytes: inout [UInt8], from index: Int = 0, count: Int
    ) throws(FileError) -> Int {
        precondition(index >= 0 && count <= bytes.count - index, "the caller asks for no more than it made room for")
        guard offset >= 0, offset < memory.bytes.count else { return 0 }
        let filled = min(count, memory.bytes.count - offset)
        bytes.replaceSubrange(index..<index + filled, with: memory.bytes[offset..<offset + filled])
        return filled
    }

    /// Reads up to `count` bytes from `offset` into an array.
    package borrowing func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        guard offset >= 0, offset < memory.bytes.count else { return [] }
        return Array(memory.bytes[offset..<offset + min(count, memory.bytes.count - offset)])
    }

    /// Writes all the bytes at `offset`, which is within the file or at its end.
    package borrowing func write(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(FileError) {
        guard offset <= memory.bytes.count else { throw FileError(.write, subject: subject) }
        let kept = min(bytes.count, memory.bytes.count - offset)
        for place in 0..<kept { memory.bytes[offset + place] = bytes[place] }
        // The pointer lives for this call, and its length travels with it.
        unsafe bytes.extracting(kept..<bytes.count).withUnsafeBufferPointer {
            unsafe memory.bytes.append(contentsOf: $0)
        }
    }

    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try write(bytes.span, at: offset)
    }

    package borrowing func truncate(to byteCount: Int) throws(FileError) {
        guard byteCount <= memory.bytes.count else { throw FileError(.truncate, subject: subject) }
        memory.bytes.removeLast(memory.bytes.count - byteCount)
    }

    package borrowing func reserve(byteCount: Int) throws(FileError) {}
}

/// The facts about a file that this package uses.
package struct FileStatus: Equatable, Sendable {
    package var byteCount: Int
}

/// A file operation that was declined.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable { case open, read, write, truncate }

    package let operation: Operation
    package let subject: String

    package init(_ operation: Operation, subject: String) {
        self.operation = operation
        self.subject = subject
    }

    package var isOutOfSpace: Bool { false }

    package var description: String { "could not \(operation.rawValue) \(subject): it has no such place" }
}
