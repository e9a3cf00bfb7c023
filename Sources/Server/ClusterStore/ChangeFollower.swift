internal import CatalogSQL
internal import WidgetBytes
internal import WidgetRegistry
internal import WidgetSurroundings

/// Follows the changes that all replicas commit, and hands each to the observer once, in the order of their tags.
///
/// A thread listens for notifications and looks at the database each second anyway, since a notification is lost when its
/// connection is. The changes of this process's own writer go the same way, before the writer returns: what other replicas
/// committed before them is read first.
final class ChangeFollower: Sendable {
    typealias Observer = @Sendable ([RegistryChange]) -> Void

    struct Standing: Sendable {
        /// The last moment at which all that was committed had been handed on.
        var current: ContinuousClock.Instant
        /// The reason why the database cannot be asked; `nil` while it can.
        var failure: String?
        /// The tag that the database ends with, when that is below one that was seen: an older state was put in its place.
        var olderTag: Int64?
    }

    private struct Progress {
        var tag: Int64
        var observer: Observer?
    }

    /// Held while changes are handed on, so that they keep their order.
    private let progress: Guarded<Progress>
    private let standing: Guarded<Standing>
    private let tokens: Guarded<(count: Int64, observer: (@Sendable () -> Void)?)>
    private let outages: Guarded<(@Sendable (String?) -> Void)?> = Guarded(nil)
    private let session: PostgresSession
    private let beat: @Sendable (PostgresSession) throws(RegistryError) -> Void
    private let world: World
    private let ending: StopSignal

    /// The time between two looks when no notification comes; also between signs of life.
    private static let period = Duration.seconds(1)
    /// More changes are read in several steps.
    private static let page = 500

    /// - Parameters:
    ///   - tag: the last change that readers of this process may have seen already.
    ///   - beat: called each period with the follower's session.
    init(
        _ source: PostgresSource, from tag: Int64, tokens: Int64,
        beat: @escaping @Sendable (PostgresSession) throws(RegistryError) -> Void
    ) {
        progress = Guarded(Progress(tag: tag))
        self.tokens = Guarded((tokens, nil))
        session = PostgresSession(source)
        world = source.world
        ending = StopSignal(source.world.clock)
        standing = Guarded(Standing(current: source.world.clock.now))
        self.beat = beat
    }

    func start() {
        // It keeps its thread, and waits there for the database by the machine's clock.
        world.threads.queue("widgetd.follower").async { self.run() }
    }

    /// Ends the thread within a period.
    func end() {
        ending.give()
    }

    func observe(_ observer: @escaping Observer) { progress.withLock { $0.observer = observer } }

    func observeTokens(_ observer: @escaping @Sendable () -> Void) { tokens.withLock { $0.observer = observer } }

    func observeOutages(_ observer: @escaping @Sendable (String?) -> Void) { outages.withLock { $0 = observer } }

    var state: Standing { standing.withLock { $0 } }

    // MARK: Own changes

    /// Hands on what this process has committed. When that is not possible, the thread does it as soon as it can.
    ///
    /// - Parameter read: lends a reader.
    func tell(
        _ changes: [RegistryChange],
        _ read: ((any CatalogReader) throws(RegistryError) -> [RegistryChange]) throws(RegistryError) ->
            [RegistryChange]
    ) {
        guard let (first, last) = changes.first.map({ ($0, changes[changes.count - 1]) }) else { return }
        progress.withLock { progress in
            guard last.tag > progress.tag else { return }
            if first.tag == progress.tag + 1 { return advance(&progress, changes) }
            // Others have committed in between, or the thread was quicker with a part of these.
            let seen = progress.tag
            let own = Dictionary(changes.map { ($0.tag, $0) }) { first, _ in first }
            let all = try? read { reader throws(RegistryError) in
                try ChangeFollower.changes(after: seen, through: last.tag, in: reader)
            }
            if let all { advance(&progress, all.map { own[$0.tag] ?? $0 }) }
        }
    }

    private func advance(_ progress: inout Progress, _ changes: [RegistryChange]) {
        let fresh = changes.filter { $0.tag > progress.tag }
        guard let last = fresh.last else { return }
        progress.tag = last.tag
        progress.observer?(fresh)
    }

    private static func changes(
        after tag: Int64, through last: Int64, in reader: any CatalogReader
    ) throws(RegistryError) -> [RegistryChange] {
        var found: [RegistryChange] = []
        while (found.last?.tag ?? tag) < last {
            let more = try reader.changes(after: found.last?.tag ?? tag, limit: page)
            guard !more.isEmpty else { break }
            // Whether the bundle was there before is not stored, and to forget too much does no harm.
            found += more.map { change in
                var change = change
                change.isNewBundle = change.kind == .publish
                return change
            }
        }
        return found
    }

    // MARK: The thread

    private func run() {
        var failures = 0
        while !ending.isGiven {
            do throws(RegistryError) {
                _ = try session.listen("LISTEN widgetd_pulse")
                try look()
                try beat(session)
                if failures > 1 { outages.withLock { $0 }?(nil) }
                failures = 0
                _ = try session.awaitNotification(upTo: ChangeFollower.period)
            } catch {
                standing.withLock { $0.failure = "\(error)" }
                // A connection that was lost and is replaced at once is not worth a word.
                if failures == 1 { outages.withLock { $0 }?("\(error)") }
                failures += 1
                ending.rest(for: PostgresSource.pause(after: failures, world.chance.fraction))
            }
        }
    }

    /// Reads what was committed since the last look, and hands it on.
    func look() throws(RegistryError) {
        let asked = world.clock.now
        let handedOn = progress.withLock { $0.tag }
        let (tag, count) = try session.reading { () throws(RegistryError) in try Pulse.read(session) }
        // The database may be behind what its own answers have said only when an older state was put in its place.
        guard tag >= handedOn else { return standing.withLock { $0.olderTag = tag } }
        // Page by page, and each is handed on before the next is read.
        while true {
            let seen = progress.withLock { $0.tag }
            guard seen < tag else { break }
            let changes = try session.reading { () throws(RegistryError) in
                try ChangeFollower.changes(after: seen, through: seen + 1, in: SQLCatalog(session))
            }
            guard !changes.isEmpty else { break }
            progress.withLock { advance(&$0, changes) }
        }
        let observer = tokens.withLock { tokens -> (@Sendable () -> Void)? in
            guard tokens.count != count else { return nil }
            tokens.count = count
            return tokens.observer
        }
        observer?()
        standing.withLock { $0 = Standing(current: asked) }
    }
}

/// The numbers by which a replica sees that something has changed.
enum Pulse {
    static func read(_ session: PostgresSession) throws(RegistryError) -> (tag: Int64, tokens: Int64) {
        var found: (Int64, Int64)?
        try session.each(
            "SELECT COALESCE((SELECT MAX(tag) FROM change), 0), tokens FROM pulse WHERE id = 1", []
        ) { row throws(RegistryError) in
            found = (try row.integer(0), try row.integer(1))
            return true
        }
        guard let found else { throw .damaged("the table pulse has no row") }
        return found
    }
}
