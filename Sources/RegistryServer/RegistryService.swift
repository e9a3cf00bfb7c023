package import HTTPServer
internal import HTTPWire
internal import Locks
package import Registry
internal import Sockets

/// The registry as HTTP sees it: what each listener serves.
package final class RegistryService: Sendable {
    package let readiness: ReadinessChecks
    private let wellKnown: WellKnown
    private let problems = ProblemPages()
    private let server = Guarded(AttachedServer())
    private let reading: Reading
    private let writing: WritingRoutes

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - address: where clients reach the server, for lines that people paste.
    ///   - publishPolicy, description: asked anew whenever they are needed, so that a reload shows.
    package init(
        registry: Registry, access: Access, readiness: ReadinessChecks, now: @escaping @Sendable () -> Int64,
        address: @escaping @Sendable () -> String,
        publishPolicy: @escaping @Sendable () -> PublishPolicy,
        description: @escaping @Sendable () -> RegistryDescription
    ) {
        self.readiness = readiness
        wellKnown = WellKnown(description)
        // Queues of their own: reading never waits for a writer's disk.
        reading = Reading(
            registry: registry, access: access, work: WorkQueue("widgetd.reading", width: 4), address: address)
        let work = WorkQueue("widgetd.writing", width: 8)
        writing = WritingRoutes(
            publish: PublishRoutes(registry: registry, access: access, policy: publishPolicy),
            channels: ChannelRoutes(registry: registry, access: access, work: work),
            releases: ReleaseRoutes(registry: registry, access: access, work: work),
            tokens: TokenRoutes(desk: TokenDesk(registry, now: now), access: access, work: work))
    }

    /// Names the server whose counters `/metrics` shows.
    package func attach(_ server: Server) {
        self.server.withLock { $0.server = server }
    }

    // MARK: Routes

    /// What everybody can reach.
    package func publicRoutes() -> Routes {
        let operation = operation
        var routes = Routes()
        routes.get("/livez", operation.live)
        routes.get("/readyz", operation.ready)
        routes.get("/.well-known/widget-registry", wellKnown.answer)
        routes.get("/problems/{code}", problems.page)
        reading.add(to: &routes)
        writing.add(to: &routes)
        return routes
    }

    /// What the owner of the data directory reaches through its control socket.
    package func controlRoutes() -> Routes {
        let operation = operation
        var routes = Routes()
        routes.get("/livez", operation.live)
        var tokens = writing.tokens
        tokens.door = .owner
        tokens.add(to: &routes)
        return routes
    }

    /// What only the administration listener serves.
    package func adminRoutes() -> Routes {
        let operation = operation
        var routes = Routes()
        routes.get("/livez", operation.live)
        routes.get("/readyz", operation.ready)
        routes.get("/metrics", operation.metricsText)
        return routes
    }

    /// The answer of `/metrics`, for programs that put it elsewhere.
    package func metricsAnswer() -> Answer { operation.metricsAnswer() }

    private var operation: OperationRoutes {
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

/// The server that serves the routes of the service. Its routes hold the service, so the service must not hold it.
private struct AttachedServer {
    weak var server: Server?
}
