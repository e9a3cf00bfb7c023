import Foundation
import Testing
import WidgetTestSupport

@Suite struct `widgetd` {
    @Test func `widgetd prints its version`() throws {
        let result = try Program.run(["--version"])
        #expect(result.output.wholeMatch(of: /widgetd \d+\.\d+\.\d+\n/) != nil)
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [["--help"], ["check", "--help"], ["-h"]])
    func `widgetd prints help that fits a screen and has an example`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(result.output.contains("example:\n  widgetd "))
        #expect(result.exitCode == 0)
    }

    @Test func `widgetd answers misuse with an error, a hint and exit code 2`() throws {
        let result = try Program.run(["check", "--lisen", "127.0.0.1:1"])
        #expect(
            result.error == """
                error: unknown option "--lisen"
                hint: did you mean `--listen`?
                hint: `widgetd check --help` shows how it is used

                """)
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 2)
        #expect(try Program.run([]).exitCode == 2)
        #expect(try Program.run(["frobnicate"]).exitCode == 2)
    }

    @Test func `widgetd fails when its output cannot be written`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(try Program.built.run(["--version"], output: full).exitCode == 1)
    }
}

@Suite struct `widgetd check` {
    private static let folder = URL(filePath: "\(Corpus.repositoryRoot)/config")

    @Test func `widgetd check says whether the disk has room, also for a directory that is not there yet`() throws {
        let ample = ["WIDGETD_LIMITS_DISK_RESERVE": "0", "WIDGETD_DATA": "/tmp/not/there/yet"]
        #expect(try Program.run(["check"], environment: ample).output.contains("\ndisk: enough room\n"))
        let short = try Program.run(["check"], environment: ["WIDGETD_LIMITS_DISK_RESERVE": "1TiB"])
        #expect(
            short.output.contains(/\ndisk: .* are free, less than the reserve of 1024 GiB: publishing is refused/),
            "\(short.output)")
    }

    @Test func `widgetd check prints the effective settings, their sources, and no secret`() throws {
        let token = String(repeating: "s3cret", count: 6)
        let result = try Program.run(
            ["check", "--config", Self.folder.appending(path: "container.json5").path, "--data", "elsewhere"],
            environment: ["WIDGETD_ADMIN_TOKEN": token, "WIDGETD_RATE_LIMIT": "off"])
        #expect(result.exitCode == 0)
        #expect(result.error.isEmpty)
        #expect(result.output.contains("listen = 0.0.0.0:8080   # "))
        #expect(result.output.contains("\ndata = elsewhere   # --data\n"))
        #expect(result.output.contains("\nrateLimit = off   # WIDGETD_RATE_LIMIT\n"))
        #expect(result.output.contains("\nadminToken = (set)   # WIDGETD_ADMIN_TOKEN\n"))
        #expect(!result.output.contains("s3cret"))
    }

    @Test(arguments: ["widgetd.json5", "container.json5"])
    func `widgetd check accepts the sample`(_ name: String) throws {
        let result = try Program.run(["check", "--config", Self.folder.appending(path: name).path])
        #expect(result.exitCode == 0)
        #expect(result.error.isEmpty)
    }

    @Test func `widgetd check names every fault and exits with 2`() throws {
        let result = try Program.run(
            ["check", "--config", "/nonexistent.json5", "--listen", "nowhere"],
            environment: ["WIDGETD_LIMITS_UPLOD": "1", "WIDGETD_ADMIN_TOKEN": "too-short"])
        #expect(
            result.error == """
                error: /nonexistent.json5: there is no such file
                error: WIDGETD_ADMIN_TOKEN: adminToken is (secret), expected 32 to 4096 visible ASCII characters without spaces
                error: unknown variable WIDGETD_LIMITS_UPLOD
                hint: did you mean `WIDGETD_LIMITS_UPLOAD`?
                error: --listen: listen is "nowhere", expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them

                """)
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 2)
    }
}
