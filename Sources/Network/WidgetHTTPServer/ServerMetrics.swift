internal import HTTPWire
internal import Synchronization
internal import WidgetBytes

/// A server's counters in the text form Prometheus reads (version 0.0.4).
package struct ServerMetrics: Sendable {
    private let shared: ServerShared
    private let loops: [Counters]

    init(shared: ServerShared, loops: [Counters]) {
        self.shared = shared
        self.loops = loops
    }

    package func text() -> String {
        var text = MetricsText()
        writeRequests(&text)
        writeDurations(&text)
        let begun = total(.begun)
        let ended = total(.ended)
        text.gauge(
            "widgetd_http_requests_in_flight", "Requests begun and not yet answered.", begun > ended ? begun - ended : 0
        )
        text.gauge("widgetd_http_connections", "Open connections.", UInt64(max(0, shared.census.count)))
        text.counter("widgetd_http_connections_accepted_total", "Connections accepted.", total(.accepted))
        text.counter("widgetd_http_connections_closed_total", "Connections closed.", total(.closed))
        text.counter(
            "widgetd_http_connections_turned_away_total", "Connections closed because a limit was reached.",
            total(.turnedAway))
        text.counter(
            "widgetd_http_accept_rests_total", "Times accepting paused because no descriptor was left.",
            total(.shortages))
        text.counter("widgetd_http_received_bytes_total", "Bytes of request heads and bodies.", total(.received))
        text.counter("widgetd_http_sent_bytes_total", "Bytes of answers' contents.", total(.sent))
        writeRefusals(&text)
        return text.text
    }

    private func total(_ global: Counters.Global) -> UInt64 {
        loops.reduce(0) { $0 &+ $1.value(global) }
    }

    private func writeRequests(_ text: inout MetricsText) {
        text.declare("widgetd_http_requests_total", "counter", "Requests answered, by route and class of status.")
        for route in 0..<shared.routeCount {
            for statusClass in 0..<Counters.classCount {
                let count = loops.reduce(0) { $0 &+ $1.requests(route: route, class: statusClass) }
                guard count > 0 else { continue }
                text.sample(
                    "widgetd_http_requests_total",
                    [
                        ("method", shared.method(route)), ("route", shared.label(route)),
                        ("class", statusClass == 0 ? "none" : "\(statusClass)xx"),
                    ],
                    String(count))
            }
        }
    }

    private func writeDurations(_ text: inout MetricsText) {
        let name = "widgetd_http_request_duration_seconds"
        text.declare(name, "histogram", "Time from a request's head to the last byte of its answer.")
        for route in 0..<shared.routeCount {
            let all = loops.map { $0.durations(route: route) }
            let buckets = (0...Counters.durationBounds.count).map { index in all.reduce(0) { $0 &+ $1.buckets[index] } }
            guard buckets.contains(where: { $0 > 0 }) else { continue }
            let labels = [("method", shared.method(route)), ("route", shared.label(route))]
            var sum: UInt64 = 0
            for (index, count) in buckets.enumerated() {
                sum &+= count
                let bound =
                    index < Counters.durationBounds.count
                    ? MetricsText.seconds(Counters.durationBounds[index]) : "+Inf"
                text.sample(name + "_bucket", labels + [("le", bound)], String(sum))
            }
            text.sample(name + "_sum", labels, MetricsText.seconds(all.reduce(0) { $0 &+ $1.sumNanoseconds }))
            text.sample(name + "_count", labels, String(sum))
        }
    }

    private func writeRefusals(_ text: inout MetricsText) {
        text.declare("widgetd_problems_total", "counter", "Problem documents sent, by code.")
        var sums: [String: UInt64] = [:]
        for loop in loops { sums.merge(loop.refusalCounts) { $0 &+ $1 } }
        for (code, count) in sums.sorted(by: { $0.key < $1.key }) {
            text.sample("widgetd_problems_total", [("code", code)], String(count))
        }
    }
}

/// Lines of the exposition format, label values escaped.
package struct MetricsText {
    package private(set) var text = ""

    package init() {}

    package mutating func declare(_ name: String, _ kind: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    package mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(MetricsText.escaped($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    package mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        declare(name, "counter", help)
        sample(name, [], String(value))
    }

    package mutating func gauge(_ name: String, _ help: String, _ value: UInt64) {
        declare(name, "gauge", help)
        sample(name, [], String(value))
    }

    package mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        declare(name, "gauge", help)
        sample(name, [], value.description)
    }

    package mutating func seconds(_ name: String, _ kind: String, _ help: String, _ nanoseconds: UInt64) {
        declare(name, kind, help)
        sample(name, [], MetricsText.seconds(nanoseconds))
    }

    /// Nanoseconds as decimal seconds, exactly.
    package static func seconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds % 1_000_000_000)
        let padded = String(repeating: "0", count: 9 - fraction.utf8.count) + fraction
        var trimmed = padded[...]
        while trimmed.last == "0" { trimmed.removeLast() }
        return "\(nanoseconds / 1_000_000_000)" + (trimmed.isEmpty ? "" : ".\(trimmed)")
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}

/// A loop's counters. Only the loop writes, so a relaxed load and store will do; every thread may read.
///
/// Safe to use: the cells are made, owned and freed here, and every index is computed from checked parts.
@safe
final class Counters: @unchecked Sendable {
    // Sendable because the cells are atomic and the table of refusals is behind a lock.

    /// Upper bounds of the duration histogram, in nanoseconds.
    static let durationBounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ]
    static let classCount = 6
    private static let globalCount = 8

    enum Global: Int {
        case accepted, closed, turnedAway, received, sent, begun, ended, shortages
    }

    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    private let cellCount: Int
    private let routeCount: Int
    private let perRoute: Int
    private let refusals = Guarded<[String: UInt64]>([:])

    init(routeCount: Int) {
        self.routeCount = routeCount
        perRoute = Counters.classCount + Counters.durationBounds.count + 1 + 1
        cellCount = Counters.globalCount + routeCount * perRoute
        unsafe cells = .allocate(capacity: cellCount)
        for index in 0..<cellCount { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe cells.deinitialize(count: cellCount)
        unsafe cells.deallocate()
    }

    @inline(__always)
    func add(_ global: Global, _ amount: Int = 1) {
        add(at: global.rawValue, UInt64(truncatingIfNeeded: amount))
    }

    /// Counts a finished request.
    @inline(__always)
    func count(_ exchange: borrowing Exchange, duration: UInt64) {
        guard exchange.route < routeCount else { return }
        let base = Counters.globalCount &+ exchange.route &* perRoute
        // The first cell is for requests that were never answered.
        add(at: base &+ min((exchange.status?.rawValue ?? 0) / 100, Counters.classCount &- 1), 1)
        var bucket = 0
        while bucket < Counters.durationBounds.count, duration > Counters.durationBounds[bucket] { bucket &+= 1 }
        add(at: base &+ Counters.classCount &+ bucket, 1)
        add(at: base &+ perRoute &- 1, duration)
        add(.sent, exchange.sent)
        add(.received, exchange.received)
    }

    func countRefusal(_ code: String) {
        refusals.withLock { $0[code, default: 0] += 1 }
    }

    // MARK: Reading

    func value(_ global: Global) -> UInt64 { load(global.rawValue) }

    func requests(route: Int, class statusClass: Int) -> UInt64 {
        load(Counters.globalCount + route * perRoute + statusClass)
    }

    func durations(route: Int) -> (buckets: [UInt64], sumNanoseconds: UInt64) {
        let base = Counters.globalCount + route * perRoute + Counters.classCount
        let buckets = (0...Counters.durationBounds.count).map { load(base + $0) }
        return (buckets, load(base + Counters.durationBounds.count + 1))
    }

    var refusalCounts: [String: UInt64] { refusals.withLock { $0 } }

    @inline(__always)
    private func add(at index: Int, _ amount: UInt64) {
        precondition(index >= 0 && index < cellCount, "a counter's index is one of the layout")
        let value = unsafe cells[index].load(ordering: .relaxed)
        unsafe cells[index].store(value &+ amount, ordering: .relaxed)
    }

    private func load(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < cellCount, "a counter's index is one of the layout")
        return unsafe cells[index].load(ordering: .relaxed)
    }
}
