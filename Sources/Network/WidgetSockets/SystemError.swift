internal import CWidgetLinux
internal import Glibc

/// A system call that failed: which one, on what, and why.
///
/// The number is read right after the call, in one place, and never leaves this module as a bare integer.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let operation: String
    package let code: Int32
    /// The address, path or role the call was about.
    package let subject: String

    init(_ operation: String, subject: String, code: Int32 = linux_errno()) {
        self.operation = operation
        self.code = code
        self.subject = subject
    }

    package var isAddressInUse: Bool { code == EADDRINUSE }
    package var isDescriptorShortage: Bool { Interruption.isShortage(code) }
    package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
    /// No room, no inode or no quota for the name of a socket.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
    /// Nothing listens at the address.
    package var hasNoListener: Bool { code == ECONNREFUSED || code == ENOENT }

    /// The system's own words for the reason.
    package var reason: String {
        // The text belongs to the C library and is copied at once.
        unsafe String(cString: strerror(code))
    }

    package var description: String { "\(operation) failed on \(subject): \(reason)" }
}

/// Sorts the failures after which a call is tried again, at once or when the descriptor is ready.
enum Interruption {
    static func isTransient(_ code: Int32) -> Bool { code == EINTR }
    static func wouldBlock(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK }
    /// No descriptor or no memory for one: the peer is not to blame, and waiting helps.
    static func isShortage(_ code: Int32) -> Bool {
        code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
    }
}

extension SystemError {
    /// A listener the poller would not take.
    package static func watching(_ endpoint: Endpoint) -> SystemError {
        SystemError("epoll_ctl", subject: endpoint.description)
    }
}
