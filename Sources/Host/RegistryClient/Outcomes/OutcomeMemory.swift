package import JSONText
package import RegistryContract
package import WidgetBytes

/// The outcomes that a host has noted of a widget's releases, as its state file describes them, and those that it has yet to
/// send.
///
/// An outcome is noted once for a release, and leaves this memory before it is sent: what is lost on the way is not sent again,
/// so that counts are lower bounds. `Tests/Contract/vectors/rules/outcomes.json` has the rule as data.
package struct OutcomeMemory: Equatable, Sendable {
    /// An outcome of one release that was noted.
    fileprivate struct Noted: Equatable, Sendable {
        var content: Digest
        /// A letter for each outcome that is noted for itself: installed, started, confirmed, failed.
        var letter: String
        /// Of a start, the last day on which it was noted, by the host's clock: days since 1970 in UTC; else 0.
        var day: Int
    }

    /// An outcome on its way, and the address of the registry that the release is from.
    fileprivate struct Waiting: Equatable, Sendable {
        var registry: String
        var report: OutcomeReport
    }

    /// Outcomes that are remembered. The one that was noted longest ago is forgotten first.
    private static let mostNoted = 128
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
        let letter = OutcomeMemory.letter(of: outcome)
        let day = outcome == .started ? day : 0
        let place = noted.firstIndex { $0.content == content && $0.letter == letter }
        let last = place.map { noted.remove(at: $0).day }
        let isNew = last.map { $0 < day } ?? true
        // After a clock was ahead by days, starts are noted again from tomorrow on.
        let kept = last.flatMap { isNew || $0 > day + 1 ? nil : $0 } ?? day
        noted.append(Noted(content: content, letter: letter, day: kept))
        if noted.count > OutcomeMemory.mostNoted { noted.removeFirst() }
        guard isNew else { return }
        waiting.append(
            Waiting(registry: registry, report: OutcomeReport(outcome, of: release, on: channel, because: reason)))
        if waiting.count > OutcomeMemory.mostWaiting { waiting.removeFirst() }
    }

    private static func letter(of outcome: DeviceOutcome) -> String {
        switch outcome {
        case .installed: "i"
        case .started: "s"
        case .confirmed: "c"
        case .notInstalled, .rejected, .wentBack: "f"
        }
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
                        writer.member("day", one.day)
                        writer.member("letter", one.letter)
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
        self.init(
            content: try json.require("content"), letter: try json.require("letter"), day: try json.require("day"))
    }
}

extension OutcomeMemory.Waiting: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        self.init(registry: try json.require("registry"), report: try json.require("report"))
    }
}
