import Dispatch
import Glibc
import HTTPWire
import LocalStore
import MemoryStore
import RegistryServer
import WidgetAddresses
import WidgetBytes
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

/// The service behind a real socket, with a new registry.
final class Service: Sendable {
    /// The settings that tests can change while it runs.
    struct Knobs: Sendable {
        var access = AccessPolicy()
        var closesReads = false
        var publishing = PublishPolicy()
        var channels = ChannelPolicy()
        var retention = RetentionPolicy()
        var quotas = QuotaPolicy()
        var ancestors = FrameAncestors.own
        var running = PageRunning.on
        var outcomes = OutcomePolicy()
    }

    static let admin = "a-token-of-more-than-thirty-two-characters"

    let readiness: ReadinessChecks
    let registry: Registry
    let access: Access
    let health: ServerHealth
    let outcomes: OutcomeDesk
    let service: RegistryService
    let server: Server
    let knobs: Guarded<Knobs>
    /// The clock of all its parts, which only a test moves.
    let clock: ManualClock
    let threads = CountedThreads()
    private let scratch: ScratchDirectory
    private let lines = Observed("")

    /// True once the audit has a line with all of this.
    func audits(_ parts: String...) -> Bool {
        lines.reaches { lines in
            lines.split(separator: "\n").contains { line in parts.allSatisfy(line.contains) }
        }
    }

    /// The log of requests so far, where it was asked for.
    var requestLog: String { lines.value }

    init(
        _ checks: [ReadinessChecks.Check] = [], limits: [(name: String, value: Int)] = [],
        logsRequests: Bool = false, origin: String? = nil, review: any BundleReview = NoReview(),
        isBehindProxy: Bool = false, publicURL: String? = nil,
        on shared: SharedStore? = nil
    ) throws {
        clock = shared?.clock ?? ManualClock(date: .seconds(1_800_000_000))
        scratch = try ScratchDirectory(in: TemporaryPlace.path)
        var knobs = Knobs()
        knobs.access.adminToken = Secret(Service.admin)
        knobs.publishing.diskReserve = 0
        let store = shared
        knobs.publishing.publicURL = publicURL
        let shared = Guarded(knobs)
        self.knobs = shared
        let world = World(clock: clock, threads: threads)
        readiness = ReadinessChecks(checks, in: world)
        var options = Registry.Options(in: world)
        options.channels = { shared.withLock { $0.channels } }
        options.retention = { shared.withLock { $0.retention } }
        options.quotas = { shared.withLock { $0.quotas } }
        registry =
            if let store {
                try Registry(catalog: store.catalog, blobs: store.blobs, options: options)
            } else {
                try Registry(opening: "\(scratch.path)/data", options: options)
            }
        let lines = lines
        let audit = Audit(
            Logger(sink: { bytes in
                lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                return bytes.count
            }))
        access = try Access(
            registry: registry, in: world, closesReads: { shared.withLock { $0.closesReads } }, audit: audit,
            policy: { shared.withLock { $0.access } })
        registry.observeTokens { [access] in try? access.reload() }
        health = ServerHealth(readiness: readiness, in: world) {
            RegistryDescription(
                server: "widgetd/test", limits: limits, keptFiles: ["Info.plist", "*.json"], isStrict: true,
                snapshotChannels: ["dev"], reads: "public", publicURL: publicURL)
        }
        outcomes = OutcomeDesk(registry, in: world) { shared.withLock { $0.outcomes } }
        service = RegistryService(
            registry, access: access, health: health, in: world, audit: audit, address: { publicURL ?? "http://test" },
            review: review,
            embedding: Embedding(
                ancestors: { shared.withLock { $0.ancestors } }, running: { shared.withLock { $0.running } }),
            outcomes: outcomes, origin: origin,
            publishPolicy: { shared.withLock { $0.publishing } })
        let local = try Endpoint("127.0.0.1:0")
        var serverLimits = ServerLimits()
        serverLimits.publicAddress = publicURL.flatMap { PublicAddress($0) }
        if isBehindProxy { serverLimits.trustedProxies = [AddressRange("127.0.0.0/8")].compactMap(\.self) }
        server = try Server(
            listeners: [
                ServerListener(local, routes: service.publicRoutes()),
                ServerListener(local, routes: health.adminRoutes(), isShared: false),
                ServerListener(local, routes: service.controlRoutes(), isShared: false),
            ],
            limits: serverLimits, workers: 2, serverName: "widgetd",
            logger: logsRequests
                ? Logger(sink: { bytes in
                    lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                    return bytes.count
                }) : Logger(level: .error),
            logsRequests: logsRequests, in: world, explain: { ProblemCatalogue.problem($0) })
        health.attach(server)
        server.start()
    }

    deinit { server.stop() }

    enum Door: Int { case open, admin, control }

    func connect(_ door: Door = .open) throws -> RawConnection {
        guard case .ip(_, let port) = server.endpoints[door.rawValue] else { throw Unreachable() }
        return try RawConnection(port: port)
    }

    func get(_ path: String, _ fields: String = "", method: String = "GET", admin: Bool = false) throws -> WireAnswer {
        let conversation = Conversation(try connect(admin ? .admin : .open))
        return try conversation.ask(
            "\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n", isHead: method == "HEAD")
    }

    /// Sends a request with a body, with the administrator's token unless another is given; `nil` for none.
    func send(
        _ method: String, _ path: String, _ body: [UInt8] = [], _ fields: String = "", token: String? = Service.admin,
        door: Door = .open
    ) throws -> WireAnswer {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.count)\r\n\(authorization)\(fields)\r\n"
        let conversation = Conversation(try connect(door))
        conversation.connection.send(Array(head.utf8) + body)
        return try conversation.next()
    }

    func send(
        _ method: String, _ path: String, _ body: String, _ fields: String = "", token: String? = Service.admin,
        door: Door = .open
    ) throws -> WireAnswer {
        try send(method, path, Array(body.utf8), fields, token: token, door: door)
    }

    /// Blocks until the staging folder has so many files.
    func stages(_ count: Int) -> Bool { folder("\(scratch.path)/data/staging") { $0.count == count } }

    /// The number of files in the staging folder.
    var stagedNames: Int {
        (try? Directory(opening: "\(scratch.path)/data/staging").items(limit: 100)?.count) ?? -1
    }

    struct Unreachable: Error {}
}

/// A catalog and archives that several services share, as replicas do.
struct SharedStore {
    let clock = ManualClock(date: .seconds(1_800_000_000))
    let catalog = MemoryCatalog()
    let blobs: MemoryBlobs

    init(redirectingTo place: String? = nil) throws { blobs = try MemoryBlobs(clock: clock, redirectingTo: place) }
}

/// The machine's threads, which know how much of their work is left.
final class CountedThreads: Threads {
    private let left = Observed(0)
    private let threads = SystemThreads()

    var tasks: any TaskExecutor { threads.tasks }

    func queue(_ name: String, qos: DispatchQoS, isConcurrent: Bool) -> any ThreadQueue {
        Queue(queue: threads.queue(name, qos: qos, isConcurrent: isConcurrent), left: left)
    }

    private struct Queue: ThreadQueue {
        let queue: any ThreadQueue
        let left: Observed<Int>

        func async(_ work: @escaping @Sendable () -> Void) {
            left.withLock { $0 += 1 }
            queue.async {
                work()
                left.withLock { $0 -= 1 }
            }
        }
    }

    /// Blocks until all work that was begun has been done.
    func settle() -> Bool { left.reaches { $0 == 0 } }
}
