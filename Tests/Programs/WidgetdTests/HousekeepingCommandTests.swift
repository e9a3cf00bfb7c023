import ConformanceSupport
import Foundation
import Glibc
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// The commands that work on a whole store, as an owner types them: beside a running server, and without one.
@Suite struct `The owner's commands` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-owner-\(UUID().uuidString)")

    private var data: String { folder.appending(path: "data").path }

    private func run(
        _ arguments: String..., settings: [String: String] = [:], clock: (any Clock)? = nil
    ) throws -> BuiltProgram.Result {
        try Program.run(arguments + ["--data", data], environment: settings, clock: clock)
    }

    private func serving(
        _ settings: [String: String] = [:], in place: TestedServer.Place = .here, clock: ManualClock? = nil,
        _ body: (RunningProgram) throws -> Void
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try RunningProgram(
            ["--seed", Corpus.repositoryRoot + "/Bundles"], data: data, environment: settings, in: place, clock: clock)
        defer {
            server.signal(SIGTERM)
            _ = server.wait()
        }
        try body(server)
    }

    /// A folder, and all that is in it.
    private static func all(of folder: String) throws -> [String] {
        try [folder] + FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test func `The owner's commands have the same result with and without a running server`() throws {
        defer { clean() }
        let file = folder.appending(path: "backup.tar").path
        func work(_ name: String) throws {
            let scrub = try run("scrub")
            #expect(scrub.exitCode == 0 && scrub.output.contains("everything is as it was stored"), "\(name): \(scrub)")
            let foretold = try run("gc", "--dry-run", "--json")
            #expect(foretold.exitCode == 0 && foretold.output.contains("\"dryRun\":true"), "\(name): \(foretold)")
            #expect(try run("gc").exitCode == 0)
            let backup = try run("backup", file)
            #expect(backup.exitCode == 0, "\(name): \(backup)")
            #expect(try TarListing.last(file) == "SHA256SUMS")
            #expect(try run("scrub", "--rate", "fast").exitCode == 2)
            #expect(try run("backup", folder.path + "/nowhere/b.tar").exitCode == 1)
        }
        // The lock is another process's: of this one it might be that of a server that was killed before.
        try serving(in: .process) { _ in
            try work("serving")
            for command in [["reindex"], ["restore", file]] {
                let refused = try Program.run(command + ["--data", data])
                #expect(refused.exitCode == 1 && refused.error.contains("is in use by widgetd"), "\(refused)")
            }
        }
        try work("stopped")
        #expect(try run("reindex").exitCode == 0)
        #expect(try run("restore", file).exitCode == 0)
        #expect(try run("restore", Program.url.path).exitCode == 1)
        try serving { _ in
            let scrub = try run("scrub")
            #expect(scrub.exitCode == 0)
        }
    }

    @Test func `What would expire is listed first, changed rules wait for a word, and usage shows the rest`() throws {
        defer { clean() }
        let rules = ["WIDGETD_RETENTION_RULES": "com.example.none last=1", "WIDGETD_RETENTION_ROLLBACKS": "0"]
        try serving(rules) { server in
            // Nothing is old enough to go.
            let foretold = try run("gc", "--dry-run")
            #expect(foretold.exitCode == 0 && !foretold.output.contains("would expire"), "\(foretold)")
            #expect(try run("usage", "--prefix", "a b").exitCode == 2)
            #expect(try run("usage", "--prefix", "*").exitCode == 2)
            let usage = try run("usage")
            #expect(usage.exitCode == 0 && usage.output.hasPrefix("PREFIX"), "\(usage)")
            #expect(usage.output.contains("com.example.none") && usage.output.contains("last=1"), "\(usage)")
            let document = try run("usage", "--prefix", "com.example", "--json")
            #expect(document.output.hasPrefix("{\"prefixes\":[{\"prefix\":\"com.example\",\"bytes\":"), "\(document)")
        }
        // The same without a server, three days later and by other rules.
        let later = ManualClock(date: .seconds(Int64(Date().timeIntervalSince1970) + 3 * 86_400))
        let settings = ["WIDGETD_RETENTION_RULES": "* age=1d", "WIDGETD_RETENTION_ROLLBACKS": "0"]
        let kept = try run("usage", "--json", settings: settings, clock: later)
        #expect(kept.output.contains("\"retention\":\"* age=1d\""), "\(kept)")
        let done = try run("gc", "--yes", settings: settings, clock: later)
        // Channels show all of the seed.
        #expect(done.exitCode == 0 && !done.output.contains("have expired"), "\(done)")
    }

    @Test func `A collection says what expires by which rule, and --yes has changed rules applied at once`() throws {
        let home = try Home()
        let server = try Registry(home: home)
        for version in ["1.0", "1.1", "1.2"] { try server.publish(BundleForge("com.acme.Old", version)) }
        server.signal(SIGTERM)
        _ = server.waitUntilExit()
        let settings = ["WIDGETD_RETENTION_RULES": "com.acme last=1", "WIDGETD_RETENTION_ROLLBACKS": "0"]
        let later = ManualClock(date: .seconds(Int64(Date().timeIntervalSince1970) + 3 * 86_400))
        func gc(_ arguments: String...) throws -> String {
            let ended = try Program.run(
                ["gc", "--data", home.data.path] + arguments, environment: settings, clock: later)
            try #require(ended.exitCode == 0, "\(ended)")
            return ended.output
        }
        // On the day of their publication hosts may still ask for them.
        let early = try Program.run(["gc", "--data", home.data.path, "--dry-run"], environment: settings)
        #expect(early.output.contains("2 releases would follow within a day, "), "\(early)")
        #expect(early.output.contains("\n  com.acme.Old 1.0~1, ") && !early.output.contains("would expire"), "\(early)")
        let waits =
            "changed rules wait: by them 2 of 3 releases would go once no host asks for them any more; nothing expires before "
        let foretold = try gc("--dry-run")
        #expect(foretold.contains("2 releases would expire by com.acme last=1, "), "\(foretold)")
        for key in ["1.0~1", "1.1~1"] { #expect(foretold.contains("\n  com.acme.Old \(key), "), "\(foretold)") }
        #expect(!foretold.contains("1.2~1"), "\(foretold)")
        // Until a collection has begun the wait, it has no end that moves with the clock.
        #expect(foretold.contains(waits + "a day after the next collection, and --yes applies them at once\n"))
        let waiting = try gc()
        #expect(waiting.contains(waits + "20") && waiting.contains(", and --yes applies them at once\n"), "\(waiting)")
        #expect(!waiting.contains("have expired"), "\(waiting)")
        // Without the server's settings there are no rules, and those that wait do so still.
        let bare = try Program.run(["gc", "--data", home.data.path], clock: later)
        #expect(bare.exitCode == 0 && !bare.output.contains("changed rules"), "\(bare)")
        func wait(_ output: String) -> Substring? { output.split(separator: "\n").first { $0.contains("rules wait") } }
        #expect(try wait(gc("--dry-run")) == wait(waiting))
        let done = try gc("--yes")
        #expect(done.contains("2 releases have expired by com.acme last=1, "), "\(done)")
        #expect(!done.contains(waits) && !done.contains("  com.acme.Old"), "\(done)")
        #expect(try !gc("--yes").contains("expire"))
    }

    @Test func `Stills of releases from before are made beside a running server and without one`() throws {
        defer { clean() }
        let still = "/w/com.example.HarbourLog/1.0~1/still/screen-1.html"
        try serving(["WIDGETD_POLICY_REVIEWS_SCREENS": "false"]) { server in
            let refused = try run("stills")
            #expect(refused.exitCode == 1 && refused.error.contains("no stills are made: policy.reviewsScreens is off"))
            let document = try run("stills", "--json")
            #expect(document.exitCode == 1 && document.output.contains("\"obstacle\":\"policy.reviewsScreens is off\""))
            #expect(try server.get("/w/com.example.HarbourLog").contains("`widgetd stills` makes them"))
            #expect(try server.get(still).hasPrefix("HTTP/1.1 404"))
        }
        let one = try run("stills", "--prefix", "com.example.HarbourLog", "--json")
        #expect(one.exitCode == 0 && one.output.contains("\"made\":1,\"failed\":0"), "\(one)")
        #expect(try run("stills", "--prefix", "com.example.Harbour", "--json").output.contains("\"made\":0"))
        #expect(try run("stills", "--prefix", "a b").exitCode == 2)
        try serving { server in
            #expect(try server.get(still).contains("The horn went every minute"))
            let others = "/w/com.example.Planetarium"
            #expect(try server.get(others).contains("`widgetd stills` makes them"))
            let rest = try run("stills")
            #expect(rest.exitCode == 0 && rest.output.contains("releases looked at to the end"), "\(rest)")
            // Its pages were read before.
            #expect(try server.get(others).contains("/still/screen-1.html"))
            let again = try run("stills")
            #expect(again.exitCode == 0 && again.output == "every release has the stills of these settings\n")
        }
    }

    @Test
    func `An export is the same beside a running server and without one, and wants consent where reads need a token`()
        throws
    {
        defer { clean() }
        let (one, other) = (folder.appending(path: "one").path, folder.appending(path: "other").path)
        try serving { _ in
            let export = try run("export", one, "--suffix=-1")
            #expect(export.exitCode == 0 && export.output.contains("serve \(one)/site"), "\(export)")
            let again = try run("export", one, "--suffix=-1", "--json")
            #expect(again.output.hasPrefix("{\"documents\":{\"written\":0,"), "\(again)")
        }
        #expect(try run("export", other, "--suffix=-1").exitCode == 0)
        let isSame = Corpus.tree(at: one + "/site") == Corpus.tree(at: other + "/site")
        #expect(isSame)
        #expect(try FileManager.default.contentsOfDirectory(atPath: one + "/site/v1/widgets").count == 16)
        #expect(try run("export", data).exitCode == 1)
        #expect(try run("export", one, "--channel", "..").exitCode == 2)
        #expect(try run("export", one, "--grace", "soon").exitCode == 2)
        #expect(try run("export", one, "--suffix", "a b").exitCode == 2)
        #expect(try run("export", one, "--widget", "..").exitCode == 2)
        let closed = ["WIDGETD_ACCESS_READ": "token"]
        let refused = try run("export", one, settings: closed)
        #expect(refused.exitCode == 2 && refused.error.contains("--public"), "\(refused)")
        #expect(try run("export", one, "--suffix=-1", "--public", settings: closed).exitCode == 0)
    }

    @Test func `A dry run of a collection removes nothing, with and without a server`() throws {
        defer { clean() }
        // Something that gc would take at once.
        let stray = "\(data)/blobs/ab/ab\(String(repeating: "0", count: 62)).zip"
        let settings = ["WIDGETD_HOUSEKEEPING_GRACE": "0s"]
        // A file is old enough a second after it was made: an hour later by the clock of the server, and of the command.
        let clock = ManualClock.today
        func rehearse(_ name: String) throws {
            try FileWork.write(String(repeating: "0", count: 1_000), to: stray)
            clock.advance(by: .seconds(3_600))
            let foretold = try run("gc", "--dry-run", settings: settings, clock: clock)
            let isForetold = foretold.output.contains("1 archive would be removed, 1000")
            #expect(foretold.exitCode == 0 && isForetold, "\(name): \(foretold)")
            #expect(FileManager.default.fileExists(atPath: stray), "\(name)")
            let done = try run("gc", settings: settings, clock: clock)
            #expect(done.exitCode == 0 && done.output.contains("1 archive removed, 1000"), "\(name): \(done)")
            #expect(!FileManager.default.fileExists(atPath: stray), "\(name)")
        }
        try serving(settings, clock: clock) { _ in try rehearse("serving") }
        try rehearse("stopped")
    }

    @Test func `A damaged store is reported with exit code 3`() throws {
        defer { clean() }
        try serving { _ in }
        for archive in FileWork.files(below: data + "/blobs", endingWith: ".zip") {
            try FileWork.append("x\n", to: archive)
        }
        let scrub = try run("scrub")
        #expect(scrub.exitCode == 3 && scrub.output.contains("it is in quarantine"), "\(scrub)")
        let backup = try run("backup", folder.appending(path: "b.tar").path)
        #expect(backup.exitCode == 3 && backup.error.contains("the store has lost it"), "\(backup)")
        #expect(try run("reindex").exitCode == 3)
        try FileWork.remove(in: data, startingWith: "catalog.sqlite")
        let start = try run("serve", "--listen", "127.0.0.1:0")
        #expect(start.exitCode == 3 && start.error.contains("widgetd reindex"), "\(start)")
    }

    /// The server is another user's: files that root makes in its directory must be that user's too.
    @Test(.enabled("needs root, to act as another user", { geteuid() == 0 }))
    func `Commands of root leave none of root's files in another user's directory`() throws {
        defer { clean() }
        try serving { _ in }
        let file = folder.appending(path: "backup.tar").path
        try FileWork.permit(folder.path, 0o755)
        for path in try Self.all(of: data) { try #require(unsafe lchown(path, 12_345, 12_346) == 0) }
        func strangers() throws -> [String] {
            try Self.all(of: data).filter { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                return (attributes[.ownerAccountID] as? NSNumber)?.intValue != 12_345
                    || (attributes[.groupOwnerAccountID] as? NSNumber)?.intValue != 12_346
            }
        }
        for command in [
            ["backup", file], ["gc"], ["scrub"], ["token", "create", "ci", "--scope", "read"], ["reindex"],
            ["restore", file],
        ] {
            // The search for leaks may not look at a process that gave up root.
            // It acts as the owner, which is for a whole process.
            let result = try Program.built.run(
                command + ["--data", data], environment: ["ASAN_OPTIONS": "detect_leaks=0"])
            #expect(result.exitCode == 0, "\(command): \(result)")
            #expect(try strangers() == [], "\(command)")
        }
        let owner = try FileManager.default.attributesOfItem(atPath: file)[.ownerAccountID] as? NSNumber
        #expect(owner?.intValue == 0)
        // Root cannot act for a user who cannot reach the directory.
        try FileWork.permit(folder.path, 0o700)
        let refused = try Program.built.run(["gc", "--data", data])
        #expect(refused.exitCode == 1 && refused.error.contains("belongs to user 12345"), "\(refused)")
        #expect(try strangers() == [])
    }

    @Test func `Changes without a server are noted, and logged by the next server`() throws {
        defer { clean() }
        try serving { _ in }
        let file = folder.appending(path: "backup.tar").path
        for command in [
            ["token", "create", "ci", "--scope", "read"], ["token", "revoke", "ci"], ["token", "revoke", "ci"],
            ["gc", "--dry-run"],
            ["backup", file], ["reindex"], ["restore", file],
        ] {
            _ = try Program.run(command + ["--data", data])
        }
        let server = try RunningProgram(data: data)
        #expect(server.logs("\"action\":\"restore-backup\""))
        let notices = server.log.split(separator: "\n").filter {
            $0.contains("\"event\":\"audit\"") && $0.contains("\"offline\":true")
        }
        let actions = notices.compactMap { line -> String? in
            guard let entry = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                return nil
            }
            return ["action", "result"].map { entry[$0] as? String ?? "?" }.joined(separator: " ")
        }
        #expect(
            actions == [
                "create-token done", "revoke-token done", "revoke-token no-such-token", "gc dry-run", "backup done",
                "reindex done", "restore-backup done",
            ], "\(server.log)")
        #expect(notices.allSatisfy { $0.contains("\"by\":\"owner\"") && $0.contains("\"at\":\"20") })
        #expect(notices.suffix(4).allSatisfy { $0.contains("\"report\":{\"") }, "\(notices)")
        #expect(!FileManager.default.fileExists(atPath: data + "/audit"))
        // Beside a server they are in its log at once.
        #expect(try run("gc").exitCode == 0)
        #expect(server.logs("\"action\":\"gc\",\"result\":\"done\",\"by\":\"owner\",\"report\":{\"dryRun\":false"))
        let again = try RunningProgram(data: folder.appending(path: "other").path)
        #expect(again.logs("server.listening") && !again.log.contains("offline"))
    }

    /// A line of a damaged archive's release, however it is found.
    @Test func `A report names the bundles whose archives are damaged, and so does the server`() throws {
        defer { clean() }
        try serving { _ in }
        for archive in FileWork.files(below: data + "/blobs", endingWith: ".zip") {
            try FileWork.append("x\n", to: archive)
        }
        let server = try RunningProgram(["--admin-listen", "127.0.0.1:0"], data: data)
        let bundle = try #require(server.greeting.firstMatch(of: /v1\/widgets\/(\S+)-1\n/)?.1)
        #expect(try server.get("/v1/widgets/\(bundle)-1/bundle").contains("/problems/blob-damaged"))
        let metrics = server.metrics
        #expect(metrics.contains("\nwidgetd_damaged_archives 1\n"))
        #expect(server.logs("the blob"))
        #expect(server.log.contains("\(bundle) "), "\(server.log)")
        let scrub = try run("scrub", "--json")
        #expect(scrub.exitCode == 3 && scrub.output.contains("\"bundleIdentifier\":\"\(bundle)\""), "\(scrub)")
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        let backup = try run("backup", folder.appending(path: "b.tar").path)
        #expect(backup.exitCode == 3 && backup.error.contains("(\(bundle) "), "\(backup)")
    }

    @Test func `A report says how many archives existed, when all are missing`() throws {
        defer { clean() }
        try serving { _ in }
        try FileWork.remove(data + "/blobs")
        let scrub = try run("scrub")
        #expect(scrub.exitCode == 3 && scrub.output.contains(/(?m)^0 of \d+ archives compared/), "\(scrub)")
        try FileWork.remove(data + "/blobs")
        let server = try RunningProgram(data: data)
        #expect(server.logs("archives.gone"))
    }

    @Test func `Every command prints one JSON line, with and without a server`() throws {
        defer { clean() }
        let file = folder.appending(path: "b.tar").path
        // No name is given twice, so each run has its own.
        func work(_ name: String) throws {
            for command in [["gc"], ["scrub"], ["backup", file], ["token", "revoke", name], ["token", "list"]] {
                if command[1...] == ["revoke", name] { _ = try run("token", "create", name, "--scope", "read") }
                let result = try Program.run(command + ["--json", "--data", data])
                #expect(result.exitCode == 0 && result.output.hasSuffix("}\n"), "\(command): \(result)")
                #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "\(command)")
            }
        }
        try serving { _ in try work("ci") }
        try work("ci2")
        let settings = try Program.run(["check", "--json"])
        #expect(
            settings.exitCode == 0 && settings.output.contains("\"data\":{\"value\":\"./data\",\"source\":\"default\"}")
        )
    }

    @Test func `A path too long for the server's socket is reported`() throws {
        defer { clean() }
        let long = folder.appending(path: String(repeating: "x", count: 100)).path
        let server = try RunningProgram(data: long)
        let result = try Program.run(["token", "list", "--data", long])
        #expect(result.exitCode == 1 && result.error.contains("its path is too long"), "\(result)")
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    @Test func `A missing catalog is reported with exit code 3, as at a start`() throws {
        defer { clean() }
        try serving { _ in }
        try FileWork.remove(in: data, startingWith: "catalog.sqlite")
        for command in [["token", "list"], ["gc"], ["scrub"], ["serve", "--listen", "127.0.0.1:0"]] {
            let result = try Program.run(command + ["--data", data])
            #expect(result.exitCode == 3 && result.error.contains("widgetd reindex"), "\(command): \(result)")
        }
    }

    @Test func `The owner's commands create no store in an empty directory`() throws {
        defer { clean() }
        for command in [["scrub"], ["gc"], ["stills"], ["backup", "/dev/null/x"], ["reindex"]] {
            #expect(try Program.run(command + ["--data", data]).exitCode == 1, "\(command)")
        }
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test(arguments: ["scrub", "gc", "stills", "backup", "restore", "reindex"])
    func `The owner's commands have help that fits a screen`(_ command: String) throws {
        let help = try Program.run([command, "--help"])
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(help.exitCode == 0 && lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
        #expect(help.output.contains("example:\n  widgetd \(command)"))
    }
}
