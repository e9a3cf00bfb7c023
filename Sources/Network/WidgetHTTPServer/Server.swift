internal import Dispatch
package import HTTPWire
internal import Synchronization
package import WidgetAddresses
internal import WidgetBytes
internal import WidgetFiles
package import WidgetLogging
package import WidgetSockets
package import WidgetSurroundings

/// An endpoint to listen on, and the routes served there.
package struct ServerListener: Sendable {
    package var endpoint: Endpoint
    package var routes: Routes
    /// True if all loops share the work. An administration listener is served by one.
    package var isShared: Bool
    /// True if a unix socket is for the server's own user alone.
    package var isPrivate: Bool

    package init(_ endpoint: Endpoint, routes: Routes, isShared: Bool = true, isPrivate: Bool = false) {
        self.endpoint = endpoint
        self.routes = routes
        self.isShared = isShared
        self.isPrivate = isPrivate
    }
}

/// An HTTP/1.1 server: loops, listeners, and the two ways to end them.
package final class Server: Sendable {
    private let shared: ServerShared
    let loops: [ServerLoop]
    private let finished = DispatchGroup()
    /// The endpoints of the listeners, with the ports that the system chose.
    package let endpoints: [Endpoint]
    private let listeners: [Listener]
    private let isStopped = Atomic<Bool>(false)
    private let clock: any Clock

    /// Opens every listener; nothing is accepted before `start`.
    ///
    /// - Parameters:
    ///   - world: its clock is that of deadlines, ticks and the Date of answers; its chance names requests.
    ///   - explain: turns the engine's refusals into problems.
    package init(
        listeners: [ServerListener], limits: ServerLimits, workers: Int, serverName: String, logger: Logger,
        logsRequests: Bool, in world: World = .machine, explain: @escaping @Sendable (Refusal) -> Problem
    ) throws(SystemError) {
        clock = world.clock
        shared = ServerShared(
            applications: listeners.map { RouteTable($0.routes) }, explain: explain, serverName: serverName,
            logger: logger, logsRequests: logsRequests, loopCount: max(1, workers))
        var loops: [ServerLoop] = []
        let descriptors = DescriptorLimit.raise()
        let allowed = Server.allowed(limits, descriptors: descriptors)
        for _ in 0..<max(1, workers) {
            loops.append(
                ServerLoop(
                    loop: try EventLoop(world.clock), shared: shared, counters: Counters(routeCount: shared.routeCount),
                    limits: allowed, capacity: descriptors, in: world))
        }
        self.loops = loops
        var opened: [Listener] = []
        var endpoints: [Endpoint] = []
        for (number, listener) in listeners.enumerated() {
            let sockets = try Listener.open(
                listener.endpoint, count: listener.isShared ? loops.count : 1, isPrivate: listener.isPrivate)
            if let first = sockets.first { endpoints.append(first.endpoint) }
            opened += sockets
            for (socket, loop) in zip(sockets, loops) where !loop.loop.listen(socket, number: number) {
                throw SystemError.watching(socket.endpoint)
            }
        }
        self.listeners = opened
        self.endpoints = endpoints
    }

    /// Starts accepting, on one thread a loop.
    package func start() {
        if loops.count > 1 {
            for (index, loop) in loops.enumerated() { loop.neighbour = loops[(index + 1) % loops.count] }
        }
        for (index, loop) in loops.enumerated() {
            // A loop never returns its thread, so each has a queue, and with it a thread, to itself. It waits for sockets,
            // so the thread is the machine's in every world.
            let queue = DispatchQueue(label: "widgetd.loop.\(index)", qos: .userInitiated)
            queue.async(group: finished) { loop.loop.run(loop, name: "loop-\(index)") }
        }
    }

    /// Accepts and answers what is there, on the caller's thread: for a server in a stepped world, which is not started.
    ///
    /// - Returns: false if nothing was there.
    package func step() -> Bool {
        loops.reduce(false) { $1.loop.step($1) || $0 }
    }

    /// Takes over new limits, from the next thing that is limited on.
    package func reload(_ limits: ServerLimits, logsRequests: Bool) {
        let allowed = Server.allowed(limits, descriptors: DescriptorLimit.raise())
        shared.logsRequests.set(logsRequests)
        for loop in loops {
            loop.loop.perform { loop.apply(allowed) }
        }
    }

    /// Stops accepting, gives the exchanges under way `grace` to finish, then stops. Blocks until then.
    ///
    /// - Returns: whether everything had finished in time.
    @discardableResult
    package func drain(grace: Duration) -> Bool {
        guard !isStopped.load(ordering: .relaxed) else { return true }
        let left = Guarded(loops.count)
        let isOver = DispatchSemaphore(value: 0)
        let alarm = clock.call(after: grace) { isOver.signal() }
        for loop in loops {
            loop.loop.perform {
                loop.drain {
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { isOver.signal() }
                }
            }
        }
        isOver.wait()
        alarm.cancel()
        let isComplete = left.withLock { $0 == 0 }
        stop()
        return isComplete
    }

    /// Stops at once. Connections are closed in any phase.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else {
            finished.wait()
            return
        }
        for loop in loops {
            loop.loop.perform { loop.loop.stopListening() }
            loop.loop.perform { loop.closeAll() }
            loop.loop.stop()
        }
        finished.wait()
        // No loop runs any more; the ring would keep all of them.
        for loop in loops { loop.neighbour = nil }
        for listener in listeners { listener.stop() }
    }

    /// Asks every loop for a sign of life, which a loop that hangs does not give, and neither does one that has ended.
    ///
    /// - Parameter answered: called on a loop, once all have answered.
    package func ask(_ answered: @escaping @Sendable () -> Void) {
        let left = Guarded(loops.count)
        for loop in loops {
            loop.loop.perform {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { answered() }
            }
        }
    }

    package var connectionCount: Int { shared.census.count }

    package var metrics: ServerMetrics { ServerMetrics(shared: shared, loops: loops.map(\.counters)) }

    /// The limits, with no more connections than this process may open besides its other descriptors.
    ///
    /// A server under a small limit takes fewer connections rather than fail at the first it cannot accept.
    package static func allowed(_ limits: ServerLimits, descriptors: Int) -> ServerLimits {
        var allowed = limits
        // For the store, what is being uploaded, and archives that are held open.
        let reserve = min(512, max(32, descriptors / 2))
        allowed.connections = max(1, min(limits.connections, descriptors - reserve))
        return allowed
    }
}

/// Every bound the engine keeps, with the defaults the HTTP contract names.
package struct ServerLimits: Equatable, Sendable {
    package var head = HeadLimits()
    /// A head must be whole this long after its first byte.
    package var headTimeout: Duration = .seconds(10)
    /// A body, and the reading of an answer, must average this many bytes a second over `rateWindow`.
    package var bodyRate = 1_024
    package var rateWindow: Duration = .seconds(20)
    package var idleTimeout: Duration = .seconds(60)
    /// An unwanted body up to this size is discarded, and the connection continues.
    package var unwantedBody = 64 * 1_024
    /// The most a refused client may still send, and for how long, before it is cut off.
    package var lingerBytes = 65 * 1_024 * 1_024
    package var lingerTimeout: Duration = .seconds(30)
    package var connections = 16_384
    package var connectionsPerAddress = 1_024
    /// Proxies whose word about the client's address is taken.
    package var trustedProxies: [AddressRange] = []
    /// The address at which clients reach the server, if it is known.
    package var publicAddress: PublicAddress?

    package init() {}

    func isExempt(_ peer: IPAddress) -> Bool {
        peer.isLoopback || peer.isUnspecified || trustedProxies.contains { $0.contains(peer) }
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return UInt64(min(seconds, 1 << 32)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
