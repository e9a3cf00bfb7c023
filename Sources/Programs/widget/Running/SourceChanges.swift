import Bytes
import RegistryClient
import WidgetCore

/// The source of a widget at one moment. Its program is read afterwards, so that each later change is noticed.
enum RunningSource: Sendable {
    /// A bundle, an archive of one, or a folder of sources.
    case local(LocalSnapshot)
    case release(InstalledRelease)
}

/// The changes of a widget while it runs: a new release at its registry, or another version of its files.
final class SourceChanges: Sendable {
    enum Change: Sendable {
        case program(Program)
        /// The reason why the old program continues.
        case warning(String)
    }

    /// The last change, until it is taken.
    private let last = Guarded<Change?>(nil)
    let changes: AsyncStream<Change>

    /// Ends with this object.
    private let watching: Task<Void, Never>

    /// - Parameter source: the source that the running program was read from.
    init(_ options: RunningOptions, since source: RunningSource) async throws(CommandFailure) {
        let events = try await options.events(since: source)
        let (changes, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let last = last
        watching = Task {
            for await event in events {
                guard let change = await SourceChanges.change(event, options) else { continue }
                last.withLock { $0 = change }
                continuation.yield(change)
            }
        }
    }

    deinit { watching.cancel() }

    func take() -> Change? {
        last.withLock { last in
            defer { last = nil }
            return last
        }
    }

    private static func change(_ event: WatchEvent, _ options: RunningOptions) async -> Change? {
        switch event {
        case .revision(_, let content, _):
            do throws(CommandFailure) {
                switch content {
                case .release(let release): return .program(try options.program(of: release))
                case .local(let path): return .program(try options.program(at: path))
                }
            } catch {
                return .warning(error.sentence)
            }
        case .failed(let error): return .warning("\(error)")
        case .gone: return .warning("the source is gone; the last version continues to run")
        case .attention: return nil
        }
    }
}
