package import Foundation
internal import Glibc

/// Programs that a test writes and starts at once.
///
/// While this process writes a file, another thread may start a program, and until that has begun it holds the file open
/// too: starting the file in this moment fails, because it is busy. A file that is made here is open nowhere.
package enum ExecutableFile {
    package static func write(_ script: String, to path: String) throws {
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        try waitForWriters(of: path)
    }

    package static func copy(_ program: URL, to path: String) throws {
        try FileManager.default.copyItem(at: program, to: URL(filePath: path))
        try waitForWriters(of: path)
    }

    /// `F_SETLEASE` of Linux, which the C library shows to C programs that ask for it.
    private static let setLease: Int32 = 1024

    /// The system gives a lease for reading when no process has the file open for writing.
    private static func waitForWriters(of path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        while fcntl(file.fileDescriptor, setLease, F_RDLCK) != 0 {
            guard errno == EAGAIN else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            _ = sched_yield()
        }
    }
}
