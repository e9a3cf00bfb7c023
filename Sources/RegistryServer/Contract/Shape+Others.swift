extension Shape {
    static let all = reading + writing + service

    /// The documents that only writing sends or gets.
    static let writing: [Shape] = [
        Shape(
            .channelSetting, "What a channel is to show.",
            [
                .member("release", .releaseKey),
                .optional("rollout", .basisPoints, "10000 unless given."),
                .optional("mandatory", .boolean, "false unless given."),
            ], example: Example.channelSetting),
        Shape(
            .rollback, "Where to go back to.",
            [.optional("to", .releaseKey, "The release before the present one unless given.")],
            example: Example.rollback),
        Shape(
            .report, "What happened to a bundle on its way in.",
            [
                .member(
                    "kept",
                    .list(
                        .object([
                            .member("path", .text), .member("kind", .text), .member("size", .count),
                            .member("sha256", .digest),
                        ]))),
                .member(
                    "stripped",
                    .list(
                        .object([
                            .member("path", .text), .member("kind", .text), .member("rule", .text),
                            .member("size", .count), .member("sha256", .digest),
                        ]))),
                .member(
                    "warnings",
                    .list(.object([.member("code", .text), .member("path", .text), .member("detail", .text)]))),
                .member(
                    "findings",
                    .list(
                        .object([
                            .member("code", .text), .member("severity", .text), .member("path", .text),
                            .member("line", .count), .member("column", .count), .member("detail", .text),
                        ]))),
                .member(
                    "source", .object([.member("sha256", .orNull(.digest)), .member("size", .count)]),
                    "What was handed in."),
                .member("content", .digest),
                .member("sha256", .digest, "Of the archive that was written."),
                .member("size", .count),
            ], example: Example.report),
        Shape(
            .token, "What somebody may do who shows its secret.",
            [
                .member("name", .text),
                .member(
                    "prefix", .text,
                    "The bundles it is good for: this one, and those that go on after a dot; empty: all."),
                .member("scopes", .list(.word(["read", "publish", "promote", "withdraw", "admin"]))),
                .member("created", .time),
                .optional("expires", .time),
                .optional("lastUsed", .time),
                .optional("token", .text, "The secret: shown once, on creation."),
            ], example: Example.token),
        Shape(
            .tokenRequest, "A token to be made.",
            [
                .member("name", .text),
                .optional("prefix", .text),
                .member("scopes", .list(.word(["read", "publish", "promote", "withdraw", "admin"]))),
                .optional("expires", .time),
            ], example: Example.tokenRequest),
        page(.tokenPage, of: .token, "All tokens.", example: Example.token),
    ]

    /// The documents that the server tells of itself.
    static let service: [Shape] = [
        Shape(
            .wellKnown, "How a registry introduces itself.",
            [
                .member("api", .list(.text)),
                .member("server", .text),
                .member("time", .time),
                .member("limits", .record(.count)),
                .member(
                    "policy",
                    .object([
                        .member("kept", .list(.text), "Patterns of the files that bundles keep."),
                        .member("strict", .boolean, "Whether publishing is strict when nobody says."),
                        .member("snapshotChannels", .list(.channelName)),
                    ])),
                .member("reads", .word(["public", "token"])),
            ], example: Example.wellKnown),
        Shape(.health, "That the process is alive.", [.member("status", .word(["ok"]))], example: Example.health),
        Shape(
            .readiness, "That every check passes.",
            [.member("status", .word(["ready"])), .member("checks", .record(.text))], example: Example.readiness),
        Shape(
            .problem, "Why a request was not fulfilled (RFC 9457). Programs go by the type alone.",
            [
                .member("type", .pattern("^/problems/[a-z-]+$")),
                .member("title", .text),
                .member("status", .number(400...599)),
                .member("detail", .text, "What happened here, and what to do next."),
                .member("instance", .text, "The Request-Id of the answer, which the server's log has too."),
                .optional("limit", .count),
                .optional("actual", .number(Int.min...Int.max)),
                .optional("path", .text),
                .optional("offset", .count),
                .optional("line", .count),
                .optional("column", .count),
                .optional(
                    "errors",
                    .list(.object([.member("code", .text), .optional("path", .text), .member("detail", .text)]))),
                .optional("stored", .digest, "The content digest of what is there."),
                .optional("offered", .digest, "The content digest of what was sent."),
                .optional("bundleIdentifier", .bundleIdentifier),
                .optional("release", .releaseKey),
                .optional("at", .time, "When the release was withdrawn."),
                .optional("reason", .text, "Why the release was withdrawn."),
            ], example: Example.problem),
    ]
}
