import ConformanceSupport
import Dispatch
import JSONText
import Synchronization
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: concurrent clients see a registry as if they had used it one after the other.
/// Method: 64 clients race over one bundle, and their answers are compared with a model.
@Suite(.part(.faults), .serialized) struct `Sixty-four clients that race over one bundle` {
    private static let identifier = "race.example.Widget"
    private static let clients = 64

    @Test func `Racing clients each get a truthful answer`() throws {
        let seed = Crowd.seed("race")
        let rounds = Crowd.number("RACE_ROUNDS", otherwise: 25)
        let registry = try Registry(["WIDGETD_LIMITS_CONCURRENT_UPLOADS": "\(Self.clients * 2)"])
        let tokens = try (0..<Self.clients).map { try Self.token(registry, $0) }
        let shared = SharedKeys()
        let recorded = Guarded<[RaceHistory.Operation]>([])
        let failures = Guarded<[String]>([])
        Crowd.run(Self.clients) { number in
            do {
                var client = try RaceClient(
                    registry, identifier: Self.identifier, name: "client-\(number)", token: tokens[number],
                    shared: shared, seed: seed &+ UInt64(number))
                for _ in 0..<rounds { try client.act() }
                let operations = client.operations
                recorded.withLock { $0 += operations }
            } catch {
                failures.withLock { $0.append("client-\(number): \(error)") }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let operations = recorded.withLock { $0 }
        let history = RaceHistory(operations: operations, changes: try Self.changes(registry))
        let complaints = RaceChecker.complaints(about: history)
        #expect(complaints.isEmpty, "\(complaints.prefix(5).joined(separator: "\n"))")
        print("race: \(operations.count) operations, \(history.changes.count) changes")
        // A history in which hardly anything happens would prove little.
        #expect(history.changes.count > rounds)
        #expect(Set(operations.map(\.status)).isSuperset(of: [200, 201, 409]))
    }

    private static func token(_ registry: Registry, _ number: Int) throws -> String {
        let answer = try registry.write(
            "POST", "/v1/tokens",
            "{\"name\": \"client-\(number)\", \"prefix\": \"\(identifier)\", "
                + "\"scopes\": [\"publish\", \"promote\", \"withdraw\"]}")
        return try #require(answer.text("token"), "\(answer.text)")
    }

    private static func changes(_ registry: Registry) throws -> [RaceHistory.Change] {
        var changes: [RaceHistory.Change] = []
        var since = "0"
        while true {
            let page = try registry.get("/v1/changes?limit=200&since=\(since)")
            for item in page["items"]?.array ?? [] {
                let kind = try #require(item["kind"]?.string.flatMap { RaceHistory.Change.Kind(rawValue: $0) })
                changes.append(
                    RaceHistory.Change(
                        kind: kind, key: item["release"]?.string ?? "", by: item["by"]?.string ?? "",
                        sequence: item["sequence"]?.integer.map { Int($0) }))
            }
            guard let next = page.text("next") else { return changes }
            since = next
        }
    }
}

/// The common knowledge of the clients of a race.
final class SharedKeys: Sendable {
    private let next = Atomic<Int>(0)
    private let known = Guarded<[String]>([])

    /// The number of a release to publish; a few clients get the same.
    func number() -> Int { next.add(1, ordering: .relaxed).oldValue / 4 }

    func add(_ key: String) { known.withLock { if !$0.contains(key) { $0.append(key) } } }

    /// One of the newest releases that any client knows of.
    func any(_ generator: inout SeededGenerator) -> String? {
        let recent = known.withLock { Array($0.suffix(12)) }
        return recent.randomElement(using: &generator)
    }
}

/// One client: does something, waits for the answer, writes down both.
struct RaceClient {
    private let name: String
    private let token: String
    private let identifier: String
    private let shared: SharedKeys
    private let conversation: Conversation
    private var generator: SeededGenerator
    /// The requests already made that may be made once, as `publish 1.0~1`.
    private var done: Set<String> = []
    private(set) var operations: [RaceHistory.Operation] = []

    init(
        _ registry: Registry, identifier: String, name: String, token: String, shared: SharedKeys, seed: UInt64
    ) throws {
        (self.name, self.token, self.identifier, self.shared) = (name, token, identifier, shared)
        conversation = try registry.connect()
        generator = SeededGenerator(seed: seed)
    }

    mutating func act() throws {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<25: try publish()
        case 25..<32: try publishOther()
        case 32..<47: try promote()
        case 47..<54: try rollback()
        case 54..<62: try change("withdraw", method: "DELETE", path: "", { .withdraw(key: $0) })
        case 62..<70: try change("restore", method: "POST", path: "/restore", { .restore(key: $0) })
        case 70..<85: try resolve()
        default: try look()
        }
    }

    private func ask(
        _ method: String, _ path: String, _ fields: [String] = [], body: [UInt8]? = nil
    ) throws -> (answer: WireAnswer, start: UInt64, end: UInt64) {
        let request = Registry.request(method, path, fields, body: body, token: token)
        let start = DispatchTime.now().uptimeNanoseconds
        conversation.connection.send(request)
        let answer = try conversation.next()
        return (answer, start, DispatchTime.now().uptimeNanoseconds)
    }

    private mutating func record(
        _ action: RaceHistory.Action, _ reply: (answer: WireAnswer, start: UInt64, end: UInt64), sequence: Int? = nil,
        release: String? = nil
    ) {
        operations.append(
            RaceHistory.Operation(
                client: name, action: action, start: reply.start, end: reply.end, status: reply.answer.status,
                sequence: sequence, release: release))
    }

    private mutating func isFirst(_ what: String) -> Bool { done.insert(what).inserted }

    private var channel: String { "/v1/bundles/\(identifier)/channels/stable" }

    private mutating func publish() throws {
        let bundle = BundleForge(identifier, "1.\(shared.number())")
        guard isFirst("publish \(bundle.key)") else { return }
        let reply = try ask("POST", "/v1/bundles", body: bundle.archive)
        record(.publish(key: bundle.key), reply)
        if reply.answer.status < 300 { shared.add(bundle.key) }
    }

    private mutating func publishOther() throws {
        guard let key = shared.any(&generator) else { return }
        let version = String(key.prefix { $0 != "~" })
        let reply = try ask("POST", "/v1/bundles", body: BundleForge(identifier, version, text: "Other").archive)
        record(.publishOther(key: key), reply)
    }

    private mutating func promote() throws {
        let present = try ask("GET", channel).answer
        guard present.status == 200, let seen = present.number("sequence"), let tag = present.value("ETag"),
            let key = shared.any(&generator), key != present.text("release")
        else { return }
        let reply = try ask(
            "PUT", channel, ["Content-Type: application/json", "If-Match: \(tag)"],
            body: Array("{\"release\": \"\(key)\"}".utf8))
        record(
            .promote(key: key, seen: seen), reply, sequence: reply.answer.number("sequence"),
            release: reply.answer.text("release"))
    }

    private mutating func rollback() throws {
        let reply = try ask("POST", channel + "/rollback", body: [])
        record(
            .rollback, reply, sequence: reply.answer.number("sequence"), release: reply.answer.text("release"))
    }

    private mutating func change(
        _ verb: String, method: String, path: String, _ action: (String) -> RaceHistory.Action
    ) throws {
        guard let key = shared.any(&generator), isFirst("\(verb) \(key)") else { return }
        record(action(key), try ask(method, "/v1/bundles/\(identifier)/releases/\(key)\(path)", body: []))
    }

    private mutating func resolve() throws {
        let reply = try ask("GET", "/v1/widgets/\(identifier)-1")
        record(
            .resolve, reply, sequence: reply.answer.number("sequence"),
            release: reply.answer.text("candidates.0.release"))
    }

    private mutating func look() throws {
        guard let key = shared.any(&generator) else { return }
        record(.release(key: key), try ask("GET", "/v1/bundles/\(identifier)/releases/\(key)"))
    }
}
