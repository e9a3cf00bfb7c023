package import HTTPServer
internal import HTTPWire
internal import Locks
internal import Sockets

/// What is true of any server of ours, whatever it serves: whether it is well, what it counts, what it says of
/// itself, and what its problems mean.
package final class Operation: Sendable {
    package let readiness: ReadinessChecks
    private let wellKnown: WellKnown
    private let problems = ProblemPages()
    private let server = Guarded(AttachedServer())

    /// - Parameter description: asked anew for every edition of the well-known document, so that a reload shows.
    package init(readiness: ReadinessChecks, description: @escaping @Sendable () -> RegistryDescription) {
        self.readiness = readiness
        wellKnown = WellKnown(description)
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
        return (server.withLock { $0.server }?.metrics.text() ?? "") + text.text
    }
}

/// The server that serves the routes. Its routes hold what answers them, so that must not hold the server.
private struct AttachedServer {
    weak var server: Server?
}
