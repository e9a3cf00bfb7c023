import Bytes
import Configuration
import Synchronization

/// The settings in force, replaced as a whole by a reload.
final class CurrentSettings: Sendable {
    private let box: Guarded<Settings>
    /// Whether reading needs a token, apart from the others: every read asks.
    private let isReadingClosed: Atomic<Bool>

    init(_ settings: Settings) {
        box = Guarded(settings)
        isReadingClosed = Atomic(settings.access.read == .token)
    }

    var value: Settings {
        get { box.withLock { $0 } }
        set {
            box.withLock { $0 = newValue }
            isReadingClosed.store(newValue.access.read == .token, ordering: .releasing)
        }
    }

    var closesReads: Bool { isReadingClosed.load(ordering: .acquiring) }
}
