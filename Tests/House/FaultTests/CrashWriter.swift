import ConformanceSupport
import JSONText
import WidgetBytes
import WidgetTestSupport

/// The only writer of a bundle. It knows the releases that must be there, whenever the server is killed.
final class CrashWriter: Sendable {
    /// A writer's knowledge of a release.
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

    /// The acknowledged changes.
    struct State: Sendable {
        var known: [String: Known] = [:]
        /// The channel as it was last seen.
        var channel: (sequence: Int, body: [UInt8])?
        var unanswered: (request: Unanswered, bundle: BundleForge?)?
        var generator: SeededGenerator
        var next = 0
        var acknowledged = 0
        /// True when the channel was read after the last change.
        var hasLooked = true
        /// An answer that must not be.
        var complaint: String?
    }

    let identifier: String
    let state: Observed<State>

    init(_ identifier: String, seed: UInt64) {
        self.identifier = identifier
        state = Observed(State(generator: SeededGenerator(seed: seed)))
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
        // A withdrawn release may have expired.
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

/// The invariants, each with its number, looked at after a restart.
extension CrashWriter {
    /// The broken invariants.
    ///
    /// - Parameter isThorough: whether every archive is fetched, instead of those that were touched last and a few
    ///   more.
    func complaints(_ registry: Registry, isThorough: Bool) throws -> [String] {
        try state.withLock { state in
            var complaints: [String] = []
            let listed = try list(registry)
            try settle(&state, listed, registry, &complaints)
            checkList(state, listed, &complaints)
            try checkArchives(&state, listed, registry, isThorough: isThorough, &complaints)
            try checkChannel(&state, registry, &complaints)
            state.unanswered = nil
            return complaints
        }
    }

    struct Listed: Sendable {
        var digest: String
        var content: String
        var byteCount: Int
        var url: String
        var isWithdrawn: Bool
    }

    private func list(_ registry: Registry) throws -> [String: Listed] {
        var listed: [String: Listed] = [:]
        var path: String? = "/v1/bundles/\(identifier)/releases?limit=200"
        while let present = path {
            let page = try registry.get(present)
            guard page.status != 404 else { return [:] }
            for item in page["items"]?.array ?? [] {
                listed[item["release"]?.string ?? ""] = Listed(
                    digest: item["sha256"]?.string ?? "", content: item["content"]?.string ?? "",
                    byteCount: Int(item["size"]?.integer ?? -1), url: item["url"]?.string ?? "",
                    isWithdrawn: item["withdrawn"] != nil)
            }
            path = page.text("next").map { "/v1/bundles/\(identifier)/releases?limit=200&cursor=\($0)" }
        }
        return listed
    }

    /// Finds out the outcome of the request whose answer never came: all of it, or nothing.
    private func settle(
        _ state: inout State, _ listed: [String: Listed], _ registry: Registry, _ complaints: inout [String]
    ) throws {
        switch state.unanswered?.request {
        case .publish(let key)?:
            guard let found = listed[key], let bundle = state.unanswered?.bundle else { return }
            if found.content != bundle.contentDigest { complaints.append("I2: \(key) has other content") }
            state.known[key] = Known(bundle: bundle, digest: found.digest)
        case .withdraw(let key)?, .restore(let key)?:
            if let found = listed[key] { state.known[key]?.isWithdrawn = found.isWithdrawn }
        case .channel?, nil: break
        }
    }

    private func checkList(_ state: State, _ listed: [String: Listed], _ complaints: inout [String]) {
        for (key, known) in state.known {
            guard let found = listed[key] else {
                complaints.append("I1: \(identifier) \(key) was acknowledged and is gone")
                continue
            }
            if found.digest != known.digest { complaints.append("I4: \(key) has changed") }
            if found.content != known.bundle.contentDigest { complaints.append("I4: \(key) has other content") }
            if found.isWithdrawn != known.isWithdrawn {
                complaints.append("I1: \(key) was acknowledged as withdrawn \(known.isWithdrawn) and is not")
            }
        }
        for key in listed.keys where state.known[key] == nil { complaints.append("I2: \(key) was never published") }
    }

    private func checkArchives(
        _ state: inout State, _ listed: [String: Listed], _ registry: Registry, isThorough: Bool,
        _ complaints: inout [String]
    ) throws {
        // The newest were written when the server was killed; some others are looked at each time.
        let newest = listed.keys.sorted { $0.count == $1.count ? $0 > $1 : $0.count > $1.count }
        var looked = Set(isThorough ? newest : Array(newest.prefix(8)))
        for _ in 0..<4 { if let key = newest.randomElement(using: &state.generator) { looked.insert(key) } }
        for key in looked {
            guard let found = listed[key] else { continue }
            let answer = try registry.get(found.url)
            if found.isWithdrawn {
                if answer.status != 410 { complaints.append("I1: the archive of \(key) answers \(answer.status)") }
                continue
            }
            if answer.status != 200 { complaints.append("I3: the archive of \(key) answers \(answer.status)") }
            if BundleForge.sha256(answer.body) != found.digest { complaints.append("I5: \(key) has other bytes") }
            if answer.body.count != found.byteCount { complaints.append("I3: \(key) has another size") }
        }
    }

    private func checkChannel(
        _ state: inout State, _ registry: Registry, _ complaints: inout [String]
    ) throws {
        let answer = try registry.channel(identifier)
        guard let seen = state.channel else {
            if answer.status == 200 { state.channel = (answer.number("sequence") ?? 0, answer.body) }
            return
        }
        guard answer.status == 200, let sequence = answer.number("sequence") else {
            complaints.append("I1: the channel answers \(answer.status)")
            return
        }
        if sequence < seen.sequence { complaints.append("I6: the sequence went from \(seen.sequence) to \(sequence)") }
        if sequence == seen.sequence, answer.body != seen.body {
            complaints.append("I4: the channel has changed and its sequence has not")
        }
        // A request has one effect, and each has been acknowledged but one.
        let most = seen.sequence + (state.isCertain ? 0 : 1)
        if sequence > most { complaints.append("I2: the sequence is \(sequence), and \(most) at most was asked for") }
        let resolved = try registry.resolve(identifier)
        if resolved.status == 200, resolved.number("sequence") != sequence {
            complaints.append("I3: the channel and what resolves from it differ")
        }
        for candidate in resolved["candidates"]?.array ?? [] {
            let url = candidate["url"]?.string ?? ""
            if try registry.head(url).status != 200 { complaints.append("I3: \(url) resolves and is not there") }
        }
        state.channel = (sequence, answer.body)
    }
}

extension CrashWriter.State {
    /// True when no request under way could have moved the channel since it was read.
    fileprivate var isCertain: Bool { unanswered == nil && hasLooked }
}
