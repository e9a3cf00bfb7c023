internal import Bytes
internal import Files
package import HTTPServer
internal import HTTPWire

/// What is true of any server of ours, whatever it serves: whether it is well, what it counts, what it says of
/// itself, and what its problems mean.
package final class Operation: Sendable {
    package let readiness: ReadinessChecks
    /// What the server calls itself.
    let serverName: String
    private let wellKnown: WellKnown
    private let problems = ProblemPages()
    private let server = Guarded(AttachedServer())
    private let registry: Guarded<RegistryMetrics?> = Guarded(nil)
    private let own: @Sendable () -> OwnFigures
    /// Seconds since 1970.
    private let started: Int64

    /// What the program knows of itself and of its place.
    package struct OwnFigures: Sendable {
        package var version = ""
        /// What the data directory's file system has left, and what of it uploads must leave.
        package var freeByteCount: Int?
        package var reservedByteCount = 0

        package init() {}
    }

    /// - Parameter description: asked anew for every edition of the well-known document, so that a reload shows.
    /// - Parameter own: asked for each look at `/metrics`.
    package init(
        readiness: ReadinessChecks, own: @escaping @Sendable () -> OwnFigures = { OwnFigures() },
        description: @escaping @Sendable () -> RegistryDescription
    ) {
        self.readiness = readiness
        self.own = own
        started = WallClock.now().seconds
        serverName = description().server
        wellKnown = WellKnown(description)
    }

    /// Names the registry whose figures `/metrics` shows.
    func add(_ registry: RegistryMetrics) {
        self.registry.withLock { $0 = registry }
    }

    /// Names the server whose counters `/metrics` shows.
    package func attach(_ server: Server) {
        self.server.withLock { $0.server = server }
    }

    /// What everybody can reach.
    package func add(to routes: inout Routes) {
        let checks = routesOfChecks
        routes.get("/livez", checks.live)
        routes.get("/readyz", checks.ready)
        routes.get("/.well-known/widget-registry", wellKnown.answer)
        routes.get("/v1(/)", wellKnown.answer)
        routes.get("/problems(/)", problems.index)
        routes.get("/problems/{code}", problems.page)
    }

    /// What only the administration listener serves.
    package func adminRoutes() -> Routes {
        let checks = routesOfChecks
        var routes = Routes()
        routes.get("/livez", checks.live)
        routes.get("/readyz", checks.ready)
        routes.get("/metrics", checks.metricsText)
        return routes
    }

    /// The answer of `/metrics`, for programs that put it elsewhere.
    package func metricsAnswer() -> Answer { routesOfChecks.metricsAnswer() }

    private var routesOfChecks: OperationRoutes {
        OperationRoutes(readiness: readiness) { [self] in metricsText() }
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
        text.gauge("widgetd_disk_free_bytes", "Room on the disk of the data directory.", UInt64(own.freeByteCount ?? 0))
        text.gauge(
            "widgetd_disk_reserve_bytes", "Room that uploads must leave; below it they are answered with 507.",
            UInt64(own.reservedByteCount))
        registry.withLock { $0 }?.write(to: &text)
        return (server.withLock { $0.server }?.metrics.text() ?? "") + text.text
    }
}

/// The server that serves the routes. Its routes hold what answers them, so that must not hold the server.
private struct AttachedServer {
    weak var server: Server?
}
