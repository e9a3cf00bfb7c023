internal import WidgetBytes

/// The sheets and pictures that pages refer to, by names that come from their bytes. Viewings share them.
package final class LiveFiles: Sendable {
    private struct Entry {
        let bytes: [UInt8]
        var use: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
        var byteCount = 0
    }

    private let byteLimit: Int
    private let state = Guarded(State())

    /// - Parameter byteLimit: of all of them; those that were printed longest ago are dropped first.
    package init(byteLimit: Int = 64 << 20) {
        self.byteLimit = byteLimit
    }

    package subscript(_ name: String) -> [UInt8]? { state.withLock { $0.entries[name]?.bytes } }

    /// Adds the files of a page, or keeps those that are there for longer.
    ///
    /// - Parameter others: further files of the page, which are kept for longer if they are there.
    package func add(_ files: [String: [UInt8]], keeping others: [String] = []) {
        guard !files.isEmpty else { return }
        state.withLock { state in
            state.uses += 1
            for name in others { state.entries[name]?.use = state.uses }
            for (name, bytes) in files {
                guard state.entries[name] == nil else {
                    state.entries[name]?.use = state.uses
                    continue
                }
                state.entries[name] = Entry(bytes: bytes, use: state.uses)
                state.byteCount += bytes.count
            }
            guard state.byteCount > byteLimit else { return }
            for (name, entry) in state.entries.sorted(by: { $0.value.use < $1.value.use }) {
                guard state.byteCount > byteLimit, entry.use != state.uses else { return }
                state.entries[name] = nil
                state.byteCount -= entry.bytes.count
            }
        }
    }
}
