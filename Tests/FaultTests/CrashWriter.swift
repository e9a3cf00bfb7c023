import Bytes
import ConformanceSupport
import TestSupport

/// The only one who writes to a bundle: it knows what must be there, whenever the server is killed.
final class CrashWriter: Sendable {
    /// What is known of a release.
    struct Known: Sendable {
        var bundle: BundleForge
        /// Of the archive, from the answer that acknowledged it.
        var digest: String
        var isWithdrawn = false
    }

    /// A request whose answer never came.
    enum Unanswered: Equatable, Sendable {
        case publish(String)
        case withdraw(String)
        case restore(String)
        case channel
    }

    /// What has been acknowledged.
    struct State: Sendable {
        var known: [String: Known] = [:]
        /// The channel as it was last seen.
        var channel: (sequence: Int, body: [UInt8])?
        var unanswered: (request: Unanswered, bundle: BundleForge?)?
        var generator: SeededGenerator
        var next = 0
        var acknowledged = 0
        /// Whether the channel was seen after the last change.
        var hasLooked = true
        /// An answer that must not be.
        var complaint: String?
    }

    let identifier: String
    let state: Guarded<State>

    init(_ identifier: String, seed: UInt64) {
        self.identifier = identifier
        state = Guarded(State(generator: SeededGenerator(seed: seed)))
    }

    /// Writes until the server is gone.
    func write(to registry: Registry) {
        guard let conversation = try? registry.connect() else { return }
        while state.withLock({ goOn(&$0, conversation) }) {}
    }

    /// One step; false when the server is gone, or has answered as it must not.
    private func goOn(_ state: inout State, _ conversation: Conversation) -> Bool {
        do {
            try step(&state, conversation)
            state.acknowledged += 1
            return true
        } catch let wrong as Wrong {
            state.complaint = wrong.description
        } catch {
            // The server is gone.
        }
        return false
    }

    var published: Int { state.withLock { $0.known.count } }

    var acknowledged: Int { state.withLock { $0.acknowledged } }
    var complaint: String? { state.withLock { $0.complaint } }

    // MARK: Steps

    private func step(_ state: inout State, _ conversation: Conversation) throws {
        let keys = state.known.keys.sorted()
        let key = keys.randomElement(using: &state.generator)
        state.hasLooked = false
        switch Int.random(in: 0..<100, using: &state.generator) {
        case 0..<55: try publish(&state, conversation)
        case 55..<70: try promote(&state, conversation, key)
        case 70..<80: try rollback(&state, conversation)
        case 80..<92: try mark(&state, conversation, key, isWithdrawn: true)
        default: try mark(&state, conversation, key, isWithdrawn: false)
        }
        try look(&state, conversation)
    }

    private func ask(
        _ conversation: Conversation, _ method: String, _ path: String, _ fields: [String] = [], body: [UInt8]? = nil
    ) throws -> WireAnswer {
        conversation.connection.send(
            Registry.request(method, path, fields, body: body, token: Registry.adminToken))
        return try conversation.next()
    }

    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    private func require(_ answer: WireAnswer, _ statuses: [Int], _ what: String) throws {
        guard statuses.contains(answer.status) else {
            throw Wrong(description: "\(what): \(answer.status) \(answer.text)")
        }
    }

    private func publish(_ state: inout State, _ conversation: Conversation) throws {
        let size = Int.random(in: 1...2_000, using: &state.generator)
        let bundle = BundleForge(identifier, "1.\(state.next)", text: String(repeating: "x", count: size))
        state.next += 1
        let rollout = Bool.random(using: &state.generator) ? 10_000 : 2_500
        state.unanswered = (.publish(bundle.key), bundle)
        let answer = try ask(conversation, "POST", "/v1/bundles?rollout=\(rollout)", body: bundle.archive)
        try require(answer, [201], "publish \(bundle.key)")
        state.known[bundle.key] = Known(bundle: bundle, digest: answer.text("sha256") ?? "")
        state.unanswered = nil
    }

    private var channelPath: String { "/v1/bundles/\(identifier)/channels/stable" }

    private func promote(_ state: inout State, _ conversation: Conversation, _ key: String?) throws {
        guard let key else { return }
        state.unanswered = (.channel, nil)
        let rollout = Int.random(in: 1...10_000, using: &state.generator)
        let answer = try ask(
            conversation, "PUT", channelPath, ["Content-Type: application/json", "If-Match: *"],
            body: Array("{\"release\": \"\(key)\", \"rollout\": \(rollout)}".utf8))
        try require(answer, [200, 410], "promote \(key)")
        if answer.status == 200 { remember(&state, answer) }
        state.unanswered = nil
    }

    private func rollback(_ state: inout State, _ conversation: Conversation) throws {
        guard !state.known.isEmpty else { return }
        state.unanswered = (.channel, nil)
        let answer = try ask(conversation, "POST", channelPath + "/rollback", body: [])
        try require(answer, [200, 409], "roll back")
        if answer.status == 200 { remember(&state, answer) }
        state.unanswered = nil
    }

    private func mark(
        _ state: inout State, _ conversation: Conversation, _ key: String?, isWithdrawn: Bool
    ) throws {
        guard let key, let known = state.known[key], known.isWithdrawn != isWithdrawn else { return }
        state.unanswered = (isWithdrawn ? .withdraw(key) : .restore(key), nil)
        let path = "/v1/bundles/\(identifier)/releases/\(key)" + (isWithdrawn ? "" : "/restore")
        let answer = try ask(conversation, isWithdrawn ? "DELETE" : "POST", path, body: [])
        // What was withdrawn may have come to its end.
        try require(answer, isWithdrawn ? [200] : [200, 410], "withdraw or restore \(key)")
        if answer.status == 200 { state.known[key]?.isWithdrawn = isWithdrawn }
        state.unanswered = nil
    }

    private func look(_ state: inout State, _ conversation: Conversation) throws {
        guard !state.known.isEmpty else { return }
        let answer = try ask(conversation, "GET", channelPath)
        try require(answer, [200], "the channel")
        remember(&state, answer)
    }

    private func remember(_ state: inout State, _ answer: WireAnswer) {
        state.channel = (answer.number("sequence") ?? 0, answer.body)
        state.hasLooked = true
    }
}
