package import JSONText
package import RegistryContract
package import WidgetBytes

/// The outcomes that a host has noted of a widget's releases, as its state file describes them, and those that it has yet to
/// send.
///
/// An outcome is noted once for a release, and leaves this memory before it is sent: what is lost on the way is not sent again,
/// so that counts are lower bounds. `Tests/Contract/vectors/rules/outcomes.json` has the rule as data.
package struct OutcomeMemory: Equatable, Sendable {
    /// The outcomes of one release that were noted.
    fileprivate struct Noted: Equatable, Sendable {
        var content: Digest
        /// The letters of the outcomes that are noted once: installed, confirmed, failed.
        var words = ""
        /// The last day on which its start was noted, by the host's clock: days since 1970 in UTC.
        var day: Int?
    }

    /// An outcome on its way, and the address of the registry that the release is from.
    fileprivate struct Waiting: Equatable, Sendable {
        var registry: String
        var report: OutcomeReport
    }

    /// Releases that are remembered. The one of which anything was noted longest ago is forgotten first.
    private static let mostReleases = 32
    private static let mostWaiting = OutcomeReportsDocument.mostReports

    private var noted: [Noted] = []
    private var waiting: [Waiting] = []

    package init() {}

    var isEmpty: Bool { noted.isEmpty && waiting.isEmpty }

    /// Notes an outcome, unless it is known already.
    ///
    /// - Parameters:
    ///   - content: of the release's files, by which it is recognised on every channel.
    ///   - day: today, by the host's clock.
    package mutating func note(
        _ outcome: DeviceOutcome, of release: String, content: Digest, on channel: String, from registry: String,
        because reason: OutcomeReason? = nil, day: Int
    ) {
        var one = Noted(content: content)
        if let place = noted.firstIndex(where: { $0.content == content }) { one = noted.remove(at: place) }
        let isNew = OutcomeMemory.enter(outcome, day, in: &one)
        noted.append(one)
        if noted.count > OutcomeMemory.mostReleases { noted.removeFirst() }
        guard isNew else { return }
        waiting.append(
            Waiting(registry: registry, report: OutcomeReport(outcome, of: release, on: channel, because: reason)))
        if waiting.count > OutcomeMemory.mostWaiting { waiting.removeFirst() }
    }

    /// - Returns: true if the outcome is to be sent.
    private static func enter(_ outcome: DeviceOutcome, _ day: Int, in one: inout Noted) -> Bool {
        guard outcome != .started else {
            guard let last = one.day, last >= day else {
                one.day = day
                return true
            }
            // The clock was ahead by days. From tomorrow on, starts are noted again.
            if last > day + 1 { one.day = day }
            return false
        }
        let letter: Character =
            switch outcome {
            case .installed: "i"
            case .confirmed: "c"
            case .started, .notInstalled, .rejected, .wentBack: "f"
            }
        guard !one.words.contains(letter) else { return false }
        one.words.append(letter)
        return true
    }

    /// The outcomes to send to a registry, which are not here any more.
    package mutating func take(for registry: String) -> [OutcomeReport] {
        defer { waiting.removeAll { $0.registry == registry } }
        return waiting.filter { $0.registry == registry }.map(\.report)
    }

    package func isWaiting(for registry: String) -> Bool { waiting.contains { $0.registry == registry } }
}

extension OutcomeMemory: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        noted = try json.optional("noted") ?? []
        waiting = try json.optional("waiting") ?? []
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("noted")
            writer.array { writer in
                for one in noted {
                    writer.object { writer in
                        writer.member("content", one.content.hex)
                        if let day = one.day { writer.member("day", day) }
                        if !one.words.isEmpty { writer.member("words", one.words) }
                    }
                }
            }
            guard !waiting.isEmpty else { return }
            writer.key("waiting")
            writer.array { writer in
                for one in waiting {
                    writer.object { writer in
                        writer.member("registry", one.registry)
                        writer.key("report")
                        one.report.write(to: &writer)
                    }
                }
            }
        }
    }
}

extension OutcomeMemory.Noted: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        self.init(content: try json.require("content"))
        words = try json.optional("words") ?? ""
        day = try json.optional("day")
    }
}

extension OutcomeMemory.Waiting: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        self.init(registry: try json.require("registry"), report: try json.require("report"))
    }
}
