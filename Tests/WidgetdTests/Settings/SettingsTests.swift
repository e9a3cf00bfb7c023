import Addresses
import Configuration
import Console
import HTTPServer
import Logging
import RegistryServer
import Testing
import WidgetBundles

@testable import widgetd

@Suite struct `The settings` {
    @Test func `are the documented defaults when nothing is given`() throws {
        let settings = try load().settings
        #expect(settings == Settings())
        #expect(settings.listen == [.tcp(host: "127.0.0.1", port: 8_080)])
        #expect(settings.adminListen == [])
        #expect(settings.publishPolicy.bundles.limits.archiveByteCount == 64 * 1_024 * 1_024)
        #expect(settings.server.headTimeout == .seconds(10))
        #expect(settings.shutdown.grace == .seconds(30))
    }

    @Test func `come from flags over environment over file over defaults`() throws {
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

    @Test func `are read from the file that a variable names unless a flag does`() throws {
        let files = ["a": "{workers: 1}", "b": "{workers: 2}"]
        #expect(try load(["WIDGETD_CONFIG": "a"], files: files).settings.workers == 1)
        #expect(try load(["WIDGETD_CONFIG": "a"], flags: ["--config", "b"], files: files).settings.workers == 2)
    }

    @Test func `have names in the environment made from their paths`() {
        let names = Dictionary(uniqueKeysWithValues: Settings.table.map { ($0.path, $0.environmentName) })
        #expect(names["limits.upload"] == "WIDGETD_LIMITS_UPLOAD")
        #expect(names["rateLimit"] == "WIDGETD_RATE_LIMIT")
        #expect(names["publicURL"] == "WIDGETD_PUBLIC_URL")
        #expect(names["adminToken"] == "WIDGETD_ADMIN_TOKEN")
        #expect(names["proxy.trusted"] == "WIDGETD_PROXY_TRUSTED")
        #expect(names["limits.failedAuthenticationsPerMinute"] == "WIDGETD_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE")
        #expect(Set(names.values).count == Settings.table.count)
    }

    @Test func `can all be set in the environment to what they are`() throws {
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

    @Test func `turn rate limiting off with one variable`() throws {
        #expect(try load(["WIDGETD_RATE_LIMIT": "off"]).settings.accessPolicy.isRateLimited == false)
        #expect(try load(["WIDGETD_RATE_LIMIT": "on"]).settings.accessPolicy.isRateLimited == true)
    }

    @Test(arguments: [
        ["--listen", "a:1", "--listen", "[::]:2"], ["--listen=a:1,[::]:2"], ["--listen", "a:1, [::]:2"],
    ])
    func `take several addresses from flags`(_ flags: [String]) throws {
        #expect(try load(flags: flags).settings.listen == [.tcp(host: "a", port: 1), .tcp(host: "::", port: 2)])
    }

    @Test func `take several addresses from a file and the environment`() throws {
        let expected: [ListenAddress] = [.tcp(host: "localhost", port: 0), .unix(path: "/run/w.sock")]
        #expect(try load(file: #"{listen: ["localhost:0", "unix:/run/w.sock"]}"#).settings.listen == expected)
        #expect(try load(["WIDGETD_LISTEN": "localhost:0,unix:/run/w.sock"]).settings.listen == expected)
        #expect(try load(file: #"{listen: "localhost:0"}"#).settings.listen == [expected[0]])
    }

    @Test func `print one line per key with its source`() throws {
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

    @Test func `comes from a variable, a file or a file that a variable names`() throws {
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
    func `is refused unless it is 32 to 4096 visible characters, and never shown`(_ text: String) {
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

    @Test func `is not given twice`() {
        #expect(
            problems(["WIDGETD_ADMIN_TOKEN": token, "WIDGETD_ADMIN_TOKEN_FILE": "t"], files: ["t": token])
                == ["WIDGETD_ADMIN_TOKEN_FILE and WIDGETD_ADMIN_TOKEN are both set (unset one of them)"])
    }

    @Test func `has a file that can be read and is small`() {
        #expect(problems(["WIDGETD_ADMIN_TOKEN_FILE": "t"]) == ["WIDGETD_ADMIN_TOKEN_FILE: there is no such file"])
        #expect(
            problems(["WIDGETD_ADMIN_TOKEN_FILE": "t"], files: ["t": String(repeating: "x", count: 10_000)])
                == ["WIDGETD_ADMIN_TOKEN_FILE: the file is too large (at most 8KiB are read)"])
    }

    @Test func `is the only kind that a file may hold`() {
        #expect(problems(["WIDGETD_LISTEN_FILE": "t"], files: ["t": "a:1"]) == ["unknown variable WIDGETD_LISTEN_FILE"])
    }

    @Test func `does not show in a dump of all settings`() throws {
        var dumped = ""
        dump(try load(["WIDGETD_ADMIN_TOKEN": token]), to: &dumped)
        #expect(dumped.contains("adminToken"))
        #expect(!dumped.contains("t0k3n"))
    }
}
