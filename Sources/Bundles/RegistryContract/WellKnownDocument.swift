package import JSONText

/// The document by which a registry introduces itself.
package struct WellKnownDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "WellKnown"
    package static let about = "How a registry introduces itself."

    /// The versions of the contract that it keeps.
    package var versions: [String] = []
    /// Program and version.
    package var server = ""
    /// Its clock, to the second.
    package var time = ""
    package var limits = NamedValues<Int>()
    package var policy = Policy()
    /// `public` or `token`.
    package var reads = ""
    /// The address at which clients reach it, if it was set.
    package var publicURL: String?

    package struct Policy: WireObject, Equatable {
        package var keptFiles: [String] = []
        package var isStrict = false
        package var snapshotChannels: [String] = []
        package var protectedChannels: [String] = []

        package init() {}

        package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
            try walker.unneeded("kept", &keptFiles, "Patterns of the files that bundles keep.")
            try walker.unneeded("strict", &isStrict, "Whether publishing is strict by default.")
            try walker.unneeded("snapshotChannels", &snapshotChannels, as: .channelNames)
            try walker.unneeded(
                "protectedChannels", &protectedChannels, as: .channelNames,
                "Channels that only tokens with the scope promote move, but for the first release of a bundle.")
        }

        package static let example: Policy = {
            var policy = Policy()
            policy.keptFiles = ["Info.plist", "*.json"]
            policy.snapshotChannels = ["dev"]
            policy.protectedChannels = ["stable"]
            return policy
        }()
    }

    private static let access = Schema.word(["public", "token"])

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("api", &versions)
        try walker.member("server", &server)
        try walker.member("time", &time, as: .time)
        try walker.unneeded("limits", &limits)
        try walker.member("policy", &policy)
        try walker.member("reads", &reads, as: Self.access)
        try walker.optional("publicURL", &publicURL, "The address at which clients reach the registry, if it was set.")
    }

    package static let example: WellKnownDocument = {
        var document = WellKnownDocument()
        document.versions = ["v1"]
        document.server = "widgetd/1.0"
        document.time = "2026-11-21T10:00:00Z"
        document.limits = NamedValues([("upload", 64 << 20)])
        document.policy = .example
        document.reads = "public"
        document.publicURL = "https://widgets.example"
        return document
    }()
}

/// Named values of one kind, in their order.
package struct NamedValues<Value: WireValue & Equatable>: WireValue, Equatable {
    package var members: [(name: String, value: Value)]

    package init(_ members: [(name: String, value: Value)] = []) {
        self.members = members
    }

    package static var schema: Schema { .record(Value.schema) }

    /// Members of another kind are left out: later versions may have them.
    package init(json: JSONCursor) throws(JSONError) {
        members = []
        for (name, value) in try json.members() {
            if let value = try? value.decode(as: Value.self) { members.append((name, value)) }
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in members {
                writer.key(name)
                value.write(to: &writer)
            }
        }
    }

    package static func == (left: NamedValues, right: NamedValues) -> Bool {
        left.members.elementsEqual(right.members) { $0 == $1 }
    }
}

/// The answer of a process that is alive.
package struct HealthDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Health"
    package static let about = "That the process is alive."

    package var status = "ok"

    private static let words = Schema.word(["ok"])

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("status", &status, as: Self.words)
    }

    package static let example = HealthDocument()
}

/// The answer of a server that is ready for requests.
package struct ReadinessDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Readiness"
    package static let about = "That every check passes: each is `ok`, or a trouble with which requests are answered."

    package var status = "ready"
    package var checks = NamedValues<String>()

    private static let words = Schema.word(["ready"])

    package init() {}

    /// - Parameter checks: names with `ok`, or with a trouble that does not keep the server from answering.
    package init(checks: [(String, String)]) {
        self.checks = NamedValues(checks)
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("status", &status, as: Self.words)
        try walker.member("checks", &checks)
    }

    package static let example = ReadinessDocument(checks: [("accepting", "ok")])
}
