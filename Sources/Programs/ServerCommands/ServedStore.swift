import PageServer
import RegistryServer
import WidgetBytes
import WidgetCells
import WidgetConsole
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings

/// A registry with everything that answers for it and keeps it, but the listeners.
struct ServedStore {
    let registry: Registry
    let access: Access
    let health: ServerHealth
    let housekeeper: Housekeeper
    /// Counts what hosts report.
    let outcomes: OutcomeDesk
    let cells: ServerCells
    /// The files by which browsers run widgets themselves.
    let elements: ElementRoutes
    let follower: (any RegistryFollowing)?
    let review: ScreenReview
    let service: RegistryService

    /// Opens the store, of which this process has the lock from then on.
    ///
    /// - Parameter address: the address at which clients reach the server, once it is known.
    init(
        _ settings: Settings, _ current: CurrentSettings, _ start: ServerStart,
        address: @escaping @Sendable () -> String
    ) throws(StartFailure) {
        let logger = start.logger
        let upgrade = settings.storage == .directory ? StartRemarks.upgrade(settings, logger) : nil
        let registry = try ServerStore.open(settings, in: start.world, logger: logger) { current.value }
        StartRemarks.upgraded(upgrade, logger)
        self.registry = registry
        if settings.storage != .directory { StartRemarks.lowStore(registry, settings, logger) }
        if let noted = settings.storage.noted { registry.note(settings: noted) }
        start.notify(.locked)
        follower = try settings.mirror?.follower(registry, settings.data, logger, in: start.world) {
            current.value.bundlePolicy
        }
        let audit = Audit(logger) { current.value.log.logsWrites }
        OfflineAudit.tell(settings, logger)
        StartRemarks.missingArchives(registry, settings, logger)
        let access: Access
        do throws(RegistryError) {
            access = try Access(
                registry: registry, in: start.world, closesReads: { current.closesReads }, audit: audit,
                policy: { current.value.accessPolicy })
        } catch {
            throw StartFailure(error, data: settings.data)
        }
        self.access = access
        ServedStore.follow(registry, access, logger)
        health = ServedStore.health(registry, follower, settings, current, start.world)
        let cells =
            start.reviewsHere
            ? ServerCells.here(in: start.world)
            : ServerCells.begun(
                isReviewing: current.value.publishPolicy.reviewsScreens, logger,
                start.cells ?? CellProgram.start(of: start.terminal.executable), in: start.world)
        self.cells = cells
        health.add { [cells] text in cells.write(to: &text) }
        let elements = ElementRoutes(beside: nil)
        self.elements = elements
        review = ScreenReview(
            cells, now: { [clock = start.world.clock] in clock.seconds }, isMirror: settings.mirror != nil
        ) { current.value.publishPolicy }
        housekeeper = Housekeeper(registry, audit: audit, logger: logger, in: start.world, stills: review) {
            current.value.housekeepingPolicy
        }
        outcomes = OutcomeDesk(registry, logger: logger, in: start.world) { current.value.outcomes }
        let running = { @Sendable [runs = settings.runsWidgets] in ServedStore.running(runs, elements) }
        service = RegistryService(
            registry, access: access, health: health, in: start.world, audit: audit, housekeeper: housekeeper,
            tokenRevoked: { OwnerToken.removeStale(registry, settings.data) }, address: address, review: review,
            running: running,
            embedding: Embedding(
                ancestors: { FrameAncestors(current.value.frameAncestors) }, running: running),
            outcomes: outcomes, origin: settings.mirror?.origin,
            publishPolicy: { current.value.publishPolicy })
    }

    /// The routes of the listeners for clients.
    var publicRoutes: Routes {
        var routes = service.publicRoutes()
        elements.add(to: &routes)
        return routes
    }

    /// The running of widgets on pages at this moment: the engine may come while the server runs.
    private static func running(_ isWanted: Bool, _ elements: ElementRoutes) -> PageRunning {
        guard isWanted else { return .off("The owner of this registry has its pages show stills alone.") }
        return elements.hasEngine
            ? .on
            : .off(
                "This server has no engine for browsers, so that its pages show stills: make wasm builds one, and the "
                    + "setting pages.engine names it.")
    }

    /// Says in the log when the catalog cannot be asked, and reads tokens again that others have changed.
    private static func follow(_ registry: Registry, _ access: Access, _ logger: Logger) {
        registry.observeOutages { reason in
            if let reason {
                logger.log(
                    .error, "catalog.unreachable", "reads are answered from memory, and writes are refused",
                    [LogField("reason", reason)])
            } else {
                logger.log(.notice, "catalog.reachable", "the catalog answers again")
            }
        }
        registry.observeStore { trouble in
            guard let trouble else {
                return logger.log(.notice, "store.reachable", "the store of archives answers again")
            }
            let event = if case .refused = trouble { "store.refused" } else { "store.unreachable" }
            logger.log(
                .error, event, "documents and copies of archives are served, and publications are refused",
                [LogField("reason", trouble.reason)])
        }
        // The registry keeps what observes it, and access keeps the registry.
        registry.observeTokens { [weak access] in
            do throws(RegistryError) { try access?.reload() } catch {
                logger.log(
                    .error, "tokens.unread", "the tokens in force stay until they can be read",
                    [LogField("reason", "\(error)")])
            }
        }
    }

    private static func health(
        _ registry: Registry, _ follower: (any RegistryFollowing)?, _ settings: Settings, _ current: CurrentSettings,
        _ world: World
    ) -> ServerHealth {
        let health = ServerHealth(
            readiness: readiness(registry, follower, settings, current, world), in: world,
            own: { figures(registry, current.value) }
        ) { current.value.description }
        if let follower { health.add { follower.write(to: &$0) } }
        return health
    }

    /// The checks of `/readyz`, of which some are for storages and mirrors alone.
    private static func readiness(
        _ registry: Registry, _ follower: (any RegistryFollowing)?, _ settings: Settings, _ current: CurrentSettings,
        _ world: World
    ) -> ReadinessChecks {
        var checks: [ReadinessChecks.Check] = [
            .init("data") { DataDirectory.failure(settings.data) },
            .init("disk") { DataDirectory.shortage(settings.data, reserve: current.value.publishPolicy.diskReserve) },
        ]
        // The catalog of a directory is there while the directory is.
        if settings.storage != .directory {
            checks.append(.init("catalog", trouble: { registry.catalogTrouble }) { registry.catalogFailure })
        }
        if settings.storage != .directory {
            checks.append(
                .init("blobs", trouble: { registry.storeTrouble?.reason ?? registry.remoteBlobs?.trouble }) {
                    registry.storeFailure?.reason
                })
        }
        if let follower { checks.append(.init("mirror", trouble: { follower.trouble }) { nil }) }
        return ReadinessChecks(checks, in: world)
    }

    private static func figures(_ registry: Registry, _ settings: Settings) -> ServerHealth.OwnFigures {
        var figures = ServerHealth.OwnFigures()
        figures.version = ProgramVersion.text
        figures.freeByteCount = try? registry.availableByteCount
        figures.reservedByteCount = settings.publishPolicy.diskReserve
        if settings.storage != .directory { figures.catalogStaleness = registry.staleness }
        return figures
    }
}
