package import HTTPServer
internal import HTTPWire
package import Registry

/// The registry as HTTP sees it: what each listener serves.
package final class RegistryService: Sendable {
    private let operation: Operation
    private let reading: Reading
    private let writing: WritingRoutes
    private let housekeeping: HousekeepingRoutes

    /// - Parameters:
    ///   - audit: is told of every write.
    ///   - housekeeper: does what its owner asks through the control socket; one of its own when none is given.
    ///   - now: seconds since 1970.
    ///   - address: where clients reach the server, for lines that people paste.
    ///   - tokenRevoked: told after a token was revoked.
    ///   - publishPolicy: asked anew whenever it is needed, so that a reload shows.
    package init(
        _ registry: Registry, access: Access, operation: Operation, now: @escaping @Sendable () -> Int64,
        audit: Audit = Audit(), housekeeper: Housekeeper? = nil, tokenRevoked: @escaping @Sendable () -> Void = {},
        address: @escaping @Sendable () -> String, publishPolicy: @escaping @Sendable () -> PublishPolicy
    ) {
        self.operation = operation
        let housekeeper = housekeeper ?? Housekeeper(registry, audit: audit, now: now)
        housekeeping = HousekeepingRoutes(housekeeper: housekeeper, server: operation.serverName)
        // Queues of their own: reading never waits for a writer's disk.
        reading = Reading(
            registry: registry, access: access, work: WorkQueue("widgetd.reading", width: 4), address: address)
        let work = WorkQueue("widgetd.writing", width: 8)
        writing = WritingRoutes(
            publish: PublishRoutes(registry: registry, access: access, audit: audit, policy: publishPolicy),
            channels: ChannelRoutes(registry: registry, access: access, audit: audit, work: work),
            releases: ReleaseRoutes(registry: registry, access: access, audit: audit, work: work),
            tokens: TokenRoutes(
                desk: TokenDesk(registry, now: now), access: access, audit: audit, work: work, revoked: tokenRevoked),
            audit: AuditRoutes(desk: AuditDesk(registry, now: now), access: access, work: work))
        operation.add(
            RegistryMetrics(
                registry: registry, access: access, audit: audit, housekeeping: housekeeper.state, reading: reading))
    }

    /// What everybody can reach.
    package func publicRoutes() -> Routes {
        var routes = Routes()
        operation.add(to: &routes)
        reading.add(to: &routes)
        writing.add(to: &routes)
        return routes
    }

    /// What the owner of the data directory reaches through its control socket.
    package func controlRoutes() -> Routes {
        var routes = operation.adminRoutes()
        var tokens = writing.tokens
        tokens.door = .owner
        tokens.add(to: &routes)
        var audit = writing.audit
        audit.door = .owner
        audit.add(to: &routes)
        housekeeping.add(to: &routes)
        return routes
    }
}
