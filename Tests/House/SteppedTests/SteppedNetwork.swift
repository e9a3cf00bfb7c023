import Glibc
import WidgetBytes
import WidgetHTTPServer
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

/// Clock, chance, threads and a network that one thread moves, a step at a time.
final class SteppedWorld: Sendable {
    let clock = ManualClock(date: .seconds(1_800_000_000), start: .now)
    let threads = SteppedThreads()
    let world: World
    private let servers = Guarded<[String: Server]>([:])
    private let network: Guarded<SteppedNetwork?> = Guarded(nil)
    private let lines = Guarded<[String]>([])

    init(seed: UInt64) {
        world = World(clock: clock, chance: SeededChance(seed: seed), threads: threads)
    }

    /// Everything that has happened, with its time.
    var trace: [String] { lines.withLock { $0 } }

    func note(_ text: String) {
        let time = clock.passed
        lines.withLock { $0.append("\(time) \(text)") }
    }

    func add(_ server: Server, named name: String) { servers.withLock { $0[name] = server } }

    func remove(_ name: String) {
        let server = servers.withLock { $0.removeValue(forKey: name) }
        server?.stop()
        _ = server?.step()
        note("\(name) is gone")
    }

    func connect(_ network: SteppedNetwork) { self.network.withLock { $0 = network } }

    /// Does everything that can be done without the clock.
    func settle() {
        while true {
            threads.run()
            var isBusy = false
            for (_, server) in servers.withLock({ $0 }).sorted(by: { $0.key < $1.key }) where server.step() {
                isBusy = true
            }
            if network.withLock({ $0 })?.step() == true { isBusy = true }
            if !isBusy, !threads.step() { return }
        }
    }

    /// Moves the clock from one alarm to the next until the condition holds.
    ///
    /// - Returns: false if it does not hold within the time.
    func run(within limit: Duration, until isReached: () -> Bool) -> Bool {
        let end = clock.passed + limit
        settle()
        while !isReached() {
            guard clock.passed < end, clock.advanceToNext() else { return false }
            settle()
        }
        return true
    }

    /// Does a task from its beginning to its end.
    func finish<Value: Sendable>(within limit: Duration, _ body: @escaping @Sendable () async -> Value) -> Value? {
        let value = Guarded<Value?>(nil)
        Task(executorPreference: threads) {
            let result = await body()
            value.withLock { $0 = result }
        }
        _ = run(within: limit) { value.withLock { $0 } != nil }
        return value.withLock { $0 }
    }
}

/// A network between hosts and the replicas of a registry: each request goes to the next replica that is there.
final class SteppedNetwork: Transport {
    /// One request that waits for bytes of its answer.
    ///
    /// Safe to share: the connection has no state but its descriptor, and all else is behind the lock.
    private final class Exchange: BodySource, @unchecked Sendable {
        struct State {
            var received: [UInt8] = []
            var hasEnded = false
            var waiter: CheckedContinuation<Void, Never>?
            /// Bytes of the body that were taken.
            var taken = 0
            var headEnd: Int?
            var isChunked = false
            var length: Int?
        }

        let connection: RawConnection
        let state = Guarded(State())

        init(_ connection: RawConnection) { self.connection = connection }

        /// - Returns: false if nothing has come.
        func step() -> Bool {
            var room = [UInt8](repeating: 0, count: 1 << 16)
            var hasMoved = false
            while !state.withLock({ $0.hasEnded }) {
                let count = unsafe recv(connection.descriptor, &room, room.count, Int32(MSG_DONTWAIT))
                if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { break }
                hasMoved = true
                state.withLock { state in
                    if count > 0 { state.received += room[..<count] } else { state.hasEnded = true }
                }
            }
            guard hasMoved else { return false }
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
            return true
        }

        /// Returns when something has come since, or the connection has ended.
        func wait(beyond count: Int) async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isThere = state.withLock { state in
                        if state.received.count > count || state.hasEnded { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isThere { continuation.resume() }
                }
            } onCancel: {
                cancel()
            }
        }

        /// The head, when all of it is there.
        func head() async throws(TransferError) -> (status: Int, fields: [TransferField]) {
            while true {
                let (bytes, hasEnded) = state.withLock { ($0.received, $0.hasEnded) }
                if let end = bytes.firstIndex(of: Array("\r\n\r\n".utf8)) {
                    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
                    state.withLock { $0.headEnd = end + 4 }
                    let fields = lines.dropFirst().map { line in
                        let parts = line.split(separator: ":", maxSplits: 1)
                        return TransferField(String(parts[0]), String(parts[1].drop { $0 == " " }))
                    }
                    return (Int(lines[0].dropFirst(9).prefix(3)) ?? 0, fields)
                }
                guard !hasEnded else { throw TransferError(.connectionLost) }
                await wait(beyond: bytes.count)
            }
        }

        func next() async throws(TransferError) -> [UInt8]? {
            while true {
                let now = state.withLock { $0 }
                let body = Array(now.received[(now.headEnd ?? 0)...])
                let (decoded, isWhole) =
                    now.isChunked ? Self.unchunked(body) : (body, now.length.map { body.count >= $0 } ?? now.hasEnded)
                if decoded.count > now.taken {
                    state.withLock { $0.taken = decoded.count }
                    return Array(decoded[now.taken...])
                }
                if isWhole { return nil }
                if Task.isCancelled { throw TransferError(.cancelled) }
                guard !now.hasEnded else { throw TransferError(.connectionLost) }
                await wait(beyond: now.received.count)
            }
        }

        private static func unchunked(_ bytes: [UInt8]) -> (body: [UInt8], isWhole: Bool) {
            var (body, at): ([UInt8], Int) = ([], 0)
            while let lineEnd = bytes[at...].firstIndex(of: 13), lineEnd + 1 < bytes.count {
                guard let size = Int(String(decoding: bytes[at..<lineEnd], as: UTF8.self), radix: 16) else {
                    return (body, true)
                }
                if size == 0 { return (body, true) }
                guard lineEnd + 2 + size + 2 <= bytes.count else { break }
                body += bytes[(lineEnd + 2)..<(lineEnd + 2 + size)]
                at = lineEnd + 2 + size + 2
            }
            return (body, false)
        }

        func cancel() {
            let waiter = state.withLock { state in
                defer { (state.waiter, state.hasEnded) = (nil, true) }
                return state.waiter
            }
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
            waiter?.resume()
        }
    }

    private let world: SteppedWorld
    private let paths: [String: String]
    private let exchanges = Guarded<[Exchange]>([])
    private let turn = Guarded(0)
    private let cuts = Guarded(0.0)

    /// - Parameter paths: the sockets of the replicas, by their names.
    init(_ world: SteppedWorld, to paths: [String: String]) {
        self.world = world
        self.paths = paths
        world.connect(self)
    }

    /// Cuts this share of connections from now on, after the request and before its answer.
    func cut(_ share: Double) { cuts.withLock { $0 = share } }

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let (name, connection) = try connect()
        let address = request.url.withoutQuery.dropFirst("http://registry.test".count)
        var lines = [
            "\(request.method.rawValue) \(request.url.path)\(request.url.query.map { "?\($0)" } ?? "") HTTP/1.1"
        ]
        lines += ["Host: registry.test", "Connection: close"] + request.fields.map { "\($0.name): \($0.value)" }
        if let token = request.token { lines.append("Authorization: Bearer \(token)") }
        var body: [UInt8] = []
        if case .bytes(let bytes)? = request.body { body = bytes }
        if request.body != nil { lines.append("Content-Length: \(body.count)") }
        let exchange = Exchange(connection)
        exchanges.withLock { $0.append(exchange) }
        connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let (status, fields) = try await exchange.head()
        let share = cuts.withLock { $0 }
        if share > 0, world.world.chance.fraction < share {
            world.note("\(name) \(request.method.rawValue) \(address) cut")
            exchange.cancel()
            throw TransferError(.connectionLost)
        }
        let head = TransferHead(status: status, fields: fields, url: request.url)
        let hasNoBody = request.method == .head || status == 204 || status == 304
        exchange.state.withLock { state in
            state.isChunked = head["Transfer-Encoding"] == "chunked"
            state.length = hasNoBody ? 0 : head.contentLength
        }
        world.note("\(name) \(request.method.rawValue) \(address) \(status)")
        return TransferAnswer(head, body: ResponseBody(exchange))
    }

    private func connect() throws(TransferError) -> (name: String, RawConnection) {
        let names = paths.keys.sorted()
        for _ in names {
            let name = names[
                turn.withLock { turn in
                    turn += 1
                    return turn % names.count
                }]
            if let connection = try? RawConnection(unixPath: paths[name] ?? "") { return (name, connection) }
        }
        throw TransferError(.noConnection)
    }

    /// Takes what has come for each request.
    ///
    /// - Returns: false if nothing has.
    func step() -> Bool {
        let all = exchanges.withLock { $0 }
        let hasMoved = all.reduce(false) { $1.step() || $0 }
        exchanges.withLock { $0.removeAll { $0.state.withLock { $0.hasEnded && $0.waiter == nil } } }
        return hasMoved
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).first { self[$0..<($0 + pattern.count)].elementsEqual(pattern) }
    }
}
