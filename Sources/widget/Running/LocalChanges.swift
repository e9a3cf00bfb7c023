import Files
import Locks
import RegistryClient

/// Whether somebody has saved the bundle that is being run.
final class LocalChanges: Sendable {
    private let isChanged = Guarded(false)

    /// Nothing is watched where the subject is no file.
    init(_ subject: String) {
        guard (try? FileDescriptor.reading(subject)) != nil else { return }
        let events = LocalWatch(subject).events
        Task { [weak self] in
            for await event in events {
                guard let self else { return }
                if case .revision(let number, _, _) = event, number > 1 { self.isChanged.withLock { $0 = true } }
            }
        }
    }

    func takeChange() -> Bool {
        isChanged.withLock { isChanged in
            defer { isChanged = false }
            return isChanged
        }
    }
}
