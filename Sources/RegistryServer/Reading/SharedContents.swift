internal import Bytes
internal import HTTPServer
internal import Locks

/// Files that were taken out of their archives and are being sent.
///
/// While somebody still reads one, all who ask for it share its bytes: what slow readers hold in memory is bounded by
/// the files there are, not by how often they ask.
final class SharedContents: Sendable {
    struct Key: Hashable, Sendable {
        let digest: Digest
        let path: String
        let caching: Document.Caching
    }

    private struct Held {
        weak var resource: Resource?
    }

    private let held = Guarded<[Key: Held]>([:])

    subscript(key: Key) -> Resource? {
        held.withLock { $0[key]?.resource }
    }

    func hold(_ resource: Resource, for key: Key) {
        held.withLock { held in
            if held.count >= 256 { held = held.filter { $0.value.resource != nil } }
            held[key] = Held(resource: resource)
        }
    }
}
