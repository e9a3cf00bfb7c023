import Bytes
import ConformanceSupport
import JSONText
import TestSupport

/// The invariants, each with its number, looked at after a restart.
extension CrashWriter {
    /// What does not hold.
    /// - Parameter isThorough: whether every archive is fetched, instead of those that were touched last and a few more.
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

    /// Learns what became of the request whose answer never came: all of it, or nothing.
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
        for key in listed.keys where state.known[key] == nil { complaints.append("I2: nobody published \(key)") }
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
    /// Whether nothing was under way that could have moved the channel since it was seen.
    fileprivate var isCertain: Bool { unanswered == nil && hasLooked }
}
