internal import Dispatch
internal import HTTPWire
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetRegistry
package import WidgetSurroundings

/// The registry as HTTP sees it: what each listener serves.
package final class RegistryService: Sendable {
    private let health: ServerHealth
    let reading: Reading
    private let writing: WritingRoutes
    private let managing: ManageRoutes
    private let housekeeping: HousekeepingRoutes
    private let outcomes: OutcomeRoutes
    private let access: Access
    /// The registry that this one is a mirror of; `nil` for one that is written to.
    private let origin: String?

    /// - Parameters:
    ///   - audit: records every write.
    ///   - housekeeper: carries out the owner's commands from the control socket; by default the service makes one.
    ///   - address: the address at which clients reach the server, for lines that people paste.
    ///   - tokenRevoked: called after a token was revoked.
    ///   - review: looks at published bundles once more, for their reports.
    ///   - running: whether pages run widgets; asked for each page.
    ///   - embedding: the pages that may hold widgets in frames, and whether browsers have an engine.
    ///   - outcomes: counts what hosts report; by default the service makes one that takes nothing.
    ///   - origin: the registry that this one is a mirror of, which clients cannot change.
    ///   - publishPolicy: asked anew whenever it is needed, so that a reload shows.
    package init(
        _ registry: Registry, access: Access, health: ServerHealth, in world: World = .machine,
        audit: Audit = Audit(), housekeeper: Housekeeper? = nil, tokenRevoked: @escaping @Sendable () -> Void = {},
        address: @escaping @Sendable () -> String, review: any BundleReview = NoReview(),
        running: @escaping @Sendable () -> PageRunning = { .usual }, embedding: Embedding = Embedding(),
        outcomes desk: OutcomeDesk? = nil, origin: String? = nil,
        publishPolicy: @escaping @Sendable () -> PublishPolicy
    ) {
        self.health = health
        self.access = access
        self.origin = origin
        let housekeeper = housekeeper ?? Housekeeper(registry, audit: audit, in: world)
        housekeeping = HousekeepingRoutes(housekeeper: housekeeper, server: health.serverName, in: world)
        // Separate queues: reading never waits for a writer's disk.
        reading = Reading(
            registry: registry, access: access, work: WorkQueue("widgetd.reading", width: 4, in: world), in: world,
            running: running, embedding: embedding, address: address)
        let work = WorkQueue("widgetd.writing", width: 8, in: world)
        let publish = PublishRoutes(
            registry: registry, access: access, audit: audit, policy: publishPolicy, review: review,
            gate: UploadGate(in: world), threads: world.threads)
        let pages = ManagePages(access: access, audit: audit, work: work)
        managing = ManageRoutes(
            signIn: SignIn(access: access), home: ManageHome(pages: pages, registry: registry, policy: publishPolicy),
            uploads: UploadRoutes(publish: publish, pages: pages, in: world),
            bundles: ManageBundle(pages: pages, registry: registry),
            tokens: ManageTokens(
                pages: pages, desk: TokenDesk(registry, clock: world.clock),
                audits: AuditDesk(registry, clock: world.clock),
                revoked: tokenRevoked))
        writing = WritingRoutes(
            publish: publish,
            channels: ChannelRoutes(registry: registry, access: access, audit: audit, work: work),
            releases: ReleaseRoutes(registry: registry, access: access, audit: audit, work: work),
            tokens: TokenRoutes(
                desk: TokenDesk(registry, clock: world.clock), access: access, audit: audit, work: work,
                revoked: tokenRevoked),
            audit: AuditRoutes(desk: AuditDesk(registry, clock: world.clock), access: access, work: work))
        outcomes = OutcomeRoutes(
            desk: desk ?? OutcomeDesk(registry, in: world), access: access,
            work: WorkQueue("widgetd.outcomes.reading", width: 2, in: world))
        health.add(
            RegistryMetrics(
                registry: registry, access: access, audit: audit, housekeeping: housekeeper.state, reading: reading,
                outcomes: outcomes.desk))
    }

    /// The first segments of paths on the public listeners, which the path of a public address cannot begin with: a request
    /// would have two meanings.
    package static let firstSegments: Set<String> = [
        ".well-known", "api", "assets", "docs", "embed", "feed.atom", "live", "livez", "manage", "openapi.json",
        "problems",
        "readyz",
        "sign-in", "sign-out", "v1", "w",
    ]

    /// The routes of the public listeners.
    package func publicRoutes() -> Routes {
        var routes = Routes()
        health.add(to: &routes)
        reading.add(to: &routes)
        writing.add(to: &routes)
        managing.add(to: &routes)
        outcomes.add(to: &routes)
        routes = routes.loggedWithoutClient { $0 == OutcomeRoutes.reporting }
        let onPage = OutcomesOnPage(desk: outcomes.desk, access: access, work: outcomes.work)
        routes = routes.changingReads(where: { $0 == OutcomesOnPage.page }, onPage.change)
        let refusals = RefusalPages(people: SignedInPages(access: access))
        routes.refusalPage = refusals.page
        routes = routes.changingReads(where: SignedInPages.isPage, RefusalPages.change)
            .changingReads(where: SignedInPages.isPage, refusals.people.change)
        guard let origin else { return routes }
        let refusal = ReadOnlyRefusal(origin: origin)
        return routes.answering(refusal.answer, where: ReadOnlyRefusal.concerns)
    }

    /// The routes that the owner of the data directory reaches through its control socket.
    package func controlRoutes() -> Routes {
        var routes = health.adminRoutes()
        var tokens = writing.tokens
        tokens.door = .owner
        tokens.add(to: &routes)
        var audit = writing.audit
        audit.door = .owner
        audit.add(to: &routes)
        housekeeping.add(to: &routes)
        reading.addForOwner(to: &routes)
        return routes
    }
}

/// Does work that may block, away from the event loops and on a bounded number of threads.
///
/// The queue itself is not bounded: each piece of work belongs to a request, and connections are limited.
package final class WorkQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
        /// Work at the front of `waiting` that has been taken.
        var taken = 0
    }

    private let queue: any ThreadQueue
    private let width: Int
    private let state = Guarded(State())

    /// - Parameter width: the number of pieces of work done at the same time.
    package init(_ label: String, width: Int, in world: World = .machine) {
        queue = world.threads.queue(label, qos: .userInitiated, isConcurrent: true)
        self.width = max(1, width)
    }

    /// Does `work` as soon as a thread is free, in the order of the calls.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            guard state.running < width else {
                state.waiting.append(work)
                return false
            }
            state.running += 1
            return true
        }
        guard begins else { return }
        queue.async { [self] in
            work()
            while let next = next() { next() }
        }
    }

    /// The work that has waited longest; without any, this thread is done.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.taken < state.waiting.count else {
                state.waiting = []
                state.taken = 0
                state.running -= 1
                return nil
            }
            let work = state.waiting[state.taken]
            state.taken += 1
            // Cleared away in one go now and then: taking from the front of an array moves all of it.
            if state.taken > 1_024, state.taken * 2 > state.waiting.count {
                state.waiting.removeFirst(state.taken)
                state.taken = 0
            }
            return work
        }
    }

    /// An answer that takes work.
    func answer(_ work: @escaping @Sendable () throws(Problem) -> Answer) -> Answer {
        .later { [self] responder in
            run {
                do throws(Problem) {
                    responder.answer(try work())
                } catch {
                    responder.answer(.problem(error))
                }
            }
        }
    }
}
