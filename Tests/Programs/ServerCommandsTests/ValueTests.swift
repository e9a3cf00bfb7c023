import RegistryServer
import Testing
import WidgetAddresses
import WidgetBundles
import WidgetConfiguration
import WidgetHTTPServer

@testable import ServerCommands

/// Each kind of value through a setting that has it, in the file and in the environment.
@Suite struct `A value` {
    @Test(arguments: [
        ("1024", 1_024), ("4KiB", 4_096), ("64MiB", 64 << 20), ("1 GiB", 1 << 30), ("4GiB", 4 << 30), ("2048B", 2_048),
    ])
    func `A size has units of 1024`(_ text: String, _ expected: Int) throws {
        #expect(
            try load(["WIDGETD_LIMITS_UPLOAD": text]).settings.publishPolicy.bundles.limits.archiveByteCount == expected
        )
        #expect(
            try load(file: "{limits: {upload: '\(text)'}}").settings.publishPolicy.bundles.limits.archiveByteCount
                == expected)
    }

    @Test(arguments: [
        "", " ", "MiB", "-1", "+1024", "1.5MiB", "64MB", "64mib", "64M", "64  MiB", "64MiB ", "0x400", "1e6", "1023",
        "5GiB", "4294967297",
        "9223372036854775807", "9223372036854775808", "8388608TiB", "99999999999999999999MiB", "٤KiB", "1_024",
    ])
    func `A size in another spelling or out of range is refused`(_ text: String) {
        #expect(problems(["WIDGETD_LIMITS_UPLOAD": text]).count == 1)
        #expect(problems(in: "{limits: {upload: '\(text)'}}").count == 1)
    }

    @Test(arguments: [
        ("10", 10_000), ("10s", 10_000), ("1500ms", 1_500), ("1.5s", 1_500), ("5m", 300_000), ("1h", 3_600_000),
        ("0.5 h", 1_800_000),
        ("3600", 3_600_000),
    ])
    func `A duration has a unit or is in seconds`(_ text: String, _ milliseconds: Int64) throws {
        #expect(
            try load(["WIDGETD_LIMITS_HEAD_TIMEOUT": text]).settings.server.headTimeout == .milliseconds(milliseconds))
        #expect(
            try load(file: "{limits: {headTimeout: '\(text)'}}").settings.server.headTimeout
                == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "-1s", "+1s", "1e3", "1.s", ".5s", "1.2.3s", "1S", "1sec", "1min", "999ms", "0", "2h", "1d", "3601",
        "inf", "nan", "Infinity",
        "99999999999999999999", "9999999999d", "1m30s",
    ])
    func `A duration in another spelling or out of range is refused`(_ text: String) {
        #expect(problems(["WIDGETD_LIMITS_HEAD_TIMEOUT": text]).count == 1)
        #expect(problems(in: "{limits: {headTimeout: '\(text)'}}").count == 1)
    }

    @Test(arguments: [("10", 10_000), ("1.5", 1_500), ("2e1", 20_000)])
    func `A duration may be a number in a file`(_ number: String, _ milliseconds: Int64) throws {
        #expect(
            try load(file: "{limits: {headTimeout: \(number)}}").settings.server.headTimeout
                == .milliseconds(milliseconds))
    }

    @Test(arguments: ["-1", "Infinity", "-Infinity", "NaN", "1e300", "0", "true", "null", "[10]"])
    func `A duration is not a fraction or another number`(_ number: String) {
        #expect(problems(in: "{limits: {headTimeout: \(number)}}").count == 1)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8_080)), ("localhost:0", .tcp(host: "localhost", port: 0)),
            ("[::1]:65535", .tcp(host: "::1", port: 65_535)), ("[::]:1", .tcp(host: "::", port: 1)),
            ("[::ffff:192.0.2.1]:1", .tcp(host: "::ffff:192.0.2.1", port: 1)),
            ("a-b.example:80", .tcp(host: "a-b.example", port: 80)),
            ("unix:/run/w.sock", .unix(path: "/run/w.sock")), ("unix:w.sock", .unix(path: "w.sock")),
        ] as [(String, ListenAddress)])
    func `An address reads back as it is shown`(_ text: String, _ expected: ListenAddress) {
        #expect(ListenAddress(text) == expected)
        #expect(ListenAddress(text)?.description == text)
    }

    @Test(arguments: [
        "", ":", ":8080", "8080", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:+1",
        "localhost:080000",
        "localhost: 80", "::1:80", "[::1]", "[::1", "[]:80", "[127.0.0.1]:80", "[::1%lo]:80", "[:::1]:80",
        "[1::2::3]:80", "[12345::]:80",
        "256.0.0.1:80", "1.2.3:80", "01.2.3.4:80", "a b:80", "a_b:80", "*:80", "http://localhost:80", "unix:",
        "unix:\u{0}",
        "unix:/" + String(repeating: "x", count: 107), "\u{661}.0.0.1:80",
    ])
    func `An invalid address is refused`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080"), ("https://w.example.com/", "https://w.example.com"),
        ("https://w.example.com/widgets//", "https://w.example.com/widgets"),
        ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("http://[::1]", "http://[::1]"),
    ])
    func `A URL loses slashes at its end`(_ text: String, _ expected: String) throws {
        #expect(try load(["WIDGETD_PUBLIC_URL": text]).settings.publishPolicy.publicURL == expected)
    }

    @Test(arguments: [
        "w.example.com", "ftp://w.example.com", "http://", "https:///a", "http://a b", "http://u:p@host",
        "http://host/?q", "http://host/#f",
        "http://host:99999", "http://host:0", "http://ho\"st", "http://é.example", "http://host:", "http://::1",
        "//host", "http://host\\a",
    ])
    func `A URL that links cannot be built on is refused`(_ text: String) {
        #expect(problems(["WIDGETD_PUBLIC_URL": text]).count == 1)
    }

    @Test(arguments: [
        ("https://host/w", "/w is one of the registry's pages"), ("https://host/v1/registry", "/v1 is one of"),
        ("https://host/manage", "/manage is one of"), ("https://host/a;b", "a path of letters, digits and -._~"),
        ("https://host/%61", "a path of letters"), ("https://host/a//b", "a path of letters"),
        ("https://host/../a", "a path of letters"),
    ])
    func `A path that cannot come before those of the registry is refused`(_ url: String, _ reason: String) throws {
        let problems = problems(["WIDGETD_PUBLIC_URL": url])
        #expect(problems.count == 1)
        #expect(problems.first?.contains(reason) == true, "\(problems)")
    }

    @Test func `The path of the public address reaches the engine`() throws {
        let settings = try load(["WIDGETD_PUBLIC_URL": "https://Host:443/some/registry/"]).settings
        #expect(settings.serverLimits.publicAddress?.text == "https://host/some/registry")
        #expect(settings.description.publicURL == "https://Host:443/some/registry")
    }

    @Test(arguments: [
        ("*.json", ["*.json"]), ("*.json, *.png", ["*.json", "*.png"]), ("*.momd/*.omo", ["*.momd/*.omo"]),
        ("a b.txt", ["a b.txt"]), ("*", ["*"]), (".hidden", [".hidden"]),
    ])
    func `Patterns are a list of path ends`(_ text: String, _ expected: [String]) throws {
        #expect(try load(["WIDGETD_POLICY_KEPT": text]).settings.publishPolicy.bundles.kept == expected)
        #expect(
            try load(file: "{policy: {kept: ['\(expected.joined(separator: "', '"))']}}").settings.publishPolicy.bundles
                .kept
                == expected)
    }

    @Test(arguments: [
        "", ",", "*.json,", "/*.json", "*.json/", "a//b", "*.momd/**", "../*.json", "./a", "a\\\\b", "a\u{7}",
        String(repeating: "a", count: 256),
    ])
    func `Patterns that no file can match are refused`(_ text: String) {
        #expect(problems(["WIDGETD_POLICY_KEPT": text]).count == 1)
        #expect(problems(in: "{policy: {kept: ['\(text)']}}").count == 1)
    }

    @Test(arguments: [("dev", ["dev"]), ("dev, Nightly.2", ["dev", "Nightly.2"]), ("", [])])
    func `Channels are a list of their names`(_ text: String, _ expected: [String]) throws {
        #expect(
            try load(["WIDGETD_RETENTION_SNAPSHOT_CHANNELS": text]).settings.retention.snapshotChannels == expected)
    }

    @Test(arguments: ["a b", "-dev", ".", "dev,", "d/v", "é", String(repeating: "a", count: 65)])
    func `Channels that cannot exist are refused`(_ text: String) {
        #expect(problems(["WIDGETD_RETENTION_SNAPSHOT_CHANNELS": text]).count == 1)
    }

    @Test func `An empty value undoes the one in the file`() throws {
        let loaded = try load(
            file: "{seed: 'a', publicURL: 'http://a', proxy: {trusted: '10.0.0.0/8'}}",
            ["WIDGETD_SEED": "", "WIDGETD_PUBLIC_URL": "", "WIDGETD_PROXY_TRUSTED": ""])
        #expect(loaded.settings == Settings())
    }
}

@Suite struct `Bad settings` {
    @Test(arguments: [
        ("{lisen: 'a:1'}", #"w.json5:1: unknown key "lisen" (did you mean `listen`?)"#),
        ("{\n limits: {\n  uplod: 1\n }\n}", #"w.json5:3: unknown key "limits.uplod" (did you mean `limits.upload`?)"#),
        ("{upload: 1}", #"w.json5:1: unknown key "upload" (did you mean `limits.upload`?)"#),
        ("{limit: {upload: 1}}", #"w.json5:1: unknown key "limit""#),
        ("{'limits.upload': 1}", #"w.json5:1: unknown key "limits.upload" (write it as limits: { upload: … })"#),
        ("{qwertz: 1}", #"w.json5:1: unknown key "qwertz""#),
        ("{'\\u001b[2J': 1}", #"w.json5:1: unknown key "\u{1b}[2J""#),
        ("{limits: {somewhere: {upload: 1}}}", #"w.json5:1: unknown key "limits.somewhere""#),
        ("{workers: 1,\nworkers: 2}", "w.json5:2: workers is given a second time"),
        ("{limits: {},\nlimits: {}}", "w.json5:2: limits is given a second time"),
        ("{limits: 5}", "w.json5:1: limits is 5, expected a group of settings in braces"),
        ("[]", "w.json5:1: the file is a list, expected a group of settings in braces"),
        ("'x'", #"w.json5:1: the file is "x", expected a group of settings in braces"#),
        (
            "{listen: {}}",
            "w.json5:1: listen is a group of settings, expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"
        ),
        (
            "{listen: []}",
            "w.json5:1: listen is a list, expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"
        ),
        (
            "{proxy: {trusted: ['10.0.0.0/8', '10.0.0.1/8', 'x']}}",
            #"w.json5:1: proxy.trusted is a list with "10.0.0.1/8", expected addresses or ranges like 10.0.0.0/8 or "#
                + "fd00::/8, with no bits set beyond the prefix"
        ),
        ("{data: 5}", "w.json5:1: data is 5, expected a path"),
        ("{data: null}", "w.json5:1: data is null, expected a path"),
        ("{rateLimit: 1}", "w.json5:1: rateLimit is 1, expected on or off"),
        ("{access: {read: 'all'}}", #"w.json5:1: access.read is "all", expected one of public, token"#),
        (
            "{log: {level: 'verbose'}}",
            #"w.json5:1: log.level is "verbose", expected one of error, warning, notice, info, debug"#
        ),
        ("{workers: 1.5}", "w.json5:1: workers is 1.5, expected a whole number from 0 to 256"),
        ("{workers: '4'}", #"w.json5:1: workers is "4", expected a whole number from 0 to 256"#),
        ("{workers: -1}", "w.json5:1: workers is -1, expected a whole number from 0 to 256"),
        ("{workers: 257}", "w.json5:1: workers is 257, expected a whole number from 0 to 256"),
        (
            "{workers: 9223372036854775808}",
            "w.json5:1: workers is 9.223372036854776e+18, expected a whole number from 0 to 256"
        ),
        ("{workers: NaN}", "w.json5:1: workers is nan, expected a whole number from 0 to 256"),
        ("", "w.json5:1:1: expected a value"),
        ("{\n  a: blah\n}", "w.json5:2:6: expected a value; text needs quotes"),
    ])
    func `Bad settings in a file are refused with their place`(_ file: String, _ message: String) {
        #expect(problems(in: file) == [message])
    }

    @Test(arguments: [
        (
            ["WIDGETD_LIMITS_UPLOD": "1"],
            "unknown variable WIDGETD_LIMITS_UPLOD (did you mean `WIDGETD_LIMITS_UPLOAD`?)"
        ),
        (["WIDGETD_RATELIMIT": "off"], "unknown variable WIDGETD_RATELIMIT (did you mean `WIDGETD_RATE_LIMIT`?)"),
        (
            ["WIDGETD_ADMIN_TOKEN_FIEL": "x"],
            "unknown variable WIDGETD_ADMIN_TOKEN_FIEL (did you mean `WIDGETD_ADMIN_TOKEN_FILE`?)"
        ),
        (["WIDGETD_PORT": "9000"], "unknown variable WIDGETD_PORT (did you mean `WIDGETD_LISTEN`?)"),
        (["WIDGETD_": ""], "unknown variable WIDGETD_"),
        (["WIDGETD_QWERTZ": "1"], "unknown variable WIDGETD_QWERTZ"),
        (["WIDGETD_RATE_LIMIT": "no"], #"WIDGETD_RATE_LIMIT: rateLimit is "no", expected on or off"#),
        (
            ["WIDGETD_LISTEN": ""],
            #"WIDGETD_LISTEN: listen is "", expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"#
        ),
        (["WIDGETD_DATA": ""], #"WIDGETD_DATA: data is "", expected a path"#),
        (["WIDGETD_WORKERS": "+4"], #"WIDGETD_WORKERS: workers is "+4", expected a whole number from 0 to 256"#),
        (["WIDGETD_CONFIG": "nowhere"], "nowhere: there is no such file"),
    ])
    func `Bad settings in the environment are refused with their variable`(
        _ environment: [String: String], _ message: String
    ) {
        #expect(problems(environment) == [message])
    }

    @Test(arguments: [
        (["--config", "nowhere"], "nowhere: there is no such file"),
        (
            ["--listen", "8080"],
            #"--listen: listen is "8080", expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"#
        ),
        (["--log-format", "xml"], #"--log-format: log.format is "xml", expected one of auto, json, text"#),
        (
            ["--admin-listen", "127.0.0.1:8080"],
            "--admin-listen: adminListen is 127.0.0.1:8080, which listen already has (give the metrics an address of their own)"
        ),
    ])
    func `Bad settings on the command line are refused with their flag`(_ flags: [String], _ message: String) {
        #expect(problems(flags: flags) == [message])
    }

    @Test func `Bad settings are all reported at once`() {
        let found = problems(
            in: "{lisen: 1, limits: {ratio: 0, file: '1GB'}}", ["WIDGETD_DATAA": "", "WIDGETD_WORKERS": "many"],
            flags: ["--listen", "x"])
        #expect(found.count == 6)
        #expect(Set(found).count == 6)
    }

    @Test func `A file of settings that is too large is not parsed`() {
        let file = "{ // " + String(repeating: "x", count: 1 << 20) + "\n}"
        #expect(problems(in: file) == ["w.json5: the file is too large (at most 1MiB are read)"])
    }

    @Test func `A container platform's variables for a service of this name are not settings`() {
        #expect(
            problems([
                "WIDGETD_SERVICE_HOST": "10.0.0.1", "WIDGETD_SERVICE_PORT": "80", "WIDGETD_SERVICE_PORT_HTTP": "80",
                "WIDGETD_PORT": "tcp://10.0.0.1:80", "WIDGETD_PORT_80_TCP": "tcp://10.0.0.1:80",
                "WIDGETD_PORT_80_TCP_ADDR": "10.0.0.1",
            ]) == [])
    }
}
