import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetFiles

/// Goal: a file in memory has the bytes it was made of, for ever. Method: files of sizes around those of the pieces that are
/// copied, and attempts to change them.
@Suite struct `Sealed memory` {
    @Test(arguments: [0, 1, 4_096, 256 << 10, (256 << 10) + 1, 1_000_000]) func `has the bytes`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sealed = try FileDescriptor.sealed(bytes, subject: "bytes")
        #expect(try sealed.status().byteCount == count)
        #expect(try sealed.read(at: 0, count: count + 1) == bytes)
        let path = FileManager.default.temporaryDirectory.appending(path: "sealed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileDescriptor.creating(path)
        try file.write([1, 2, 3] + bytes + [4], at: 0)
        let copy = try FileDescriptor.sealed(copyOf: file, 3..<(3 + count), subject: "a stretch")
        #expect(try copy.read(at: 0, count: count + 1) == bytes)
        try file.write([UInt8](repeating: 9, count: count), at: 3)
        #expect(try copy.read(at: 0, count: count + 1) == bytes)
    }

    @Test func `never changes`() throws {
        let sealed = try FileDescriptor.sealed([1, 2, 3], subject: "three bytes")
        let isSealed = sealed.isSealed
        #expect(isSealed)
        #expect(throws: FileError.self) { try sealed.write([9], at: 0) }
        #expect(throws: FileError.self) { try sealed.write([9], at: 3) }
        #expect(throws: FileError.self) { try sealed.truncate(to: 0) }
        #expect(throws: FileError.self) { try sealed.truncate(to: 10) }
        #expect(try sealed.read(at: 0, count: 10) == [1, 2, 3])
        let flags = fcntl(sealed.number, F_GETFD)
        #expect(flags & FD_CLOEXEC != 0)
    }

    @Test func `cannot be made of more bytes than a file has`() throws {
        let short = try FileDescriptor.sealed([1, 2, 3], subject: "three bytes")
        #expect(throws: FileError(.read, subject: "three bytes", code: ENODATA)) {
            _ = try FileDescriptor.sealed(copyOf: short, 1..<4, subject: "a stretch").number
        }
        let ordinary = try FileDescriptor.unnamed(inDirectory: FileManager.default.temporaryDirectory.path)
        let isSealed = ordinary.isSealed
        #expect(!isSealed)
    }
}
