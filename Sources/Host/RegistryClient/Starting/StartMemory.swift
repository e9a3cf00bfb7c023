internal import JSONText
internal import WidgetBytes

/// The starts of a widget's releases, as its state file describes them: which one has proven itself, which one is being
/// tried, and which ones have failed.
struct StartMemory: Equatable, Sendable {
    /// The last release that its host confirmed, kept to go back to.
    var confirmed: InstalledRecord?
    /// A release that is here and not current yet.
    var waiting: WaitingRelease?
    /// The content of the release that was started last and is not confirmed.
    var trial: Digest?
    /// The contents of releases that were started and never confirmed, the latest last. They are not offered again.
    private(set) var failed: [Digest] = []
    /// The registry's directive about a release that is here and was withdrawn.
    var withdrawal: KnownWithdrawal?

    /// A channel has few bad releases in a row; the one that failed longest ago is forgotten first.
    private static let mostFailed = 32

    init() {}

    func isConfirmed(_ record: InstalledRecord) -> Bool { confirmed?.contentDigest == record.contentDigest }

    var hasFailures: Bool { !failed.isEmpty }

    func hasFailed(_ content: Digest) -> Bool { failed.contains(content) }

    mutating func fail(_ content: Digest) {
        failed.removeAll { $0 == content }
        failed.append(content)
        if failed.count > StartMemory.mostFailed { failed.removeFirst() }
        if confirmed?.contentDigest == content { confirmed = nil }
        if waiting?.record.contentDigest == content { waiting = nil }
    }

    mutating func forgive() { failed = [] }

    mutating func forgive(_ content: Digest) { failed.removeAll { $0 == content } }
}

/// A release that was downloaded, and the moment at which it becomes current.
struct WaitingRelease: Equatable, Sendable {
    var record: InstalledRecord
    /// `nil` until the host has chosen one.
    var moment: ApplicationMoment?
}

/// The moment at which a downloaded release becomes current.
package enum ApplicationMoment: Equatable, Sendable {
    /// The next start of the widget.
    case nextStart
    /// The end of a pause of at least this length, or the next start.
    case pause(Duration)
}

/// A registry's directive about a withdrawn release, by the content of that release.
struct KnownWithdrawal: Equatable, Sendable {
    var content: Digest
    var directive: String
    var reason: String
}

extension StartMemory: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        confirmed = try json.optional("confirmed")
        waiting = try json.optional("waiting")
        trial = try json.optional("trial")
        failed = try json.optional("failed") ?? []
        withdrawal = try json.optional("withdrawal")
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let confirmed {
                writer.key("confirmed")
                confirmed.write(to: &writer)
            }
            if !failed.isEmpty {
                writer.key("failed")
                writer.array { writer in for content in failed { writer.string(content.hex) } }
            }
            if let trial { writer.member("trial", trial.hex) }
            if let waiting {
                writer.key("waiting")
                waiting.write(to: &writer)
            }
            if let withdrawal {
                writer.key("withdrawal")
                writer.object { writer in
                    writer.member("content", withdrawal.content.hex)
                    writer.member("directive", withdrawal.directive)
                    writer.member("reason", withdrawal.reason)
                }
            }
        }
    }
}

extension WaitingRelease: JSONDecodable {
    /// A pause is a number of seconds; no pause is longer than a year.
    private static let longestPause = 366 * 86_400

    init(json: JSONCursor) throws(JSONError) {
        record = try json.require("release")
        guard let when: String = try json.optional("when") else { return }
        switch when {
        case "nextStart": moment = .nextStart
        case "pause":
            let seconds: Int = try json.require("seconds")
            guard (0...WaitingRelease.longestPause).contains(seconds) else {
                throw json.error(.unsuitable(expected: "seconds of a pause"))
            }
            moment = .pause(.seconds(seconds))
        default: throw json.error(.unsuitable(expected: "nextStart or pause"))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("release")
            record.write(to: &writer)
            switch moment {
            case nil: break
            case .nextStart: writer.member("when", "nextStart")
            case .pause(let pause):
                writer.member("seconds", min(max(Int(pause.components.seconds), 0), WaitingRelease.longestPause))
                writer.member("when", "pause")
            }
        }
    }
}

extension KnownWithdrawal: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        content = try json.require("content")
        directive = try json.require("directive")
        reason = try json.optional("reason") ?? ""
    }
}
