import ConformanceSupport
import Testing
import WidgetTestSupport

/// The 42 refusals that publishers met in a trial, scored by its scale: 0 for no or wrong information, 1 for some, 2
/// for the error and its place, 3 if there is also what to do. A request that the registry now carries out counts as 3.
@Suite struct `What a publisher is told` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        /// `nil` if the request is now carried out.
        var code: String?
        /// Words of the answer: the error, its place, and what to do next.
        var what: String
        var place: String
        var next: String
        var ask: @Sendable (Ground) throws -> WireAnswer

        init(
            _ name: String, _ status: Int, _ code: String?, _ what: String = "", in place: String = "",
            next: String = "", _ ask: @escaping @Sendable (Ground) throws -> WireAnswer
        ) {
            (testDescription, self.status, self.code) = (name, status, code)
            (self.what, self.place, self.next, self.ask) = (what, place, next, ask)
        }
    }

    /// A registry with a bundle of two releases, the first of them withdrawn, and a bundle that is not published.
    struct Ground: Sendable {
        let registry: Registry
        let published: String
        let free: String
        let publisher: String

        init() throws {
            registry = try Registries.open()
            (published, free) = (fresh("Published"), fresh("Free"))
            try registry.publish(published, releases: 2)
            _ = try registry.withdraw(published, "1.0~1")
            publisher = try Tokens.make(registry, name: nil, scopes: ["publish"], prefix: published)
        }

        var bundle: BundleForge { BundleForge(free) }
        var channel: String { "/v1/bundles/\(published)/channels/stable" }

        func put(_ path: String, _ body: [UInt8]) throws -> WireAnswer {
            try registry.ask("PUT", path, body: body, token: Registry.adminToken)
        }

        func authorized(_ value: String?) throws -> WireAnswer {
            try registry.ask("POST", "/v1/bundles", value.map { ["Authorization: \($0)"] } ?? [], body: bundle.archive)
        }

        /// An archive of the bundle's files below a folder, with others beside it.
        func archive(_ folder: String, beside: [(String, [UInt8])] = []) -> [UInt8] {
            ForgedArchive.of(bundle.contents.map { ("\(folder)\($0.path)", $0.bytes) } + beside)
        }
    }

    static let rows = tokens + paths + archives + files + queries + channels + reads

    private static let tokens: [Row] = [
        Row("no token", 401, "unauthorized", "Send a token", in: "Authorization: Bearer", next: "Bearer wdg_") {
            try $0.authorized(nil)
        },
        Row(
            "an unknown token", 401, "unauthorized", "not known here", in: "Authorization", next: "widgetd token create"
        ) {
            try $0.authorized("Bearer wdg_0123456789")
        },
        Row(
            "a token in quotation marks", 401, "unauthorized", "quotation marks", in: "Authorization",
            next: "send it without them"
        ) {
            try $0.authorized("Bearer \"wdg_0123456789\"")
        },
        Row(
            "Basic credentials", 401, "unauthorized", "scheme Basic", in: "Authorization",
            next: "send Authorization: Bearer"
        ) {
            try $0.authorized("Basic eDp3ZGdfMTIz")
        },
        Row(
            "the scheme Token", 401, "unauthorized", "scheme Token", in: "Authorization",
            next: "send Authorization: Bearer"
        ) {
            try $0.authorized("Token \(Registry.adminToken)")
        },
        Row(
            "another prefix", 403, "forbidden", "what continues it after a dot", in: ".example.Published",
            next: ", not for "
        ) {
            try $0.registry.post($0.bundle.archive, token: $0.publisher)
        },
        Row(
            "a missing scope", 403, "forbidden", "does not have the scope", in: "the scope withdraw",
            next: "use one that has"
        ) {
            try $0.registry.write("DELETE", "/v1/bundles/\($0.published)/releases/1.1~1", token: $0.publisher)
        },
    ]

    private static let paths: [Row] = [
        Row("-T without the slash", 201, nil) {
            try $0.put("/v1/bundles", $0.bundle.with { $0.version = "1.1" }.archive)
        },
        Row("-T x.ipa", 201, nil) {
            try $0.put("/v1/bundles/x.ipa", $0.archive("Payload/Weather.app/", beside: [("iTunesArtwork", [3])]))
        },
        Row(
            "-T x.tgz", 400, "not-a-zip", "is gzip (.gz, .tgz), not a zip", in: "What was sent",
            next: "zip -r WidgetDemo.zip"
        ) {
            try $0.put("/v1/bundles/x.tgz", [0x1F, 0x8B, 8, 0] + Array(repeating: 7, count: 600))
        },
        Row("-T x", 201, nil) { try $0.put("/v1/bundles/x", $0.bundle.with { $0.version = "1.2" }.archive) },
        Row(
            "-d in place of --data-binary", 400, "not-a-zip", "curl -d takes them out", in: "no end of a line",
            next: "--data-binary @FILE"
        ) {
            let stripped = $0.bundle.archive.filter { $0 != 0 && $0 != 10 && $0 != 13 }
            return try $0.registry.ask(
                "POST", "/v1/bundles", ["Content-Type: application/x-www-form-urlencoded"], body: stripped,
                token: Registry.adminToken)
        },
        Row(
            "a form field channel", 400, "malformed-request", "that is not a file", in: "The form has a field",
            next: "?channel=beta"
        ) {
            try $0.registry.ask(
                "POST", "/v1/bundles", ["Content-Type: multipart/form-data; boundary=B"],
                body: Array("--B\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nbeta\r\n--B--\r\n".utf8),
                token: Registry.adminToken)
        },
    ]

    private static let archives: [Row] = [
        Row("not a zip", 400, "not-a-zip", "does not begin like a zip archive", in: "What was sent", next: "curl -T ") {
            try $0.registry.post(Array("hello, this is no archive".utf8))
        },
        Row(
            "empty", 400, "not-a-zip", "nothing was sent, or the file is empty", in: "The request has no body",
            next: "curl -T "
        ) { try $0.registry.post([]) },
        Row(
            "cut off", 400, "not-a-zip", "it was cut off, on its way", in: "the 200 bytes that arrived",
            next: "send it again; nothing was stored"
        ) {
            try $0.registry.post(Array($0.bundle.archive.prefix(200)))
        },
        Row("encrypted", 422, "archive-refused", "encrypted", in: "Localizable.strings", next: "Pack the bundle again")
        {
            var forge = ZipForge($0.bundle.contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) })
            forge.entries[1].both(\.flags, 1)
            return try $0.registry.post(forge.build().bytes)
        },
        Row(
            "no Info.plist", 422, "info-plist-missing", "Info.plist is missing", in: "beside Feed.json",
            next: "Put the bundle's"
        ) {
            try $0.registry.post(ForgedArchive.of([("Feed.json", Array("{}".utf8))]))
        },
        Row("an .xcarchive", 201, nil) {
            try $0.registry.post(
                $0.with("1.3").archive(
                    "W.xcarchive/Products/Applications/Weather.app/",
                    beside: [("W.xcarchive/Info.plist", $0.bundle.infoPlist), ("W.xcarchive/dSYMs/a", [1])]))
        },
        Row(
            "two bundles", 422, "archive-refused", "two bundles", in: "One.bundle and Two.bundle", next: "one at a time"
        ) {
            let plist = $0.bundle.infoPlist
            return try $0.registry.post(
                ForgedArchive.of([("One.bundle/Info.plist", plist), ("Two.bundle/Info.plist", plist)]))
        },
        Row("70 MB", 413, "too-large", "larger than", in: "67108864", next: "this route takes") {
            try $0.registry.ask(
                "POST", "/v1/bundles", ["Content-Length: 70000000", "Expect: 100-continue"], token: Registry.adminToken)
        },
        Row(
            "a bomb of spaces", 422, "expansion-refused", "compression ratio", in: "a.strings",
            next: "Leave out what the bundle does not need"
        ) {
            try $0.registry.post($0.bundle.adding("a.strings", bytes: Array(repeating: 32, count: 3 << 20)).archive)
        },
        Row(
            "the same version with other files", 409, "release-exists", "other content", in: "Published",
            next: "Raise CFBundleVersion"
        ) {
            try $0.registry.post(BundleForge($0.published, "1.1", text: "Other").archive)
        },
    ]

    private static let files: [Row] = [
        Row(
            "a bad identifier", 422, "info-plist-invalid", "not an identifier", in: "Info.plist",
            next: "Write an identifier such as"
        ) {
            try $0.registry.post(BundleForge("nodots").archive)
        },
        Row(
            "an empty version", 422, "info-plist-invalid", "CFBundleShortVersionString is not a version",
            in: "Info.plist", next: "Write a version such as"
        ) {
            try $0.registry.post(BundleForge($0.free, "").archive)
        },
        Row(
            "JSON with a comma too many", 422, "invalid-json", "there is a comma before the end", in: "bad.json:1:",
            next: "Correct the file"
        ) {
            try $0.registry.post($0.bundle.adding("bad.json", "{\"a\": 1,}").archive)
        },
        Row(
            "strict with a text file", 422, "policy-refused", "stripped", in: "notes.txt",
            next: "remove it, or publish without strict"
        ) {
            try $0.registry.post($0.bundle.adding("notes.txt", "x").archive, "strict=true")
        },
        Row(
            "a program called logo.png", 422, "entry-refused", "its name says", in: "logo.png",
            next: "Remove the file from the bundle"
        ) {
            try $0.registry.post(
                $0.bundle.adding(
                    "logo.png", bytes: [0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1] + Array(repeating: 0, count: 40)
                )
                .archive)
        },
    ]

    private static let queries: [Row] = [
        Row(
            "rollout=25%", 400, "malformed-request", "not \u{201C}25%\u{201D}", in: "rollout",
            next: "basis points from 0 to 10000"
        ) {
            try $0.registry.post($0.bundle.archive, "rollout=25%25")
        },
        Row(
            "rollout=20000", 400, "malformed-request", "not \u{201C}20000\u{201D}", in: "rollout",
            next: "from 0 to 10000"
        ) {
            try $0.registry.post($0.bundle.archive, "rollout=20000")
        },
        Row(
            "channel=Be ta", 400, "malformed-request", "not \u{201C}Be ta\u{201D}", in: "channel",
            next: "has to be a channel's name"
        ) {
            try $0.registry.post($0.bundle.archive, "channel=Be%20ta")
        },
        Row(
            "dryRun=1", 400, "malformed-request", "has to be true or false, not \u{201C}1\u{201D}", in: "dryRun",
            next: "true or false"
        ) {
            try $0.registry.post($0.bundle.archive, "dryRun=1")
        },
        Row(
            "a misspelt query name", 400, "malformed-request", "There is no parameter",
            in: "\u{201C}dryrun\u{201D} on this route",
            next: "did you mean dryRun?"
        ) {
            try $0.registry.post($0.bundle.archive, "dryrun=true")
        },
    ]

    private static let channels: [Row] = [
        Row("no If-Match", 428, "precondition-required", "Send If-Match", in: "of the channel", next: "with the ETag") {
            try $0.registry.write("PUT", $0.channel, "{\"release\": \"1.1~1\"}")
        },
        Row(
            "a stale If-Match", 412, "precondition-failed", "has changed since", in: "it shows 1.1~1, sequence",
            next: "Fetch it again"
        ) {
            try $0.registry.write("PUT", $0.channel, "{\"release\": \"1.1~1\"}", "If-Match: \"old\"")
        },
        Row(
            "an unknown release", 404, "no-such-release", "has no release", in: "\u{201C}9.9~9\u{201D}",
            next: "/releases lists those it has"
        ) {
            try $0.registry.write("PUT", $0.channel, "{\"release\": \"9.9~9\"}", "If-Match: *")
        },
        Row(
            "a member rolout", 400, "malformed-request", "Unknown member \\\"rolout\\\"", in: "\"column\":",
            next: "there are release, rollout"
        ) {
            try $0.registry.write("PUT", $0.channel, "{\"release\": \"1.1~1\", \"rolout\": 1}", "If-Match: *")
        },
        Row(
            "a rollout of 0.5", 400, "malformed-request", "is not a whole number", in: "\"column\":",
            next: "not the JSON this route takes"
        ) {
            try $0.registry.write("PUT", $0.channel, "{\"release\": \"1.1~1\", \"rollout\": 0.5}", "If-Match: *")
        },
        Row(
            "nothing to go back to", 409, "no-earlier-release", "has shown nothing else",
            in: "Channel \u{201C}stable\u{201D}",
            next: "Name a release"
        ) {
            try $0.registry.rollback($0.published)
        },
    ]

    private static let reads: [Row] = [
        Row("a withdrawn release", 410, "withdrawn", "was withdrawn at", in: "1.0~1", next: "/releases/1.0~1/restore") {
            try $0.registry.release($0.published, "1.0~1")
        },
        Row(
            "no such widget", 404, "no-such-widget", "No published bundle identifier", in: "nobody.knows.This",
            next: "/v1/bundles lists"
        ) {
            try $0.registry.resolve("nobody.knows.This")
        },
        Row(
            "no such channel", 404, "no-such-channel", "has no channel", in: "\u{201C}nowhere\u{201D}",
            next: "/channels lists those it has"
        ) {
            try $0.registry.resolve($0.published, "channel=nowhere")
        },
        Row("a wrong digest", 400, "digest-mismatch", "What arrived", in: "Content-Digest", next: "send it again") {
            try $0.registry.post($0.bundle.archive, "", "Content-Digest: \(BundleForge.digestField([1]))")
        },
        Row(
            "Aviry.zip for Sample.bundle", 404, "not-found", "The archive's folder is Sample.bundle",
            in: "not Aviry.bundle", next: "ask for Sample.zip"
        ) {
            try $0.registry.get("/v1/widgets/\($0.published)/Aviry.zip")
        },
    ]

    @Test
    func `The 42 refusals of the trial and its near misses score 2.8 of 3 or more on average, and never 0`()
        throws
    {
        let ground = try Ground()
        // Basic and Token were one row of the trial.
        #expect(Self.rows.count == 44)
        var sum = 0
        for row in Self.rows {
            let answer = try row.ask(ground)
            let score = Self.score(row, answer)
            #expect(score > 0, "\(row.testDescription): \(answer.status) \(answer.text)")
            #expect(score == 3, "\(row.testDescription) is \(score): \(answer.status) \(answer.text)")
            sum += score
        }
        #expect(Double(sum) / Double(Self.rows.count) >= 2.8)
    }

    private static func score(_ row: Row, _ answer: WireAnswer) -> Int {
        guard answer.status == row.status, row.code == nil || answer.problemCode == row.code else { return 0 }
        let words = [row.what, row.place, row.next]
        return words.prefix { $0.isEmpty || answer.text.contains($0) }.count
    }

    /// A short word is in every answer: "200" in its size, "Sample" in its identifier.
    @Test func `The words that a refusal of the trial needs are specific`() {
        for row in Self.rows where row.code != nil {
            #expect(row.what.count >= 8 && row.next.count >= 8, "\(row.testDescription)")
            #expect(Set([row.what, row.place, row.next]).count == 3 && row.place.count >= 5, "\(row.testDescription)")
        }
    }
}

extension `What a publisher is told`.Ground {
    /// The same with another version of the free bundle.
    fileprivate func with(_ version: String) -> VersionedGround { VersionedGround(bundle: BundleForge(free, version)) }
}

private struct VersionedGround {
    let bundle: BundleForge

    func archive(_ folder: String, beside: [(String, [UInt8])]) -> [UInt8] {
        ForgedArchive.of(bundle.contents.map { ("\(folder)\($0.path)", $0.bytes) } + beside)
    }
}
