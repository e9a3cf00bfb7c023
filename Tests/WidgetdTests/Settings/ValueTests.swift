import Addresses
import Configuration
import HTTPServer
import RegistryServer
import Testing
import WidgetBundles

@testable import widgetd

/// Each kind of value through a setting that has it, in the file and in the environment.
@Suite struct `A value` {
    @Test(arguments: [
        ("1024", 1_024), ("4KiB", 4_096), ("64MiB", 64 << 20), ("1 GiB", 1 << 30), ("4GiB", 4 << 30), ("2048B", 2_048),
    ])
    func `of bytes has units of 1024`(_ text: String, _ expected: Int) throws {
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
    func `of bytes is refused in any other spelling or out of range`(_ text: String) {
        #expect(problems(["WIDGETD_LIMITS_UPLOAD": text]).count == 1)
        #expect(problems(in: "{limits: {upload: '\(text)'}}").count == 1)
    }

    @Test(arguments: [
        ("10", 10_000), ("10s", 10_000), ("1500ms", 1_500), ("1.5s", 1_500), ("5m", 300_000), ("1h", 3_600_000),
        ("0.5 h", 1_800_000),
        ("3600", 3_600_000),
    ])
    func `of time has a unit or is in seconds`(_ text: String, _ milliseconds: Int64) throws {
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
    func `of time is refused in any other spelling or out of range`(_ text: String) {
        #expect(problems(["WIDGETD_LIMITS_HEAD_TIMEOUT": text]).count == 1)
        #expect(problems(in: "{limits: {headTimeout: '\(text)'}}").count == 1)
    }

    @Test(arguments: [("10", 10_000), ("1.5", 1_500), ("2e1", 20_000)])
    func `of time may be a number in a file`(_ number: String, _ milliseconds: Int64) throws {
        #expect(
            try load(file: "{limits: {headTimeout: \(number)}}").settings.server.headTimeout
                == .milliseconds(milliseconds))
    }

    @Test(arguments: ["-1", "Infinity", "-Infinity", "NaN", "1e300", "0", "true", "null", "[10]"])
    func `of time is no other number`(_ number: String) {
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
    func `of an address reads back as it is shown`(_ text: String, _ expected: ListenAddress) {
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
    func `of an address is refused when it is not one`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080"), ("https://w.example.com/", "https://w.example.com"),
        ("https://w.example.com/widgets//", "https://w.example.com/widgets"),
        ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("http://[::1]", "http://[::1]"),
    ])
    func `of a URL loses slashes at its end`(_ text: String, _ expected: String) throws {
        #expect(try load(["WIDGETD_PUBLIC_URL": text]).settings.publishPolicy.publicURL == expected)
    }

    @Test(arguments: [
        "w.example.com", "ftp://w.example.com", "http://", "https:///a", "http://a b", "http://u:p@host",
        "http://host/?q", "http://host/#f",
        "http://host:99999", "http://host:0", "http://ho\"st", "http://é.example", "http://host:", "http://::1",
        "//host", "http://host\\a",
    ])
    func `of a URL is refused when links could not be built on it`(_ text: String) {
        #expect(problems(["WIDGETD_PUBLIC_URL": text]).count == 1)
    }

    @Test(arguments: [
        ("*.json", ["*.json"]), ("*.json, *.png", ["*.json", "*.png"]), ("*.momd/*.omo", ["*.momd/*.omo"]),
        ("a b.txt", ["a b.txt"]), ("*", ["*"]), (".hidden", [".hidden"]),
    ])
    func `of patterns is a list of path ends`(_ text: String, _ expected: [String]) throws {
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
    func `of patterns is refused when no file could have it`(_ text: String) {
        #expect(problems(["WIDGETD_POLICY_KEPT": text]).count == 1)
        #expect(problems(in: "{policy: {kept: ['\(text)']}}").count == 1)
    }

    @Test(arguments: [("dev", ["dev"]), ("dev, Nightly.2", ["dev", "Nightly.2"]), ("", [])])
    func `of channels is a list of their names`(_ text: String, _ expected: [String]) throws {
        #expect(
            try load(["WIDGETD_RETENTION_SNAPSHOT_CHANNELS": text]).settings.retention.snapshotChannels == expected)
    }

    @Test(arguments: ["a b", "-dev", ".", "dev,", "d/v", "é", String(repeating: "a", count: 65)])
    func `of channels is refused when no channel could have it`(_ text: String) {
        #expect(problems(["WIDGETD_RETENTION_SNAPSHOT_CHANNELS": text]).count == 1)
    }

    @Test func `that is empty takes back what the file says`() throws {
        let loaded = try load(
            file: "{seed: 'a', publicURL: 'http://a', proxy: {trusted: '10.0.0.0/8'}}",
            ["WIDGETD_SEED": "", "WIDGETD_PUBLIC_URL": "", "WIDGETD_PROXY_TRUSTED": ""])
        #expect(loaded.settings == Settings())
    }
}
