import Configuration
import Synchronization

/// The settings in force, replaced as a whole by a reload.
final class CurrentSettings: Sendable {
    private let box: Mutex<Settings>

    init(_ settings: Settings) {
        box = Mutex(settings)
    }

    var value: Settings {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
