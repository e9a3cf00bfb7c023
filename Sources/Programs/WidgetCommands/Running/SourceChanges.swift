import Dispatch
import RegistryClient
import WidgetBytes
import WidgetCore
import WidgetSurroundings

/// The source of a widget at one moment. Its program is read afterwards, so that each later change is noticed.
enum RunningSource: Sendable {
    /// A bundle, an archive of one, a folder of sources, or a document.
    case local(LocalSnapshot)
    case release(InstalledRelease)
}

/// The changes of a widget while it runs: a new release at its registry, or another version of its files.
final class SourceChanges: Sendable {
    /// Everything since the last look. The last program that could be read counts, also if a later one could not.
    struct Change: Sendable {
        var widget: ReadWidget?
        /// The reason why the program from before continues; `nil` if the source is as it should be.
        var warning: String?
        /// The number of programs that could not be read.
        var refusals = 0
    }

    /// The changes that have not been taken yet.
    private let pending = Guarded<Change?>(nil)
    /// One element for each time that there may be a change to take. Elements wait for one reader.
    let changes: AsyncStream<Void>

    /// Ends with this object.
    private let watching: Task<Void, Never>

    /// - Parameter source: the source that the running program was read from.
    init(_ options: RunningOptions, since source: RunningSource) async throws(CommandFailure) {
        let events = try await options.events(since: source)
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let (pending, content) = (pending, options.content)
        watching = Task(executorPreference: options.world.threads.tasks) {
            var reading = SourceReading(content)
            for await event in events {
                let found: SourceReading.Outcome?
                (reading, found) = await reading.following(event, options)
                guard let read = found else { continue }
                pending.withLock { change in
                    var all = change ?? Change()
                    switch read {
                    case .widget(let widget):
                        all.widget = widget
                        all.warning = nil
                    case .refusal(let reason):
                        all.warning = reason
                        all.refusals += 1
                    case .warning(let reason): all.warning = reason
                    }
                    change = all
                }
                continuation.yield()
            }
        }
    }

    deinit { watching.cancel() }

    func take() -> Change? {
        pending.withLock { change in
            defer { change = nil }
            return change
        }
    }
}

/// Reads the program that each event of a watch is about.
private struct SourceReading: Sendable {
    enum Outcome: Sendable {
        case widget(ReadWidget)
        /// The program cannot be read.
        case refusal(String)
        /// The source cannot be reached, or is gone.
        case warning(String)
    }

    /// The digest of the files whose program was read last.
    private var content: Digest?
    /// True after a warning, until a program is read.
    private var isInTrouble = false
    /// The last failure of the watch, until there is a source again.
    private var failure: String?

    init(_ content: Digest?) {
        self.content = content
    }

    /// The outcome of an event, and the reading after it. Other threads do the work, which may take as long as a compiler.
    func following(_ event: WatchEvent, _ options: RunningOptions) async -> (SourceReading, Outcome?) {
        await withCheckedContinuation { continuation in
            options.world.threads.queue("widget.reading", qos: .default).async {
                var next = self
                let outcome = next.outcome(of: event, options)
                continuation.resume(returning: (next, outcome))
            }
        }
    }

    private mutating func outcome(of event: WatchEvent, _ options: RunningOptions) -> Outcome? {
        switch event {
        case .revision(_, let found, let changes): return read(found, changes, options)
        case .failed(let error):
            (isInTrouble, failure) = (true, "\(error)")
            return .warning("\(error)")
        case .gone:
            isInTrouble = true
            return .warning("\(failure ?? "\(options.subject) is gone"); the last version continues to run")
        case .attention: return nil
        }
    }

    private mutating func read(
        _ found: WatchedContent, _ changes: FileChanges, _ options: RunningOptions
    ) -> Outcome? {
        failure = nil
        do throws(CommandFailure) {
            let widget =
                switch found {
                case .release(let release): try options.program(of: release)
                case .local(let path): try options.program(at: path)
                }
            // Editors write files beside a bundle's own; those change nothing.
            guard options.content != content || isInTrouble else { return nil }
            (content, isInTrouble) = (options.content, false)
            return .widget(widget)
        } catch {
            isInTrouble = true
            // The reason is the absence itself, which is said once.
            if let absent = options.absentDocument {
                let state = changes.removed.isEmpty ? "is not there" : "was removed"
                let name = absent.split(separator: "/").last ?? ""
                return .refusal("\(name) \(state); the last version continues to run")
            }
            return .refusal(SourceReading.removal(changes) + error.sentence)
        }
    }

    /// The most names of files in a sentence.
    private static let nameCount = 3

    /// The files that were removed, which may be the reason why a program cannot be read.
    private static func removal(_ changes: FileChanges) -> String {
        guard !changes.removed.isEmpty else { return "" }
        let names = changes.removed.prefix(nameCount).joined(separator: ", ")
        let more = changes.removed.count - nameCount
        return "\(names)\(more > 0 ? " and \(more) more" : "") \(changes.removed.count == 1 ? "was" : "were") removed: "
    }
}
