import CommandSupport
import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetBuild
import WidgetTestSupport

/// Goal: nothing is published by mistake, and users and scripts learn the result of publishing. Method: the built
/// programs, with sources as `widget new` writes them.
@Suite(.callingThreads) struct `widget publish` {
    private let registry: Registry
    private let folder: Folder
    private var environment: [String: String] {
        ["WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken]
    }

    init() throws {
        registry = try Registry()
        folder = try Folder()
        try #require(try Program.run(["new", "Fresh"], in: folder.url).exitCode == 0)
    }

    private func publish(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["publish"] + arguments, environment: environment, in: folder.url)
    }

    /// Writes the folder of the bundle that is built from a source.
    private func build(_ source: String, as bundle: String) throws {
        let compiled = try BundleCompiler(Corpus.tree(at: folder.path(source)), folder: source)
        for file in compiled.files { try folder.write("\(bundle)/\(file.path)", file.bytes) }
    }

    private func version(_ version: String) throws {
        let path = folder.path("Fresh/Info.plist")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let key = "<key>CFBundleShortVersionString</key>"
        let start = try #require(text.range(of: key))
        let old = try #require(text[start.upperBound...].firstMatch(of: /<string>[^<]*<\/string>/))
        try text.replacingCharacters(in: old.range, with: "<string>\(version)</string>")
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `publish builds a folder of sources, so that hosts get its screens`() throws {
        let published = try publish("Fresh", "--strict")
        #expect(published.exitCode == 0, "\(published.error)")
        #expect(published.output.contains("note    ") && !published.output.contains("warning"))
        let files = try registry.get("/v1/bundles/com.example.Fresh/releases/1.0~1/files").texts("items", "path")
        #expect(files.contains { $0.contains("Main.storyboardc/") && $0.hasSuffix(".nib") })
        #expect(!files.contains { $0.hasSuffix(".storyboard") })
    }

    @Test func `publish sends nothing when sources cannot be built, and reports the place`() throws {
        try folder.write("Fresh/Main.storyboard", Array("<document".utf8))
        let published = try publish("Fresh")
        #expect(published.exitCode == 1 && published.error.hasPrefix("error: Fresh/Main.storyboard:1:"))
        #expect(try registry.get("/v1/bundles/com.example.Fresh").status == 404)
    }

    @Test func `publish sends no source with an error, and under strict none with a warning`() throws {
        try SmallSource.write("Small", to: folder)
        let scheme = "Small/\(SmallSource.scheme)"
        let text = try String(decoding: folder.bytes(scheme), as: UTF8.self)
        try folder.write(scheme, Array(text.replacing("\"entityName\"", with: "\"entityNam\"").utf8))
        let wrong = try publish("Small")
        #expect(wrong.exitCode == 1 && wrong.error.hasPrefix("error: \(scheme):4:71 "), "\(wrong.error)")
        #expect(wrong.error.contains("\nerror: Small is not published: 2 errors\n"))
        try folder.write(scheme, Array(text.replacing("\"placeholder\"", with: "\"placehoder\"").utf8))
        let doubtful = try publish("Small", "--strict")
        #expect(doubtful.exitCode == 1 && doubtful.error.contains("error: Small is not published: 2 warnings\n"))
        #expect(doubtful.error.hasSuffix("\nhint: --strict was given; without it, only errors stop the command\n"))
        #expect(try registry.get("/v1/bundles/com.example.Notes").status == 404)
        let published = try publish("Small")
        #expect(published.exitCode == 0 && published.error.hasPrefix("warning: \(scheme):20:64 "))
        #expect(!published.output.contains("placehoder"))
    }

    @Test func `The registry's report of a scheme names an order that its screen places, and a place without a value`()
        throws
    {
        try SmallSource.writeOrdering("Small", to: folder)
        let published = try publish("Small")
        let named = ["sends notes when the screen opens", "gives notes no value for $id"]
        #expect(published.exitCode == 0 && named.allSatisfy { published.error.contains($0) }, "\(published.error)")
        let report = try registry.get("/v1/bundles/com.example.Notes/releases/1.0~1/report")
        let codes = report.texts("report.findings", "code")
        #expect(codes.contains("sent-on-load") && codes.contains("unfilled"), "\(report.text)")
        let details = report.texts("report.findings", "detail")
        #expect(named.allSatisfy { name in details.contains { $0.contains(name) } }, "\(details)")
    }

    @Test(arguments: [false, true])
    func `publish warns about the program of an archive or a bundle's folder, and under strict sends nothing`(
        isFolder: Bool
    ) throws {
        try SmallSource.write("Small", to: folder)
        let scheme = "Small/\(SmallSource.scheme)"
        let text = try String(decoding: folder.bytes(scheme), as: UTF8.self)
        try folder.write(scheme, Array(text.replacing("\"placeholder\"", with: "\"placehoder\"").utf8))
        let path = isFolder ? "Notes.bundle" : "Made.zip"
        if isFolder {
            try build("Small", as: path)
        } else {
            try #require(try Program.run(["build", "Small", "-o", path], in: folder.url).exitCode == 0)
        }
        let strict = try publish(path, "--strict")
        let warning = "warning: \(path): \(SmallSource.scheme):20:64 "
        #expect(strict.exitCode == 1 && strict.error.hasPrefix(warning), "\(strict.error)")
        #expect(strict.error.contains("\nerror: \(path) is not clean, and --strict was given\n"))
        #expect(try registry.get("/v1/bundles/com.example.Notes").status == 404)
        let published = try publish(path)
        #expect(published.exitCode == 0 && published.error.hasPrefix(warning), "\(published.error)")
        #expect(published.error.ranges(of: "placehoder [unknown-key], and 1 more there: ").count == 1)
        #expect(try registry.get("/v1/bundles/com.example.Notes").status == 200)
    }

    @Test func `publish says once what is wrong with the program of an archive, and sends it`() throws {
        try SmallSource.write("Small", to: folder)
        try build("Small", as: "Notes.bundle")
        let scheme = "Notes.bundle/\(SmallSource.scheme)"
        let text = try String(decoding: folder.bytes(scheme), as: UTF8.self)
        let changed = text.replacing("\"entityName\": \"Note\"", with: "\"entityName\": \"Noet\"")
            .replacing("\"OnLoadActionController\"", with: "\"OnLoadActionControler\"")
        try #require(changed != text)
        try folder.write(scheme, Array(changed.utf8))
        let published = try publish("Notes.bundle")
        #expect(published.exitCode == 0)
        #expect(published.error.hasPrefix("error: Notes.bundle: \(SmallSource.scheme):4:"), "\(published.error)")
        #expect(published.error.contains("shows Noet, which the model does not have [unknown-entity]\n"))
        // The registry finds the same, and what was said is not repeated.
        #expect(published.error.ranges(of: "OnLoadActionControler").count == 1, "\(published.error)")
        #expect(!published.output.contains("OnLoadActionControler"), "\(published.output)")
    }

    @Test func `publish shows a finding of a folder of sources once, with the path of the author's file`() throws {
        try SmallSource.write("Small", to: folder)
        let service = "Small/StubService.json"
        let text = try String(decoding: folder.bytes(service), as: UTF8.self)
        try folder.write(service, Array(text.replacing("https://", with: "http://").utf8))
        let published = try publish("Small")
        #expect(published.exitCode == 0 && published.error.hasPrefix("warning: \(service):2:"), "\(published.error)")
        #expect((published.error + published.output).ranges(of: "[plain-http]").count == 1, "\(published.output)")
    }

    @Test func `publish and inspect treat a folder of sources in the same way`() throws {
        let inspected = try Program.run(["inspect", "Fresh"], in: folder.url)
        #expect(inspected.exitCode == 0 && inspected.output.contains("Main.storyboardc"))
        #expect(!inspected.output.contains("no-interface") && !inspected.output.contains("not on the allow-list"))
    }

    @Test func `publish warns before it sends an archive of sources, and refuses it under strict`() throws {
        let files = Corpus.tree(at: folder.path("Fresh")).sorted { $0.key < $1.key }
        let archive = ZipForge(files.map { .init(Array("Fresh.bundle/\($0.key)".utf8), $0.value) }).build().bytes
        let path = try folder.write("Fresh.zip", archive)
        let published = try publish(path)
        let lines = published.output.split(separator: "\n")
        #expect(published.exitCode == 0)
        #expect(
            lines.first?.contains("[no-interface]") == true && lines.dropFirst().first?.contains("[sources]") == true)
        let strict = try publish(path, "--strict")
        #expect(strict.exitCode == 1 && strict.output.split(separator: "\n").first?.contains("[no-interface]") == true)
        let answer = try registry.post(archive, "strict=true")
        #expect(answer.status == 422 && answer.problemCode == "policy-refused")
        #expect(answer.texts("errors", "code").prefix(2) == ["no-interface", "sources"])
    }

    @Test func `publish names a channel that it made, and does not mention the usual one`() throws {
        #expect(try !publish("Fresh").output.contains("new-channel"))
        try version("1.1")
        let slip = try publish("Fresh", "--channel", "stabel", "--new-channel")
        #expect(slip.exitCode == 0)
        #expect(
            slip.output.contains(
                "warning Info.plist: the channel stabel did not exist before; there is stable [new-channel]\n"))
        try version("1.2")
        #expect(try !publish("Fresh", "--channel", "stabel").output.contains("new-channel"))
    }

    @Test func `publish says in its document and in its text that it was a dry run`() throws {
        let text = try publish("Fresh", "--dry-run")
        #expect(text.exitCode == 0)
        #expect(
            text.output.hasSuffix(
                "com.example.Fresh 1.0~1 would be published, on stable; this was a dry run, and nothing was stored\n"))
        let json = try JSONValue(parsing: Array(try publish("Fresh", "--dry-run", "--json").output.utf8))
        #expect(json["dryRun"]?.boolean == true)
        #expect(try registry.get("/v1/bundles/com.example.Fresh").status == 404)
        let real = try JSONValue(parsing: Array(try publish("Fresh", "--json").output.utf8))
        #expect(real["dryRun"] == nil && real["changed"]?.boolean == true)
    }

    @Test func `publish ends with 4 when the release was stored and its channel shows another (A14)`() throws {
        try version("2.0")
        #expect(try publish("Fresh").exitCode == 0)
        try version("1.5")
        let older = try publish("Fresh")
        #expect(older.exitCode == 4)
        #expect(
            older.output.contains("[older-than-channel]") && older.output.hasSuffix(" is published, on no channel\n"))
        #expect(older.error.hasPrefix("error: 1.5~1 is stored, and channel stable shows another release still\nhint: "))
        #expect(try publish("Fresh", "--dry-run").exitCode == 4)
        #expect(try publish("Fresh", "--force-promotion").exitCode == 0)
    }

    @Test
    func `publish shows the findings here before a refusal, in words of the command line`()
        throws
    {
        #expect(try publish("Fresh").exitCode == 0)
        try folder.write("Fresh/more.json", Array("{\"more\": 1}".utf8))
        let refused = try publish("Fresh")
        #expect(refused.exitCode == 1)
        #expect(refused.output.contains("kept "))
        let lines = refused.error.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("error: "))
        #expect(lines[1].hasPrefix("for reports: release-exists, status 409, request "))
        #expect(lines[1].contains(", stored ") && lines[1].contains(", offered "))
        #expect(!refused.error.contains("hint: type"))
        let back = try Program.run(
            ["rollback", "com.example.Fresh", "--channel", "stable"], environment: environment)
        #expect(back.exitCode == 1 && back.error.contains("\nhint: `--to RELEASE` names one"))
        #expect(!back.error.contains("{\"to\""))
        let missing = try Program.run(["show", "com.example.Fresh", "9~9"], environment: environment)
        #expect(missing.error.contains("hint: `widget show ID`") && !missing.error.contains("/v1/"))
    }

    @Test(arguments: ["--dryrun", "--chanel", "--rolout"])
    func `publish refuses an unknown option, with the nearest known one`(_ option: String) throws {
        let result = try publish("Fresh", option)
        #expect(result.exitCode == 2 && result.error.contains("hint: did you mean `--"))
        let twice = try publish("Fresh", "--channel", "a", "--channel", "b")
        #expect(twice.exitCode == 2 && twice.error.contains("more than once"))
        #expect(try registry.get("/v1/bundles/com.example.Fresh").status == 404)
    }

    @Test func `publish and promote make no channel by a slip, and channel delete deletes none without a word`() throws
    {
        // The first release of a bundle makes its channel.
        #expect(try publish("Fresh", "--channel", "beta").exitCode == 0)
        try version("1.1")
        for (words, option) in [
            (["publish", "Fresh", "--channel", "bata"], "--new-channel"),
            (["publish", "Fresh", "--channel", "bata", "--dry-run"], "--new-channel"),
            (["promote", "com.example.Fresh", "1.0~1", "--channel", "bata"], "--new-channel"),
            (["channel", "delete", "com.example.Fresh", "beta"], "--yes"),
        ] {
            let refused = try Program.run(words, environment: environment, in: folder.url)
            #expect(refused.exitCode == 1 && refused.error.contains(option), "\(words): \(refused.error)")
            #expect(option == "--yes" || refused.error.contains("there is beta"))
            let channels = try registry.get("/v1/bundles/com.example.Fresh/channels").texts("items", "channel")
            #expect(channels == ["beta"])
        }
        #expect(try registry.get("/v1/bundles/com.example.Fresh/releases/1.1~1").status == 404)
        #expect(try publish("Fresh", "--channel", "bata", "--new-channel").exitCode == 0)
    }

    @Test func `A terminal asks before a channel is made or deleted, and takes a yes alone for one`() throws {
        #expect(try publish("Fresh").exitCode == 0)
        func answer(_ text: String, _ words: [String], _ status: Int32) throws {
            let terminal = try CalledTerminal(words, environment: environment)
            #expect(terminal.waits(for: "[y/N] "))
            terminal.type("\(text)\n")
            #expect(terminal.end() == .exited(status), "\(terminal.shown)")
        }
        let promote = ["promote", "com.example.Fresh", "1.0~1", "--channel", "beta"]
        let delete = ["channel", "delete", "com.example.Fresh", "beta"]
        let channel = "/v1/bundles/com.example.Fresh/channels/beta"
        try answer("", promote, 1)
        try answer("no", promote, 1)
        #expect(try registry.get(channel).status == 404)
        try answer("y", promote, 0)
        try answer("n", delete, 1)
        #expect(try registry.get(channel).status == 200)
        try answer("yes", delete, 0)
        #expect(try registry.get(channel).status == 404)
    }

    @Test func `A dry run of a rollback names the release that it leads to, and changes nothing`() throws {
        #expect(try publish("Fresh").exitCode == 0)
        try version("1.1")
        #expect(try publish("Fresh").exitCode == 0)
        let rollback = ["rollback", "com.example.Fresh", "--channel", "stable"]
        let dry = try Program.run(rollback + ["--dry-run"], environment: environment)
        #expect(dry.exitCode == 0 && dry.output == "stable would show 1.0~1, to all hosts; nothing was changed\n")
        #expect(try registry.get("/v1/bundles/com.example.Fresh/channels/stable").text("release") == "1.1~1")
        #expect(try Program.run(rollback, environment: environment).output.hasPrefix("stable shows 1.0~1 "))
        let refused = try Program.run(rollback + ["--dry-run"], environment: environment)
        #expect(refused.exitCode == 1 && refused.error.contains("no-earlier-release"))
    }

    @Test func `publish prints the lines that a registry gives for text/plain, as widget report does`() throws {
        let printed = try publish("Fresh", "--note", "first")
        let asked = try registry.ask(
            "GET", "/v1/bundles/com.example.Fresh/releases/1.0~1/report", ["Accept: text/plain"])
        let reported = try Program.run(["report", "com.example.Fresh", "1.0~1"], environment: environment)
        #expect(asked.text == reported.output)
        #expect(printed.output.contains(asked.text))
    }
}

/// Goal: every command that shows a release shows its publisher's note. Method: a release with a note in a registry,
/// and each of the commands.
@Suite(.callingThreads) struct `A note on a release` {
    @Test func `A note is shown by every command that shows the release, and the first one stays`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let archive = try folder.write("a.zip", SampleBundle.archive())
        let registry = try Registry()
        func run(_ words: String...) throws -> String {
            let result = try Program.run(
                words,
                environment: [
                    "WIDGET_SERVER": "http://127.0.0.1:\(registry.port)", "WIDGET_TOKEN": Registry.adminToken,
                ])
            #expect(result.exitCode == 0, "\(result.error)")
            return result.output
        }
        #expect(try run("publish", archive, "--note", "Works on Sundays", "--json").contains("Works on Sundays"))
        #expect(try run("publish", archive, "--note", "Something else").contains("was there already"))
        #expect(try run("show", "com.example.Sample", "1.0~1").contains("\nnote      Works on Sundays\n"))
        #expect(try run("report", "com.example.Sample", "1.0~1").hasPrefix("note Works on Sundays\n"))
        let listed = try run("show", "com.example.Sample").split(separator: "\n")
        #expect(listed.contains { $0.hasPrefix("RELEASE") && $0.hasSuffix("NOTE") })
        #expect(listed.contains { $0.hasPrefix("1.0~1") && $0.hasSuffix("Works on Sundays") })
    }
}

/// Goal: the samples for authors are accepted by the strictest registry. Method: each sample is built from its source
/// by the program, and published with `--strict`.
@Suite(.callingThreads) struct `The samples in source form` {
    @Test(arguments: SampleSources.names)
    func `The samples are built and published without a warning`(_ name: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let archive = folder.path("\(name).zip")
        let built = try Program.run(["build", "\(SampleSources.folder)/\(name)", "-o", archive])
        #expect(built.exitCode == 0, "\(built.error)")
        let registry = try Registry()
        let published = try Program.run(
            ["publish", archive, "--strict", "--channel", "stable"],
            environment: [
                "WIDGET_SERVER": "http://127.0.0.1:\(registry.port)", "WIDGET_TOKEN": Registry.adminToken,
            ])
        #expect(published.exitCode == 0, "\(published.error)")
        let listed = try Program.run(["list", "com.example.\(name)", "--server", "http://127.0.0.1:\(registry.port)"])
        #expect(listed.output.contains("stable 1.0~1"), "\(listed.output)")
    }
}
