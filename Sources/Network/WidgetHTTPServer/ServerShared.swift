internal import HTTPWire
internal import Synchronization
internal import WidgetAddresses
internal import WidgetLogging

/// The state that all loops of a server share.
final class ServerShared: Sendable {
    let applications: [RouteTable]
    /// The number of each listener's first route among all routes; 0 is "no route".
    let firstRoutes: [Int]
    /// The name of each route, by its number.
    private let labels: [String]
    /// The numbers of the routes whose clients are not logged.
    private let unnamed: Set<Int>
    let explain: @Sendable (Refusal) -> Problem
    let serverName: String
    let logger: Logger
    let logsRequests: LogSwitch
    let census = ConnectionCensus()
    private let loopCount: Int

    init(
        applications: [RouteTable], explain: @escaping @Sendable (Refusal) -> Problem, serverName: String,
        logger: Logger, logsRequests: Bool, loopCount: Int
    ) {
        self.loopCount = loopCount
        self.applications = applications
        var first = 1
        var firsts: [Int] = []
        for application in applications {
            firsts.append(first)
            first += application.routes.count
        }
        firstRoutes = firsts
        labels = ["none"] + applications.flatMap { $0.routes.map(\.template) }
        unnamed = Set(
            applications.flatMap(\.routes).enumerated().filter { !$0.element.logsClient }.map { $0.offset + 1 })
        self.explain = explain
        self.serverName = serverName
        self.logger = logger
        self.logsRequests = LogSwitch(logsRequests)
    }

    /// One loop's share of all connections, however they are spread.
    func fairShare(_ limits: ServerLimits) -> Int { max(1, limits.connections / loopCount) }

    /// The problem that explains a refusal.
    func problem(_ refusal: Refusal) -> Problem {
        var problem = explain(refusal)
        if case .methodNotAllowed(let allowed) = refusal { problem.fields.add("Allow", allowed) }
        if case .rangeUnsatisfiable(let size) = refusal { problem.fields.add("Content-Range", "bytes */\(size)") }
        return problem
    }

    // MARK: Routes by their number

    var routeCount: Int { labels.count }

    /// A route's name in metrics and logs.
    func label(_ route: Int) -> String { labels[route] }

    func method(_ route: Int) -> String { self.route(route)?.method.name ?? "none" }

    private func route(_ number: Int) -> Routes.Route? {
        guard number > 0 else { return nil }
        for (application, first) in zip(applications, firstRoutes).reversed() where number >= first {
            let index = number - first
            return index < application.routes.count ? application.routes[index] : nil
        }
        return nil
    }

    // MARK: The log

    /// Adds the line of an exchange to those of its loop.
    ///
    /// - Parameter isComplete: true if the client got all of its answer, to the server's knowledge.
    func logRequest(
        _ exchange: borrowing Exchange, _ duration: UInt64, isComplete: Bool, to lines: inout LogLines
    ) {
        guard logsRequests.isOn, logger.isEnabled(.info) else { return }
        lines.begin(logger.now, .info, "request")
        switch exchange.identity {
        case .made(let high, let low): lines.add("request") { RequestIdentity.append(high, low, to: &$0) }
        case .given: lines.add("request", exchange.identity.text)
        }
        lines.add("method", exchange.method.name)
        lines.add("route", labels[exchange.route])
        lines.add("bytes", exchange.sent)
        lines.add("milliseconds", thousandths: duration / 1_000)
        if !unnamed.contains(exchange.route) { ServerShared.add(exchange.client, to: &lines) }
        if let status = exchange.status { lines.add("status", status.rawValue) }
        if !isComplete { lines.add(LogField("aborted", true)) }
        lines.end()
    }

    private static func add(_ client: IPAddress, to lines: inout LogLines) {
        if client.isUnspecified || !client.isV4 {
            lines.add("client", client.loggedName)
        } else {
            lines.add("client") { client.appendV4(to: &$0) }
        }
    }

    func logFailure(_ exchange: borrowing Exchange, _ reason: String) {
        logger.log(
            .error, "request.failed", "", [LogField("request", exchange.identity.text), LogField("reason", reason)])
    }
}

/// True if every request gets a line in the log. It can be changed while the server runs.
final class LogSwitch: Sendable {
    private let state: Atomic<Bool>

    init(_ isOn: Bool) {
        state = Atomic(isOn)
    }

    var isOn: Bool { state.load(ordering: .relaxed) }

    func set(_ isOn: Bool) {
        state.store(isOn, ordering: .relaxed)
    }
}
