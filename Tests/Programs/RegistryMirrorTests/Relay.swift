import ConformanceSupport
import HostileServer
import Synchronization
import WidgetTestSupport

/// A way to an origin that can be cut, led to another server, and lied on.
final class Relay: Sendable {
    /// Changes an answer, or gives another and returns `nil`.
    typealias Lie = @Sendable (Visit, WireAnswer) -> WireAnswer?

    private struct State {
        var target: Registry?
        var lie: Lie?
    }

    private final class Way: Sendable {
        let state: Mutex<State>

        init(_ target: Registry) { state = Mutex(State(target: target)) }

        func carry(_ visit: Visit) {
            let (target, lie) = state.withLock { ($0.target, $0.lie) }
            let token = visit.request.value("Authorization").map { ["Authorization: \($0)"] } ?? []
            guard let answer = try? target?.ask(visit.request.method, visit.request.target, token) else {
                visit.reset()
                return
            }
            guard let shown = lie.map({ $0(visit, answer) }) ?? answer else { return }
            let fields = ["ETag", "Content-Type", "Link"].compactMap { name in
                shown.value(name).map { "\(name): \($0)" }
            }
            visit.answer(shown.status, fields, body: shown.body)
        }
    }

    private let way: Way
    private let server: HostileServer

    init(to target: Registry) throws {
        let way = Way(target)
        self.way = way
        server = try HostileServer { way.carry($0) }
    }

    var url: String { server.url }
    var requests: [Visit.Request] { server.requests }

    /// Leads to another server from now on, or nowhere.
    func lead(to target: Registry?) { way.state.withLock { $0.target = target } }

    /// Lies from now on, or not any more.
    func lie(_ lie: Lie?) { way.state.withLock { $0.lie = lie } }
}

/// A mirror as an operator starts it, which looks at its origin ten times a second.
///
/// - Parameter place: a process for what only that shows, a kill or its memory.
func startMirror(
    of url: String, home: Home? = nil, in place: TestedServer.Place = .here, _ environment: [String: String] = [:]
) throws -> Registry {
    var settings = ["WIDGETD_MIRROR_INTERVAL": "100ms"]
    if place == .process { settings.merge(TestedServer.withoutCells) { $1 } }
    return try Registry(
        home: home, settings.merging(environment) { $1 }, arguments: ["--mirror", url], in: place,
        program: "widgetd-cluster")
}

extension Registry {
    /// The parts of an answer that hosts see.
    func seen(_ target: String) throws -> [String] {
        let answer = try get(target)
        let fields = ["ETag", "Cache-Control", "Content-Type", "Content-Location", "Last-Modified", "Link"]
        // The request's identifier is each server's own.
        let body = answer.problemCode ?? answer.text
        return ["\(answer.status)", body] + fields.map { "\($0): \(answer.value($0) ?? "")" }
    }

    /// True once the other server gives the same answers. The feed comes last: it tells that all is there.
    func becomesLike(_ other: Registry, _ targets: [String]) throws -> Bool {
        try becomes {
            for target in targets + ["/v1/changes?limit=1000"] where try seen(target) != other.seen(target) {
                return false
            }
            return true
        }
    }
}
