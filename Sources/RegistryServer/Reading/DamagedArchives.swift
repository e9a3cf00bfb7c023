internal import Bytes
internal import Locks

/// Archives that readers asked for and that are not what was stored, until one reads them whole again or their bundle
/// changes.
final class DamagedArchives: Sendable {
    private let bundles = Guarded<[Digest: String]>([:])

    var count: Int { bundles.withLock { $0.count } }

    func note(_ digest: Digest, of bundle: String) {
        bundles.withLock { $0[digest] = bundle }
    }

    func forget(_ digest: Digest) {
        bundles.withLock { _ = $0.removeValue(forKey: digest) }
    }

    func forget(about bundle: String) {
        bundles.withLock { bundles in
            if !bundles.isEmpty { bundles = bundles.filter { $0.value != bundle } }
        }
    }
}
