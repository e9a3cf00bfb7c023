import Configuration
import Locks

/// The settings in force, replaced as a whole by a reload.
final class CurrentSettings: Sendable {
    private let box: Guarded<Settings>

    init(_ settings: Settings) {
        box = Guarded(settings)
    }

    var value: Settings {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
