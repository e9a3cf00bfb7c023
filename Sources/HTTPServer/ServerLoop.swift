internal import HTTPWire
internal import Logging
internal import Sockets

/// One event loop with its connections: where HTTPWire meets Sockets.
///
/// The rest is in extensions named after what they do: accepting, input, dispatch, answers, output, bodies,
/// streams, deadlines, closing.
///
/// Confined to its loop's thread. Other threads reach it only through `loop.perform`, which is what makes the
/// `@unchecked Sendable` true.
@safe
final class ServerLoop: EventLoopClient, @unchecked Sendable {
    /// Room for what one read brings, behind what is left of a head.
    static let inputRoom = 128 * 1_024
    /// Answers up to this size are gathered and sent together.
    static let outputRoom = 64 * 1_024

    let loop: EventLoop
    let shared: ServerShared
    let counters: Counters
    var limits: ServerLimits
    let table: ConnectionTable

    /// Where reads land. Owned here, used by one turn at a time.
    let room: UnsafeMutableRawBufferPointer
    let headRoom: UnsafeMutablePointer<RequestHead>
    let scratch: UnsafeMutablePointer<RequestScratch>
    /// Answers of the connection whose turn it is; always sent or stored before the turn ends.
    let output = OutputBuffer(capacity: ServerLoop.outputRoom)
    var identities = RequestIdentityMaker()
    var dateLine = DateLine()
    var sequence: UInt64 = 0
    /// Connections with more to send that have had their share of the present turn.
    var eager: [UInt64] = []
    var isDraining = false
    var drained: (@Sendable () -> Void)?

    init(loop: EventLoop, shared: ServerShared, counters: Counters, limits: ServerLimits, capacity: Int) {
        self.loop = loop
        self.shared = shared
        self.counters = counters
        self.limits = limits
        table = ConnectionTable(capacity: capacity)
        unsafe room = .allocate(byteCount: ServerLoop.inputRoom, alignment: 64)
        unsafe headRoom = .allocate(capacity: 1)
        unsafe headRoom.initialize(to: RequestHead())
        unsafe scratch = .allocate(capacity: 1)
        unsafe scratch.initialize(to: RequestScratch())
        unsafe scratch.pointee.trustedProxies = limits.trustedProxies
    }

    deinit {
        unsafe headRoom.deinitialize(count: 1)
        unsafe headRoom.deallocate()
        unsafe scratch.deinitialize(count: 1)
        unsafe scratch.deallocate()
        unsafe room.deallocate()
    }

    /// The head parsed last, looked at in place.
    var head: RequestHead {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(headRoom) }
    }

    var wantsTicks: Bool { table.count > 0 }
    var isEager: Bool { !eager.isEmpty }

    func ready(_ token: UInt64, _ readiness: Readiness) {
        guard let slot = table.slot(token) else { return }
        if readiness.contains(.broken), table[slot].phase != .lingering {
            // Both directions are gone, or the connection is: nothing that is sent would arrive.
            abandon(slot)
            return
        }
        if readiness.contains(.broken) {
            // Both sides have said all they will say. What still stands unread is taken before the end: closing
            // over it would send a reset, which can destroy the answer.
            table[slot].marks.formUnion([.mayRead, .halfClosed])
        }
        if readiness.contains(.halfClosed) { table[slot].marks.insert(.halfClosed) }
        if readiness.contains(.readable) || readiness.contains(.halfClosed) { table[slot].marks.insert(.mayRead) }
        if readiness.contains(.writable), table[slot].phase == .sending || table[slot].exchange?.hasPending == true {
            resumeOutput(slot)
            guard table.slot(token) != nil else { return }
        }
        pump(slot)
    }

    func settled() {
        guard !eager.isEmpty else { return }
        let turn = eager
        eager.removeAll(keepingCapacity: true)
        for token in turn {
            guard let slot = table.slot(token) else { continue }
            resumeOutput(slot)
            if table.slot(token) != nil { resumeInput(slot) }
        }
    }

    /// The exchange of a connection, made when first needed.
    func exchange(_ slot: Int) -> Exchange {
        if let exchange = table[slot].exchange { return exchange }
        let exchange = Exchange()
        table[slot].exchange = exchange
        return exchange
    }

    func after(_ duration: Duration) -> UInt64 {
        loop.now &+ duration.nanoseconds
    }
}

/// What all loops of a server have in common.
final class ServerShared: Sendable {
    let applications: [RouteTable]
    /// The number of each listener's first route among all routes; 0 is "no route".
    let firstRoutes: [Int]
    let explain: @Sendable (Refusal) -> Problem
    let serverName: String
    let logger: Logger
    let logsRequests: LogSwitch
    let census = ConnectionCensus()

    init(
        applications: [RouteTable], explain: @escaping @Sendable (Refusal) -> Problem, serverName: String,
        logger: Logger, logsRequests: Bool
    ) {
        self.applications = applications
        var first = 1
        var firsts: [Int] = []
        for application in applications {
            firsts.append(first)
            first += application.routes.count
        }
        firstRoutes = firsts
        self.explain = explain
        self.serverName = serverName
        self.logger = logger
        self.logsRequests = LogSwitch(logsRequests)
    }

    var routeCount: Int { 1 + applications.reduce(0) { $0 + $1.routes.count } }

    /// A route's name in metrics and logs.
    func template(_ route: Int) -> String {
        for (application, first) in zip(applications, firstRoutes).reversed() where route >= first {
            let index = route - first
            return index < application.routes.count ? application.routes[index].template : ""
        }
        return ""
    }
}
