internal import CWidgetLinux
internal import Glibc

/// A file operation that the system declined: which one, on what, and why.
///
/// The number is read right after the call, in one place; callers ask the named questions.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case open, read, write, close, status, truncate, reserve, synchronize, lock
        case createDirectory = "create directory"
        case list, rename, remove, watch, start, link
        case setMode = "set the mode of"
        case setTime = "set the time of"
        case findRandomness = "find randomness"
        case actAs = "act as"
    }

    package let operation: Operation
    package let code: Int32
    /// The path or role of the file that the operation was about.
    package let subject: String

    package init(_ operation: Operation, subject: String, code: Int32) {
        self.operation = operation
        self.code = code
        self.subject = subject
    }

    /// The failure of the call that was just made.
    static func last(_ operation: Operation, _ subject: String) -> FileError {
        FileError(operation, subject: subject, code: linux_errno())
    }

    package var isMissing: Bool { code == ENOENT }
    /// A name on the way belongs to a file.
    package var isNotADirectory: Bool { code == ENOTDIR }
    package var exists: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isLocked: Bool { operation == .lock && code == EWOULDBLOCK }
    /// The file system does not have the operation; kernels before 3.11 give the error of writing to a folder.
    package var isUnsupported: Bool { code == EOPNOTSUPP || code == EISDIR }
    package var isLink: Bool { code == ELOOP }
    package var isPermissionDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// The file system takes no writes from anybody.
    package var isReadOnly: Bool { code == EROFS }
    /// No room, no inode or no quota: the request may succeed later, with more space.
    package var isOutOfSpace: Bool { FileError.isOutOfSpace(code: code) }
    /// The same of a number that another library has kept of one of its calls.
    package static func isOutOfSpace(code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }
    /// No descriptor is available at the moment.
    package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
    /// The reader has no room at the moment.
    package var hasNoRoom: Bool { code == EAGAIN || code == ENOBUFS }

    /// The system's own words for the reason.
    package var reason: String {
        // The text belongs to the C library and is copied at once.
        unsafe String(cString: strerror(code))
    }

    package var description: String { "could not \(operation.rawValue) \(subject): \(reason)" }
}
