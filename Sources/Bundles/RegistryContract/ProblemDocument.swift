/// Why a registry refused a request (RFC 9457).
package struct ProblemDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Problem"
    package static let about = "Why a request was not fulfilled (RFC 9457). Programs go by the type alone."

    package var type = ""
    package var title = ""
    package var status = 0
    package var detail = ""
    package var instance = ""
    package var limit: Int?
    package var actual: Int?
    package var path: String?
    package var offset: Int?
    package var line: Int?
    package var column: Int?
    package var errors: [Cause]?
    package var stored: String?
    package var offered: String?
    package var bundleIdentifier: String?
    package var release: String?
    package var at: String?
    package var reason: String?
    package var directive: String?
    package var withdrawn: [WithdrawnReleaseDocument]?
    package var prefix: String?
    package var measure: String?
    package var bundles: [Usage]?

    /// One of several things that are wrong.
    package struct Cause: WireObject, Equatable {
        package var code = ""
        package var path: String?
        package var detail = ""

        package init() {}

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("code", &code)
            try walker.optional("path", &path)
            try walker.member("detail", &detail)
        }

        package static let example = Cause()
    }

    /// A bundle, with what is stored of it.
    package struct Usage: WireObject, Equatable {
        package var bundleIdentifier = ""
        package var releases = 0
        package var bytes = 0

        package init() {}

        package init(_ bundleIdentifier: String, releases: Int, bytes: Int) {
            self.bundleIdentifier = bundleIdentifier
            self.releases = releases
            self.bytes = bytes
        }

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.member("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
            try walker.member("releases", &releases, "Those that are stored.")
            try walker.member("bytes", &bytes, "Of their archives.")
        }

        package static let example = Usage("mobi.favio.WidgetDemo", releases: 12, bytes: 18_042_564)
    }

    private static let types = Schema.pattern("^/problems/[a-z-]+$")
    private static let measures = Schema.word(["bytes", "releases", "publications"])
    private static let statuses = Schema.number(400...599)

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("type", &type, as: Self.types)
        try walker.unneeded("title", &title)
        try walker.unneeded("status", &status, as: Self.statuses)
        try walker.member("detail", &detail, "What happened here, and what to do next.")
        try walker.unneeded(
            "instance", &instance, "The Request-Id of the answer, which the server's log has too.")
        try walker.optional("limit", &limit)
        try walker.optional("actual", &actual, as: .anyNumber)
        try walker.optional("path", &path)
        try walker.optional("offset", &offset)
        try walker.optional("line", &line)
        try walker.optional("column", &column)
        try walker.optional("errors", &errors)
        try walker.optional("stored", &stored, as: .digest, "The content digest of what is there.")
        try walker.optional("offered", &offered, as: .digest, "The content digest of what was sent.")
        try walker.optional("bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier)
        try walker.optional("release", &release, as: .releaseKey)
        try walker.optional(
            "at", &at, as: .time,
            "When the release was withdrawn, or has expired; or when there is room for another publication.")
        try walker.optional("reason", &reason, "Why the release was withdrawn.")
        try walker.optional(
            "directive", &directive, as: WithdrawalDirective.schema,
            "The duty of hosts that have the release; absent if they may keep it.")
        try walker.optional(
            "withdrawn", &withdrawn, "Releases of the bundle that hosts must not continue to show, the newest first.")
        try walker.optional("prefix", &prefix, "The first labels of the bundles that a quota is for; * for all.")
        try walker.optional("measure", &measure, as: Self.measures, "What the quota limits.")
        try walker.optional(
            "bundles", &bundles, "The bundles that take up most of a quota, of those that the token is for.")
    }

    package static let example: ProblemDocument = {
        var document = ProblemDocument()
        document.type = "/problems/no-such-release"
        document.title = "There is no such release"
        document.status = 404
        document.detail = "mobi.favio.WidgetDemo has no release 1.2~9."
        document.instance = "0a1b2c3d4e5f6071"
        return document
    }()

    /// The problem's code, if it is one that this version knows.
    package var code: ProblemCode? { ProblemCode(rawValue: codeText) }

    /// The last part of its type.
    package var codeText: String { type.split(separator: "/").last.map(String.init) ?? type }
}
