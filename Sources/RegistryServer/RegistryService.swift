package import HTTPServer
internal import HTTPWire
package import Registry

/// The registry as HTTP sees it: what each listener serves.
package final class RegistryService: Sendable {
    private let operation: Operation
    private let reading: Reading
    private let writing: WritingRoutes

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - address: where clients reach the server, for lines that people paste.
    ///   - publishPolicy: asked anew whenever it is needed, so that a reload shows.
    package init(
        _ registry: Registry, access: Access, operation: Operation, now: @escaping @Sendable () -> Int64,
        address: @escaping @Sendable () -> String, publishPolicy: @escaping @Sendable () -> PublishPolicy
    ) {
        self.operation = operation
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
        return routes
    }
}
