internal import HTTPWire
internal import Logging

/// The state that all loops of a server share.
final class ServerShared: Sendable {
    let applications: [RouteTable]
    /// The number of each listener's first route among all routes; 0 is "no route".
    let firstRoutes: [Int]
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

    var routeCount: Int { 1 + applications.reduce(0) { $0 + $1.routes.count } }

    /// A route's name in metrics and logs.
    func label(_ route: Int) -> String { route == 0 ? "none" : self.route(route)?.template ?? "" }

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

    /// - Parameter isComplete: whether the client got all of its answer, as far as the server can see.
    func logRequest(_ exchange: borrowing Exchange, _ duration: UInt64, isComplete: Bool) {
        guard logsRequests.isOn, logger.isEnabled(.info) else { return }
        var fields = [
            LogField("request", exchange.identity.text),
            LogField("method", exchange.method.name),
            LogField("route", label(exchange.route)),
            LogField("bytes", exchange.sent),
            LogField("milliseconds", Double(duration / 1_000) / 1_000),
            LogField("client", exchange.client.loggedName),
        ]
        if let status = exchange.status { fields.append(LogField("status", status.rawValue)) }
        if !isComplete { fields.append(LogField("aborted", true)) }
        logger.log(.info, "request", "", fields)
    }

    func logFailure(_ exchange: borrowing Exchange, _ reason: String) {
        logger.log(
            .error, "request.failed", "", [LogField("request", exchange.identity.text), LogField("reason", reason)])
    }
}
