import Addresses
import Bytes
import Configuration
import Console
import Dispatch
import Files
import HTTPServer
import Logging
import Registry
import RegistryServer
import Sockets

/// The server with everything around it: signals, reload, and the way it ends.
final class RunningServer: Sendable {
    private let server: Server
    private let health: ServerHealth
    private let access: Access
    private let housekeeper: Housekeeper
    private let previews: WidgetPreviews?
    private let follower: (any RegistryFollowing)?
    let welcome: Welcome
    private let current: CurrentSettings
    private let logger: Logger
    private let programExit = ProgramExit()
    /// Known when the listeners are open.
    private let address = Guarded("")

    /// The listeners for clients.
    let publicEndpoints: [Endpoint]
    /// The listeners for operators.
    let adminEndpoints: [Endpoint]

    /// Opens every listener and starts to serve.
    init(_ loaded: LoadedSettings<Settings>, logger: Logger) throws(StartFailure) {
        self.logger = logger
        let settings = loaded.settings
        let current = CurrentSettings(settings)
        self.current = current
        let registry = try ServerStore.open(settings) { current.value.channels }
        let follower = try settings.mirror?.follower(registry, settings.data, logger) { current.value.bundlePolicy }
        self.follower = follower
        let own: [ReadinessChecks.Check] = [
            .init("data") { DataDirectory.failure(settings.data) },
            .init("disk") { DataDirectory.shortage(settings.data, reserve: current.value.publishPolicy.diskReserve) },
        ]
        // The catalog of a directory is there while the directory is.
        let shared = [
            ReadinessChecks.Check("catalog", trouble: { registry.catalogTrouble }) { registry.catalogFailure }
        ]
        let remote = [ReadinessChecks.Check("blobs", trouble: { registry.remoteBlobs?.trouble }) { nil }]
        let mirror = [ReadinessChecks.Check("mirror", trouble: { follower?.trouble }) { nil }]
        let checks = ReadinessChecks(
            own + (settings.storage == .directory ? [] : shared) + (registry.remoteBlobs == nil ? [] : remote)
                + (follower == nil ? [] : mirror))
        let now: @Sendable () -> Int64 = { WallClock.now().seconds }
        let audit = Audit(logger) { current.value.log.logsWrites }
        OfflineAudit.tell(settings, logger)
        if (try? registry.hasArchives) == false, let bundles = try? registry.bundles(BundleQuery(limit: 1)),
            !bundles.items.isEmpty
        {
            logger.log(
                .error, "archives.gone",
                "the catalog has releases, and there is not one archive: restore a backup, or publish the bundles again",
                [LogField("data", settings.data)])
        }
        let access: Access
        do throws(RegistryError) {
            access = try Access(
                registry: registry, closesReads: { current.closesReads }, audit: audit,
                policy: { current.value.accessPolicy })
        } catch {
            throw StartFailure(error, data: settings.data)
        }
        self.access = access
        registry.observeOutages { reason in
            if let reason {
                logger.log(
                    .error, "catalog.unreachable", "reads are answered from memory, and writes are refused",
                    [LogField("reason", reason)])
            } else {
                logger.log(.notice, "catalog.reachable", "the catalog answers again")
            }
        }
        registry.observeTokens {
            do throws(RegistryError) { try access.reload() } catch {
                logger.log(
                    .error, "tokens.unread", "the tokens in force stay until they can be read",
                    [LogField("reason", "\(error)")])
            }
        }
        let health = ServerHealth(
            readiness: checks, own: { RunningServer.ownFigures(registry, current.value) }
        ) { current.value.description }
        self.health = health
        if let follower { health.add { follower.write(to: &$0) } }
        housekeeper = Housekeeper(registry, audit: audit, logger: logger) { current.value.housekeepingPolicy }
        let previews = WidgetPreviews.begun(settings.previews, logger)
        self.previews = previews
        previews?.follow(registry, health)
        let review = ScreenReview(previews, now: now)
        let service = RegistryService(
            registry, access: access, health: health, audit: audit, housekeeper: housekeeper,
            tokenRevoked: { OwnerToken.removeStale(registry, settings.data) },
            address: { [address] in address.withLock { $0 } }, review: review,
            previews: previews ?? NoPreviews(), origin: settings.mirror?.origin,
            publishPolicy: { current.value.publishPolicy })

        var routes = service.publicRoutes()
        previews?.add(to: &routes, service)
        var listeners: [ServerListener] = []
        for address in settings.listen {
            listeners.append(ServerListener(try RunningServer.endpoint(address), routes: routes))
        }
        for address in settings.adminListen {
            listeners.append(
                ServerListener(try RunningServer.endpoint(address), routes: health.adminRoutes(), isShared: false))
        }
        let control = ControlSocket.path(settings.data)
        var obstacle: String?
        func open(_ listeners: [ServerListener]) throws(SystemError) -> Server {
            try Server(
                listeners: listeners, limits: settings.serverLimits,
                workers: settings.workers > 0 ? settings.workers : Processors.count, serverName: "widgetd",
                logger: logger, logsRequests: settings.log.logsRequests,
                explain: { ProblemCatalogue.problem($0) })
        }
        func openWithControl() throws(SystemError) -> Server {
            guard ControlSocket.isUsable(control) else {
                obstacle = "the data directory's path is too long for a socket in it"
                return try open(listeners)
            }
            let listener = ServerListener(
                .unix(path: control), routes: service.controlRoutes(), isShared: false, isPrivate: true)
            do throws(SystemError) {
                return try open(listeners + [listener])
            } catch {
                // A full disk may have no room for a name either.
                guard error.isOutOfSpace, error.subject.hasSuffix(control) else { throw error }
                obstacle = "the disk has no room for a socket: \(error.reason)"
                return try open(listeners)
            }
        }
        do throws(SystemError) {
            server = try openWithControl()
        } catch {
            throw StartFailure(error)
        }
        if let obstacle {
            logger.log(.warning, "control.unavailable", obstacle, [LogField("path", control)])
        }
        // A server that cannot listen has not started, and must not use up its first start.
        let madeToken = try FirstStart.run(registry, settings, review, logger)
        do throws(RegistryError) {
            try access.reload()
            welcome = try Welcome(registry, loaded, madeToken: madeToken)
        } catch {
            throw StartFailure(error, data: settings.data)
        }
        if welcome.token == .missing, settings.mirror == nil {
            logger.log(
                .warning, "tokens.none", "publishing and administration are impossible: no token is valid",
                [LogField("hint", Welcome.makingToken(settings.data))])
        }
        publicEndpoints = Array(server.endpoints.prefix(settings.listen.count))
        adminEndpoints = Array(
            server.endpoints.dropFirst(settings.listen.count).prefix(settings.adminListen.count))
        RunningServer.warnOfPlainListeners(publicEndpoints, settings, logger)
        health.attach(server)
        let url = settings.publishPolicy.publicURL ?? publicEndpoints.first.map(Greeting.url) ?? ""
        address.withLock { $0 = url }
    }

    /// Serves until a signal says otherwise.
    func runUntilStopped(on terminal: Terminal, reload: @escaping SettingsReader) -> ExitCode {
        let signals = Signals(
            onStop: { [self] in stop() },
            onReload: { [self] in self.reload(reload) })
        server.start()
        Greeting.print(self, on: terminal)
        logger.log(
            .notice, "server.listening", "",
            [
                LogField("public", publicEndpoints.map(\.description).joined(separator: " ")),
                LogField("admin", adminEndpoints.map(\.description).joined(separator: " ")),
            ])
        follower?.start()
        housekeeper.runWhenDue()
        let code = programExit.wait()
        signals.cancel()
        return code
    }

    private static func ownFigures(_ registry: Registry, _ settings: Settings) -> ServerHealth.OwnFigures {
        var figures = ServerHealth.OwnFigures()
        figures.version = ProgramVersion.text
        figures.freeByteCount = try? registry.availableByteCount
        figures.reservedByteCount = settings.publishPolicy.diskReserve
        if settings.storage != .directory { figures.catalogStaleness = registry.staleness }
        return figures
    }

    /// Checks that no other server listens at this server's addresses.
    static func checkAddresses(_ settings: Settings) throws(StartFailure) {
        for address in settings.listen + settings.adminListen {
            let endpoint = try endpoint(address)
            // A path may be in the data directory, which need not be there yet.
            guard case .ip = endpoint else { continue }
            do throws(SystemError) { _ = try Listener.open(endpoint, count: 1) } catch { throw StartFailure(error) }
        }
    }

    private static func warnOfPlainListeners(_ endpoints: [Endpoint], _ settings: Settings, _ logger: Logger) {
        let plain = settings.plainListeners(among: endpoints)
        guard !plain.isEmpty else { return }
        logger.log(
            .warning, "listen.plain", "tokens and bundles cross the network unencrypted",
            [
                LogField("listen", plain.map(\.description).joined(separator: " ")),
                LogField(
                    "hint",
                    "put a proxy with TLS in front, and set publicURL to its https:// address and proxy.trusted to its own; "
                        + "or listen on 127.0.0.1"),
            ])
    }

    private static func endpoint(_ address: ListenAddress) throws(StartFailure) -> Endpoint {
        return try rethrowing(
            try Endpoint(address),
            as: { (error: Endpoint.Mistake) in
                StartFailure("cannot listen on \(address): \(error.explanation)")
            })
    }

    // MARK: Signals

    /// The first signal lets requests finish, the second does not.
    private func stop() {
        guard programExit.begin() else {
            logger.log(.warning, "server.stopped", "a second signal: stopping at once")
            logger.flush(limitMilliseconds: 200)
            programExit.end(.clean)
            return
        }
        let shutdown = current.value.shutdown
        health.readiness.beginDraining()
        follower?.stop()
        let interrupted = housekeeper.stop().map(\.rawValue)
        logger.log(
            .notice, "server.draining", "finishing what is under way",
            interrupted.isEmpty ? [] : [LogField("interrupted", interrupted.joined(separator: " "))])
        DispatchQueue.global().async { [self] in
            Pause.sleep(shutdown.delay)
            // Their streams would never end by themselves.
            previews?.stop()
            let isComplete = server.drain(grace: shutdown.grace)
            logger.log(
                isComplete ? .notice : .warning, "server.stopped",
                !isComplete
                    ? "the time for finishing was over"
                    : interrupted.isEmpty
                        ? "everything under way was finished"
                        : "every request was finished; \(interrupted.joined(separator: ", ")) was interrupted")
            programExit.end(.clean)
        }
    }

    /// Applies the settings that can change while running, and logs those that cannot.
    ///
    /// The outcome answers the operator who sent the signal, so it is logged at every level.
    private func reload(_ read: SettingsReader) {
        let loaded: LoadedSettings<Settings>
        do throws(ConfigurationError) {
            loaded = try read()
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
            try access.reload()
        } catch {
            logger.record(.error, "tokens.unread", "the tokens in force stay", [LogField("reason", "\(error)")])
        }
        server.reload(change.settings.serverLimits, logsRequests: change.settings.log.logsRequests)
        // The operator asked for it, so it is logged at every level.
        logger.record(
            .notice, "settings.reloaded", "",
            [
                LogField("changed", change.applied.joined(separator: " ")),
                LogField("needRestart", change.needingRestart.joined(separator: " ")),
            ])
    }
}
