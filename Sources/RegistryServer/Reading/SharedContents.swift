internal import Bytes
internal import HTTPServer
internal import Locks

/// Files that were taken out of their archives and are being sent.
///
/// While somebody still reads one, all who ask for it share its bytes; and what slow readers of different files hold
/// in memory together has a limit.
final class SharedContents: Sendable {
    struct Key: Hashable, Sendable {
        let digest: Digest
        let path: String
        let caching: Document.Caching
    }

    private struct Held {
        weak var resource: Resource?
        let byteCount: Int
    }

    private let held = Guarded<[Key: Held]>([:])
    private let budget: Int

    /// - Parameter budget: bytes of all that is being sent; one file alone may have more.
    init(budget: Int) {
        self.budget = budget
    }

    /// Whether another file of so many bytes may be taken out of its archive now.
    func hasRoom(for byteCount: Int) -> Bool {
        held.withLock { held in
            let used = held.values.reduce(0) { $1.resource == nil ? $0 : $0 + $1.byteCount }
            return used == 0 || byteCount <= budget - min(used, budget)
        }
    }

    subscript(key: Key) -> Resource? {
        held.withLock { $0[key]?.resource }
    }

    /// - Parameter byteCount: what it holds in memory; nothing where it is sent from its archive.
    func hold(_ resource: Resource, for key: Key, byteCount: Int) {
        held.withLock { held in
            if held.count >= 256 { held = held.filter { $0.value.resource != nil } }
            held[key] = Held(resource: resource, byteCount: byteCount)
        }
    }
}
