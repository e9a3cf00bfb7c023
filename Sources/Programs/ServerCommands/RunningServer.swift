import Dispatch
import RegistryServer
import WidgetBytes
import WidgetConfiguration
package import WidgetConsole
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
package import WidgetSockets
import WidgetSurroundings

/// A server with all its parts: it serves, reads its settings again, and ends in one of two ways.
///
/// It takes nothing from its process but what it was started with, so that a process can have several.
package final class RunningServer: Sendable {
    private let store: ServedStore
    let listeners: ServerListeners
    private let welcome: Welcome
    private let current: CurrentSettings
    private let surroundings: ServerStart
    private let readSettings: SettingsReader
    private let watchdog: Watchdog?
    private let programExit = ProgramExit()
    /// The engine that browsers run.
    let engine: EngineWatch

    /// The listeners for clients.
    package var publicEndpoints: [Endpoint] { listeners.publicEndpoints }
    /// The listeners for operators.
    package var adminEndpoints: [Endpoint] { listeners.adminEndpoints }

    /// Opens the store and every listener.
    init(
        _ loaded: LoadedSettings<Settings>, _ start: ServerStart, reload: @escaping SettingsReader
    ) throws(StartFailure) {
        let (settings, logger) = (loaded.settings, start.logger)
        let current = CurrentSettings(settings)
        // Known when the listeners are open.
        let address = Guarded("")
        let store = try ServedStore(settings, current, start) { address.withLock { $0 } }
        let listeners: ServerListeners
        do throws(StartFailure) {
            listeners = try ServerListeners(settings, store, start)
            // A server that cannot listen has not started, and must not use up its first start.
            let now = start.world.clock.seconds
            let madeToken = try FirstStart.run(store.registry, settings, store.review, logger, now: now)
            welcome = try Welcome.begun(store, loaded, madeToken: madeToken, now: now)
        } catch {
            store.cells.stop()
            throw error
        }
        StartRemarks.missingToken(welcome, settings, logger)
        StartRemarks.removedSettings(loaded, logger)
        StartRemarks.anyAncestor(settings, logger)
        engine = EngineWatch(settings, start, store.elements)
        StartRemarks.plainListeners(listeners.publicEndpoints, settings, logger)
        let url = settings.publishPolicy.publicURL ?? listeners.publicEndpoints.first.map(Greeting.url) ?? ""
        address.withLock { $0 = url }
        (self.store, self.listeners, self.current) = (store, listeners, current)
        (surroundings, readSettings) = (start, reload)
        watchdog = RunningServer.watchdog(
            listeners.server, settings.storage == .directory ? store.registry : nil, start)
    }

    /// Serves from now on, on its own threads.
    package func start() {
        let (logger, server) = (surroundings.logger, listeners.server)
        server.start()
        Greeting(publicEndpoints, adminEndpoints, welcome).print(on: surroundings.terminal)
        logger.log(
            .notice, "server.listening", "",
            [
                LogField("public", publicEndpoints.map(\.description).joined(separator: " ")),
                LogField("admin", adminEndpoints.map(\.description).joined(separator: " ")),
            ])
        store.follower?.start()
        store.housekeeper.reviewRetention()
        store.housekeeper.runWhenDue()
        surroundings.notify(.ready(publicEndpoints: publicEndpoints, adminEndpoints: adminEndpoints))
        watchdog?.start()
    }

    /// Blocks until the server has ended (``stop()``), and its log is written.
    package func wait() -> ExitCode {
        defer { surroundings.logger.flush() }
        return programExit.wait()
    }

    // MARK: Signs of life

    /// A watchdog that asks every loop, and then the catalog on a thread that may block.
    ///
    /// - Parameter registry: `nil` for a catalog that replicas share. It may keep a caller waiting longer than a manager waits
    ///   for a sign, and a restart does not help a replica that answers from memory meanwhile.
    private static func watchdog(_ server: Server, _ registry: Registry?, _ start: ServerStart) -> Watchdog? {
        guard let signs = start.signs else { return nil }
        let queue = start.world.threads.queue("widgetd.watchdog")
        return Watchdog(every: signs.every, start.world.clock, sign: signs.give) {
            [weak server, weak registry] answered in
            guard let server else { return }
            let catalog = registry
            server.ask {
                guard let catalog else { return answered() }
                queue.async {
                    _ = try? catalog.isEmpty
                    answered()
                }
            }
        }
    }

    // MARK: The end

    /// Lets requests finish, as SIGTERM does; the second call does not.
    package func stop() {
        let logger = surroundings.logger
        guard programExit.begin() else {
            logger.log(.warning, "server.stopped", "a second signal: stopping at once")
            logger.flush(limitMilliseconds: 200)
            programExit.end(.clean)
            return
        }
        // First of all: a reader of the notice may be slow.
        store.health.readiness.beginDraining()
        surroundings.notify(.draining)
        store.follower?.stop()
        engine.stop()
        let interrupted = store.housekeeper.stop().map(\.rawValue)
        logger.log(
            .notice, "server.draining", "finishing what is under way",
            interrupted.isEmpty ? [] : [LogField("interrupted", interrupted.joined(separator: " "))])
        let shutdown = current.value.shutdown
        let queue = surroundings.world.threads.queue("widgetd.end")
        guard shutdown.delay > .zero else { return queue.async { self.drain(shutdown.grace, interrupted) } }
        _ = surroundings.world.clock.call(after: shutdown.delay) {
            queue.async { self.drain(shutdown.grace, interrupted) }
        }
    }

    private func drain(_ grace: Duration, _ interrupted: [String]) {
        let isComplete = listeners.server.drain(grace: grace)
        // Until then publications wait for their reviews.
        store.cells.stop()
        watchdog?.stop()
        leave()
        surroundings.logger.log(
            isComplete ? .notice : .warning, "server.stopped",
            !isComplete
                ? "the time for finishing was over"
                : interrupted.isEmpty
                    ? "everything under way was finished"
                    : "every request was finished; \(interrupted.joined(separator: ", ")) was interrupted")
        surroundings.notify(.stopped)
        programExit.end(.clean)
    }

    /// Adds what hosts have reported last, and has other servers of the registry know of the end, if its catalog answers soon.
    private func leave() {
        let isOver = DispatchSemaphore(value: 0)
        surroundings.world.threads.queue("widgetd.leave").async { [store] in
            store.outcomes.end()
            store.registry.leave()
            isOver.signal()
        }
        _ = isOver.wait(timeout: .now() + RunningServer.leavingSeconds)
    }

    private static let leavingSeconds = 2.0

    /// Ends at once and without a word, as a kill of its process would: connections are cut in any phase.
    ///
    /// Work on threads ends at its next step, and keeps the data directory until then. It may be called after ``stop()``, too.
    package func abandon() {
        watchdog?.stop()
        store.follower?.stop()
        store.housekeeper.stop()
        store.cells.stop()
        listeners.server.stop()
        programExit.end(.failed)
    }

    // MARK: Reloading

    /// Reads the settings again, as SIGHUP asks: applies those that can change while running, and logs those that cannot.
    ///
    /// The outcome answers the operator who sent the signal, so it is logged at every level.
    package func reload() {
        surroundings.notify(.reloading)
        defer { surroundings.notify(.reloaded) }
        let logger = surroundings.logger
        let loaded: LoadedSettings<Settings>
        do throws(ConfigurationError) {
            loaded = try readSettings()
        } catch {
            let hints = error.problems.compactMap(\.hint)
            logger.record(
                .error, "settings.refused", "the settings are faulty; those in force stay",
                [LogField("reason", error.problems.map(\.message).joined(separator: "; "))]
                    + (hints.isEmpty ? [] : [LogField("hint", hints.joined(separator: "; "))]))
            return
        }
        let change = SettingsChange(from: current.value, to: loaded.settings)
        current.value = change.settings
        logger.level = change.settings.log.level
        do {
            try store.access.reload()
        } catch {
            logger.record(.error, "tokens.unread", "the tokens in force stay", [LogField("reason", "\(error)")])
        }
        if let noted = change.settings.storage.noted { store.registry.note(settings: noted) }
        listeners.server.reload(change.settings.serverLimits, logsRequests: change.settings.log.logsRequests)
        // The operator asked for it, so it is logged at every level.
        logger.record(
            .notice, "settings.reloaded", "",
            [
                LogField("changed", change.applied.joined(separator: " ")),
                LogField("needRestart", change.needingRestart.joined(separator: " ")),
            ])
        // A new quota begins with what is there, as a rule does.
        if change.applied.contains(where: { $0.hasPrefix("retention.") || $0.hasPrefix("quota.") }) {
            store.housekeeper.reviewRetention()
        }
    }
}
