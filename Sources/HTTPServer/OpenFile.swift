internal import Sockets

/// A file held open for sending, for as long as an answer needs it.
package final class OpenFile: Sendable {
    let descriptor: Int32
    /// Who closes the descriptor; without an owner, this does.
    private let owner: (any AnyObject & Sendable)?

    /// Takes the descriptor over.
    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
        owner = nil
    }

    /// Keeps the descriptor's owner, which closes it when it is gone.
    package init(_ descriptor: Int32, of owner: any AnyObject & Sendable) {
        self.descriptor = descriptor
        self.owner = owner
    }

    deinit {
        if owner == nil { Socket.close(descriptor) }
    }
}
