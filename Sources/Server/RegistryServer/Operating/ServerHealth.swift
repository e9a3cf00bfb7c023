internal import HTTPWire
internal import Synchronization
internal import WidgetBytes
internal import WidgetFiles
package import WidgetHTTPServer
package import WidgetSurroundings

/// Health, metrics and self-description, for any server built on HTTPServer, and the pages that explain its problems.
package final class ServerHealth: Sendable {
    package let readiness: ReadinessChecks
    /// The name of the server.
    let serverName: String
    private let wellKnown: WellKnown
    private let server = Guarded(AttachedServer())
    private let registry: Guarded<RegistryMetrics?> = Guarded(nil)
    private let others = Guarded<[@Sendable (inout MetricsText) -> Void]>([])
    private let own: @Sendable () -> OwnFigures
    /// Seconds since 1970.
    private let started: Int64
    private let work: WorkQueue

    /// Figures of the program itself and of its disk.
    package struct OwnFigures: Sendable {
        package var version = ""
        /// The free bytes of the data directory's file system, and those that uploads must leave free.
        package var freeByteCount: Int?
        package var reservedByteCount = 0
        /// The time since a catalog that replicas share was last known to be as it is here.
        package var catalogStaleness: Duration?

        package init() {}
    }

    /// - Parameter description: called for every edition of the well-known document, so that a reload shows.
    /// - Parameter own: called for each request of `/metrics`.
    package init(
        readiness: ReadinessChecks, in world: World = .machine,
        own: @escaping @Sendable () -> OwnFigures = { OwnFigures() },
        description: @escaping @Sendable () -> RegistryDescription
    ) {
        self.readiness = readiness
        self.own = own
        started = world.clock.seconds
        // The disk is asked for its room, and a loop must not wait for that.
        work = WorkQueue("widgetd.metrics", width: 1, in: world)
        serverName = description().server
        wellKnown = WellKnown(world.clock, description)
    }

    /// Names the registry whose figures `/metrics` shows.
    func add(_ registry: RegistryMetrics) {
        self.registry.withLock { $0 = registry }
    }

    /// Adds figures of another part of the program.
    package func add(_ figures: @escaping @Sendable (inout MetricsText) -> Void) {
        others.withLock { $0.append(figures) }
    }

    /// Names the server whose counters `/metrics` shows.
    package func attach(_ server: Server) {
        self.server.withLock { $0.server = server }
    }

    /// Adds the routes of the public listeners.
    package func add(to routes: inout Routes) {
        let checks = routesOfChecks
        routes.get("/livez", checks.live)
        routes.get("/readyz", checks.ready)
        routes.get("/.well-known/widget-registry", wellKnown.answer)
        routes.get("/v1(/)", wellKnown.answer)
        routes.get("/problems(/)", ProblemPages.index)
        routes.get("/problems/{code}", ProblemPages.page)
    }

    /// The routes of the administration listener alone.
    package func adminRoutes() -> Routes {
        let checks = routesOfChecks
        var routes = Routes()
        routes.get("/livez", checks.live)
        routes.get("/readyz", checks.ready)
        routes.get("/metrics", checks.metricsText)
        return routes
    }

    /// The answer of `/metrics`, for programs that serve it at another address.
    package func metricsAnswer() -> Answer { routesOfChecks.metricsAnswer() }

    private var routesOfChecks: HealthRoutes {
        HealthRoutes(readiness: readiness, work: work) { [self] in metricsText() }
    }

    private func metricsText() -> String {
        let figures = ProcessFigures.now()
        var text = MetricsText()
        text.gauge("process_resident_memory_bytes", "Resident memory.", UInt64(max(0, figures.residentBytes)))
        text.gauge("process_open_fds", "Open descriptors.", UInt64(max(0, figures.openDescriptors)))
        text.seconds(
            "process_cpu_seconds_total", "counter", "Processor time used.", UInt64(max(0, figures.cpuNanoseconds)))
        text.gauge("process_start_time_seconds", "When the server was started.", UInt64(max(0, started)))
        let own = own()
        text.declare("widgetd_build_info", "gauge", "The version that runs, as a label.")
        text.sample("widgetd_build_info", [("version", own.version)], "1")
        if let behind = own.catalogStaleness {
            text.gauge(
                "widgetd_catalog_behind_seconds", "Time since this replica knew all that was committed.",
                UInt64(clamping: behind.components.seconds))
        }
        text.gauge("widgetd_disk_free_bytes", "Room on the disk of the data directory.", UInt64(own.freeByteCount ?? 0))
        text.gauge(
            "widgetd_disk_reserve_bytes", "Room that uploads must leave; below it they are answered with 507.",
            UInt64(own.reservedByteCount))
        registry.withLock { $0 }?.write(to: &text)
        for figures in others.withLock({ $0 }) { figures(&text) }
        return (server.withLock { $0.server }?.metrics.text() ?? "") + text.text
    }
}

/// The server that serves the routes. Its routes hold what answers them, so that must not hold the server.
private struct AttachedServer {
    weak var server: Server?
}

/// The checks that decide whether this server should be sent requests.
package final class ReadinessChecks: Sendable {
    /// One condition of readiness.
    package struct Check: Sendable {
        package let name: String
        /// Returns the fault, in words for an operator; `nil` if the check passes. May block.
        package let failure: @Sendable () -> String?
        /// Returns a trouble with which the server can be sent requests all the same; `nil` without one. May block.
        package let trouble: @Sendable () -> String?

        package init(
            _ name: String, trouble: @escaping @Sendable () -> String? = { nil },
            failure: @escaping @Sendable () -> String?
        ) {
            self.name = name
            self.trouble = trouble
            self.failure = failure
        }
    }

    package struct Outcome: Sendable {
        package let name: String
        package let failure: String?
        package var trouble: String?
    }

    private let checks: [Check]
    private let isDraining = Atomic<Bool>(false)
    // Checks may touch a slow disk, which must not hold up a loop.
    private let queue: any ThreadQueue

    package init(_ checks: [Check], in world: World = .machine) {
        self.checks = checks
        queue = world.threads.queue("widgetd.readiness")
    }

    /// From now on the server is not ready, even if every check passes.
    package func beginDraining() {
        isDraining.store(true, ordering: .releasing)
    }

    package func run(_ completion: @escaping @Sendable ([Outcome]) -> Void) {
        queue.async { [self] in
            let accepting = isDraining.load(ordering: .acquiring) ? "the server is shutting down" : nil
            completion(
                [Outcome(name: "accepting", failure: accepting)]
                    + checks.map { Outcome(name: $0.name, failure: $0.failure(), trouble: $0.trouble()) })
        }
    }
}
