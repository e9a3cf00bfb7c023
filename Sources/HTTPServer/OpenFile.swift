internal import Sockets

/// A file held open for sending; closed when the last answer that needs it is done.
package final class OpenFile: Sendable {
    let descriptor: Int32

    /// Takes the descriptor over.
    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Socket.close(descriptor)
    }
}
