import RegistryContract
import RegistryServer
import Testing
import WidgetAddresses
import WidgetBundles
import WidgetConfiguration
import WidgetConsole
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings

@testable import ServerCommands

@Suite struct `The settings` {
    @Test func `The settings are the documented defaults when nothing is given`() throws {
        let settings = try load().settings
        #expect(settings == Settings())
        #expect(settings.listen == [.tcp(host: "127.0.0.1", port: 8_080)])
        #expect(settings.adminListen == [])
        #expect(settings.publishPolicy.bundles.limits.archiveByteCount == 64 * 1_024 * 1_024)
        #expect(settings.server.headTimeout == .seconds(10))
        #expect(settings.shutdown.grace == .seconds(30))
    }

    @Test func `Flags override the environment, which overrides the file, which overrides the defaults`() throws {
        let file = #"{ data: "from-file", limits: { upload: "1MiB", file: 2048 }, log: { level: "debug" } }"#
        let loaded = try load(
            file: file, ["WIDGETD_DATA": "from-environment", "WIDGETD_LIMITS_UPLOAD": "2MiB", "PATH": "/bin"],
            flags: ["--data", "from-flag"])
        #expect(loaded.settings.data == "from-flag")
        #expect(loaded.settings.publishPolicy.bundles.limits.archiveByteCount == 2 << 20)
        #expect(loaded.settings.publishPolicy.bundles.limits.fileByteCount == 2_048)
        #expect(loaded.settings.publishPolicy.bundles.limits.entryCount == 4_096)
        #expect(loaded.source(of: "data") == .flag("data"))
        #expect(loaded.source(of: "limits.upload") == .environment("WIDGETD_LIMITS_UPLOAD"))
        #expect(loaded.source(of: "log.level") == .file("w.json5", line: 1))
        #expect(loaded.source(of: "limits.entries") == .default)
    }

    @Test func `Settings for stills are words and languages, each once, and others are refused with those offered`()
        throws
    {
        let loaded = try load(
            file: #"{ stills: { directions: ["rtl", "ltr"], locales: "own, de_AT", bytesPerRelease: "1MiB" } }"#,
            ["WIDGETD_STILLS_SIZES": "phone,tablet", "WIDGETD_STILLS_SCHEMES": "dark"]
        ).settings.publishPolicy.stills
        #expect(loaded.sizes == [.phone, .tablet] && loaded.schemes == [.dark])
        #expect(loaded.directions == [.rightToLeft, .leftToRight] && loaded.locales == ["own", "de_AT"])
        #expect(loaded.byteCount == 1 << 20)
        let sizes = "one or more of small, phone, large, landscape, tablet, each once"
        for text in ["watch", "phone,phone", "", "phone,,tablet"] {
            let found = problems(["WIDGETD_STILLS_SIZES": text])
            #expect(found.count == 1 && found[0].contains("expected \(sizes)"), "\(found)")
        }
        #expect(problems(["WIDGETD_STILLS_SCHEMES": "sepia"])[0].contains("one or more of light, dark, each once"))
        #expect(problems(["WIDGETD_STILLS_DIRECTIONS": "up"])[0].contains("one or more of ltr, rtl, each once"))
        for text in ["", "de AT", "d\u{E9}", "own,own", (0..<17).map { "l\($0)" }.joined(separator: ",")] {
            let found = problems(["WIDGETD_STILLS_LOCALES": text])
            #expect(found.count == 1 && found[0].contains("1 to 16 languages and regions as de_AT, or own"), "\(found)")
        }
        #expect(problems(["WIDGETD_STILLS_BYTES_PER_RELEASE": "1"])[0].contains("bytes from 64KiB to 8MiB"))
        for setting in Settings.table where setting.path.hasPrefix("stills.") { #expect(setting.isReloadable) }
    }

    @Test func `A variable names the file of settings unless a flag does`() throws {
        let files = ["a": "{workers: 1}", "b": "{workers: 2}"]
        #expect(try load(["WIDGETD_CONFIG": "a"], files: files).settings.workers == 1)
        #expect(try load(["WIDGETD_CONFIG": "a"], flags: ["--config", "b"], files: files).settings.workers == 2)
    }

    @Test func `The names of variables are made from the paths of settings`() {
        let names = Dictionary(uniqueKeysWithValues: Settings.table.map { ($0.path, $0.environmentName) })
        #expect(names["limits.upload"] == "WIDGETD_LIMITS_UPLOAD")
        #expect(names["rateLimit"] == "WIDGETD_RATE_LIMIT")
        #expect(names["publicURL"] == "WIDGETD_PUBLIC_URL")
        #expect(names["adminToken"] == "WIDGETD_ADMIN_TOKEN")
        #expect(names["proxy.trusted"] == "WIDGETD_PROXY_TRUSTED")
        #expect(names["limits.failedAuthenticationsPerMinute"] == "WIDGETD_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE")
        #expect(Set(names.values).count == Settings.table.count)
    }

    @Test func `Every setting can be set in the environment to its present value`() throws {
        var environment: [String: String] = [:]
        for setting in Settings.table where !setting.isSecret {
            let shown = setting.shown(in: Settings())
            environment[setting.environmentName] = shown == "(none)" ? "" : shown
        }
        let loaded = try load(environment)
        #expect(loaded.settings == Settings())
        #expect(
            Settings.table.allSatisfy { $0.isSecret || loaded.source(of: $0.path) == .environment($0.environmentName) })
    }

    @Test func `One variable turns rate limiting off`() throws {
        #expect(try load(["WIDGETD_RATE_LIMIT": "off"]).settings.accessPolicy.isRateLimited == false)
        #expect(try load(["WIDGETD_RATE_LIMIT": "on"]).settings.accessPolicy.isRateLimited == true)
    }

    @Test(arguments: [
        ["--listen", "a:1", "--listen", "[::]:2"], ["--listen=a:1,[::]:2"], ["--listen", "a:1, [::]:2"],
    ])
    func `Several addresses can come from flags`(_ flags: [String]) throws {
        #expect(try load(flags: flags).settings.listen == [.tcp(host: "a", port: 1), .tcp(host: "::", port: 2)])
    }

    @Test func `Several addresses can come from a file and the environment`() throws {
        let expected: [ListenAddress] = [.tcp(host: "localhost", port: 0), .unix(path: "/run/w.sock")]
        #expect(try load(file: #"{listen: ["localhost:0", "unix:/run/w.sock"]}"#).settings.listen == expected)
        #expect(try load(["WIDGETD_LISTEN": "localhost:0,unix:/run/w.sock"]).settings.listen == expected)
        #expect(try load(file: #"{listen: "localhost:0"}"#).settings.listen == [expected[0]])
    }

    @Test func `The report prints one line per key with its source`() throws {
        let report = try load(
            file: "{\n  limits: {\n    upload: 65536,\n  },\n}",
            ["WIDGETD_ADMIN_TOKEN": String(repeating: "s", count: 32)],
            flags: ["--seed", "a\u{1B}b"]
        ).report
        let lines = report.split(separator: "\n")
        #expect(lines.count == Settings.table.count)
        #expect(lines.contains("listen = 127.0.0.1:8080   # default"))
        #expect(lines.contains("limits.upload = 64KiB   # w.json5:3"))
        #expect(lines.contains("adminToken = (set)   # WIDGETD_ADMIN_TOKEN"))
        #expect(lines.contains(#"seed = a\u{1b}b   # --seed"#))
    }
}

@Suite struct `A secret setting` {
    private let token = String(repeating: "t0k3n-", count: 6)

    @Test func `A secret comes from a variable, a file or a file that a variable names`() throws {
        #expect(try load(["WIDGETD_ADMIN_TOKEN": token]).settings.accessPolicy.adminToken == Secret(token))
        #expect(try load(file: "{adminToken: '\(token)'}").settings.accessPolicy.adminToken == Secret(token))
        for end in ["", "\n", "\r\n"] {
            let loaded = try load(["WIDGETD_ADMIN_TOKEN_FILE": "/run/t"], files: ["/run/t": token + end])
            #expect(loaded.settings.accessPolicy.adminToken == Secret(token))
            #expect(loaded.source(of: "adminToken") == .environment("WIDGETD_ADMIN_TOKEN_FILE"))
        }
    }

    @Test(arguments: [
        "", "short-secret", "short-secret-" + String(repeating: "x", count: 18),
        "secret with spaces " + String(repeating: "x", count: 32),
        "secret-é" + String(repeating: "x", count: 32), "secret\n" + String(repeating: "x", count: 32),
        "secret" + String(repeating: "x", count: 4_096),
    ])
    func `A secret must be 32 to 4096 visible characters, and is never shown`(_ text: String) {
        for found in [
            problems(["WIDGETD_ADMIN_TOKEN": text]),
            problems(["WIDGETD_ADMIN_TOKEN_FILE": "t"], files: ["t": text + "\n"]),
            problems(in: "{adminToken: \"\(text.replacing("\n", with: "\\n"))\"}"),
        ] {
            #expect(found.count == 1)
            #expect(
                found.allSatisfy { $0.contains("adminToken is (secret), expected 32 to 4096 visible ASCII characters") }
            )
            #expect(!found.contains { $0.contains("short") || $0.contains("xxx") })
        }
    }

    @Test func `A secret given twice is refused`() {
        #expect(
            problems(["WIDGETD_ADMIN_TOKEN": token, "WIDGETD_ADMIN_TOKEN_FILE": "t"], files: ["t": token])
                == ["WIDGETD_ADMIN_TOKEN_FILE and WIDGETD_ADMIN_TOKEN are both set (unset one of them)"])
    }

    @Test func `A secret's file must be small and readable`() {
        #expect(problems(["WIDGETD_ADMIN_TOKEN_FILE": "t"]) == ["WIDGETD_ADMIN_TOKEN_FILE: there is no such file"])
        #expect(
            problems(["WIDGETD_ADMIN_TOKEN_FILE": "t"], files: ["t": String(repeating: "x", count: 10_000)])
                == ["WIDGETD_ADMIN_TOKEN_FILE: the file is too large (at most 8KiB are read)"])
    }

    @Test func `A file may contain secrets only`() {
        #expect(problems(["WIDGETD_LISTEN_FILE": "t"], files: ["t": "a:1"]) == ["unknown variable WIDGETD_LISTEN_FILE"])
    }

    @Test func `A dump of all settings shows no secret`() throws {
        var dumped = ""
        dump(try load(["WIDGETD_ADMIN_TOKEN": token]), to: &dumped)
        #expect(dumped.contains("adminToken"))
        #expect(!dumped.contains("t0k3n"))
    }
}

@Suite struct `A reload` {
    @Test func `A reload applies the settings that can change at once and names the others`() {
        let old = Settings()
        var new = old
        new.publishPolicy.bundles.limits.archiveByteCount = 1 << 20
        new.log.level = .debug
        new.data = "/elsewhere"
        new.workers = 2
        let change = SettingsChange(from: old, to: new)
        #expect(change.applied == ["log.level", "limits.upload"])
        #expect(change.needingRestart == ["data", "workers"])
        #expect(change.settings.publishPolicy.bundles.limits.archiveByteCount == 1 << 20)
        #expect(change.settings.log.level == .debug)
        #expect(change.settings.data == old.data)
        #expect(change.settings.workers == old.workers)
    }

    @Test func `A reload of the same settings changes nothing`() {
        let change = SettingsChange(from: Settings(), to: Settings())
        #expect(change.applied.isEmpty && change.needingRestart.isEmpty)
        #expect(change.settings == Settings())
    }

    @Test func `A reload covers tokens, limits and the log level`() {
        for setting in Settings.table
        where setting.path.hasPrefix("limits.") || ["adminToken", "log.level"].contains(setting.path) {
            #expect(setting.isReloadable, "\(setting.path)")
        }
    }
}

@Suite struct `The policy for bundles` {
    @Test func `The default policy for bundles is the one used everywhere`() {
        #expect(Settings().bundlePolicy == BundlePolicy())
    }

    @Test func `The policy for bundles follows the settings`() {
        var settings = Settings()
        settings.publishPolicy.bundles.kept = ["*.json"]
        settings.publishPolicy.bundles.limits.archiveByteCount = 1
        settings.publishPolicy.bundles.limits.expandedByteCount = 2
        settings.publishPolicy.bundles.limits.fileByteCount = 3
        settings.publishPolicy.bundles.limits.entryCount = 4
        settings.publishPolicy.bundles.limits.pathDepth = 5
        settings.publishPolicy.bundles.limits.pathByteCount = 6
        settings.publishPolicy.bundles.limits.parsedByteCount = 7
        settings.publishPolicy.bundles.limits.ratio = 8
        settings.publishPolicy.bundles.limits.pixelCount = 9
        let policy = settings.bundlePolicy
        #expect(policy.kept == ["*.json"])
        let limits = policy.limits
        #expect([limits.archiveByteCount, limits.expandedByteCount, limits.fileByteCount] == [1, 2, 3])
        #expect([limits.entryCount, limits.pathDepth, limits.pathByteCount] == [4, 5, 6])
        #expect([limits.parsedByteCount, limits.ratio, limits.pixelCount] == [7, 8, 9])
    }

    @Test func `The well-known document shows the policy for bundles`() {
        var settings = Settings()
        settings.channels.protected = ["live", "stable"]
        settings.publishPolicy.bundles.kept = ["*.json", "*.pdf"]
        settings.publishPolicy.isStrict = true
        settings.publishPolicy.bundles.limits.pixelCount = 4_096
        let description = settings.description
        #expect(description.keptFiles == ["*.json", "*.pdf"])
        #expect(description.isStrict)
        #expect(description.protectedChannels == ["live", "stable"])
        #expect(description.limits.first { $0.name == "pixels" }?.value == 4_096)
    }

    /// Every limit of the table is published, so that clients need not find it out by hitting it.
    @Test func `Every limit on bundles is shown`() {
        let shown = Settings().description.limits.map { "limits.\($0.name)" }
        #expect(Set(shown) == Set(Settings.table.map(\.path).filter { $0.hasPrefix("limits.") }))
        #expect(Set(shown).count == shown.count)
    }
}

@Suite struct `The policy of housekeeping` {
    @Test func `The policy of housekeeping follows the settings`() {
        var settings = Settings()
        settings.housekeeping.grace = .seconds(1)
        settings.housekeeping.scrubRate = 2
        settings.housekeeping.collectEvery = .seconds(3)
        settings.housekeeping.scrubEvery = .seconds(4)
        let policy = settings.housekeepingPolicy
        #expect([policy.grace, policy.collectEvery, policy.scrubEvery] == [.seconds(1), .seconds(3), .seconds(4)])
        #expect(policy.scrubRate == 2)
    }

    @Test func `The settings say how many snapshots are kept, and how long withdrawn releases can be restored`() {
        var settings = Settings()
        settings.retention.snapshots = 5
        settings.retention.snapshotChannels = ["nightly"]
        settings.retention.withdrawn = .seconds(6)
        let options = ServerStore.options(settings, in: .machine)
        #expect(options.snapshotsKept == 5 && options.snapshotChannels == ["nightly"] && options.withdrawnSeconds == 6)
    }
}

@Suite struct `The policy for channels` {
    @Test func `The policy for channels protects stable, and follows the settings`() {
        #expect(Settings().channels == ChannelPolicy(limit: 100, publisherLimit: 20, protected: ["stable"]))
        var settings = Settings()
        settings.channels = ChannelPolicy(limit: 7, publisherLimit: 3, protected: ["live"])
        #expect(ServerStore.options(settings, in: .machine).channels() == settings.channels)
    }
}

@Suite struct `A listener on which tokens would cross a network unencrypted` {
    private static let proxy = ["WIDGETD_PROXY_TRUSTED": "10.0.0.1"]

    private func plain(_ environment: [String: String], _ address: String) throws -> Int {
        try load(environment).settings.plainListeners(among: [try Endpoint(address)]).count
    }

    @Test(arguments: ["0.0.0.0:8080", "[::]:8080", "192.0.2.7:80"])
    func `A listener beyond this machine is unencrypted, unless a proxy with TLS is named in full`(_ address: String)
        throws
    {
        #expect(try plain([:], address) == 1)
        #expect(try plain(Self.proxy, address) == 1)
        #expect(try plain(["WIDGETD_PUBLIC_URL": "https://a.example"], address) == 1)
        #expect(try plain(Self.proxy.merging(["WIDGETD_PUBLIC_URL": "http://a.example"]) { $1 }, address) == 1)
        #expect(try plain(Self.proxy.merging(["WIDGETD_PUBLIC_URL": "https://a.example"]) { $1 }, address) == 0)
    }

    @Test(arguments: ["127.0.0.1:8080", "127.9.9.9:80", "[::1]:8080", "unix:/run/w.sock"])
    func `A listener on this machine is never reported as unencrypted`(_ address: String) throws {
        #expect(try plain([:], address) == 0)
    }
}

@Suite struct `The list of trusted proxies` {
    @Test func `The list of trusted proxies holds several ranges`() throws {
        let settings = try load(["WIDGETD_PROXY_TRUSTED": "10.0.0.0/8, ::1"]).settings
        #expect(settings.server.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1"])
        #expect(try load(file: "{proxy: {trusted: ['10.0.0.0/8', '::1']}}").settings == settings)
    }

    @Test(arguments: ["10.0.0.1/8", "localhost", "10.0.0"])
    func `Text that is not a range is refused`(_ text: String) {
        #expect(problems(["WIDGETD_PROXY_TRUSTED": "10.0.0.0/8,\(text)"]).count == 1)
    }
}

@Suite struct `The pages that may hold widgets` {
    @Test func `They are those of the registry unless others are named`() throws {
        #expect(Settings().frameAncestors == ["'self'"])
        let named = ["'self'", "https://app.example"]
        #expect(
            try load(["WIDGETD_PAGES_FRAME_ANCESTORS": "self, https://App.example:443"]).settings.frameAncestors
                == named)
        #expect(
            try load(file: "{pages: {frameAncestors: ['self', 'https://app.example']}}").settings.frameAncestors
                == named)
        #expect(try load(["WIDGETD_PAGES_FRAME_ANCESTORS": "*"]).settings.frameAncestors == ["*"])
    }

    @Test(arguments: [
        "", "app.example", "https://app.example/page", "none,self", "*,https://app.example", "self;script-src *",
    ]) func `A list that browsers would read otherwise is refused at the start`(_ text: String) {
        let said = problems(["WIDGETD_PAGES_FRAME_ANCESTORS": text])
        #expect(said.count == 1 && said.first?.contains("WIDGETD_PAGES_FRAME_ANCESTORS") == true, "\(said)")
    }

    @Test func `A reload changes them at once`() {
        var new = Settings()
        new.frameAncestors = ["https://app.example"]
        #expect(SettingsChange(from: Settings(), to: new).applied == ["pages.frameAncestors"])
    }
}

private let program = Command("widgetd", "a server", example: "widgetd", options: Settings.options)

/// Loads settings from texts; other files are looked up in `files`.
func load(
    file: String? = nil, _ environment: [String: String] = [:], flags: [String] = [], files: [String: String] = [:]
) throws -> LoadedSettings<Settings> {
    var contents = files.mapValues { Array($0.utf8) }
    contents["w.json5"] = file.map { Array($0.utf8) }
    let arguments = (file == nil ? [] : ["--config", "w.json5"]) + flags
    guard case .run(let invocation) = try program.parse(arguments) else { preconditionFailure("help was asked for") }
    return try Settings.load(invocation, environment: environment) { path, byteLimit throws(FileFailure) in
        guard let bytes = contents[path] else { throw .notFound }
        guard bytes.count <= byteLimit else { throw .tooLarge(byteLimit: byteLimit) }
        return bytes
    }
}

/// The problems that loading finds, as messages with hints.
func problems(
    in file: String? = nil, _ environment: [String: String] = [:], flags: [String] = [], files: [String: String] = [:]
) -> [String] {
    do {
        _ = try load(file: file, environment, flags: flags, files: files)
        return []
    } catch let error as ConfigurationError {
        return error.problems.map { $0.message + ($0.hint.map { " (\($0))" } ?? "") }
    } catch {
        return ["\(error)"]
    }
}
