internal import Synchronization

/// Whether every request gets a line in the log; changed while the server runs.
final class LogSwitch: Sendable {
    private let state: Atomic<Bool>

    init(_ isOn: Bool) {
        state = Atomic(isOn)
    }

    var isOn: Bool { state.load(ordering: .relaxed) }

    func set(_ isOn: Bool) {
        state.store(isOn, ordering: .relaxed)
    }
}
