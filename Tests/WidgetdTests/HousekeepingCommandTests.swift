import Foundation
import TestSupport
import Testing

/// The commands that work on a whole store, as an owner types them: beside a running server, and without one.
@Suite struct `The owner's commands` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-owner-\(UUID().uuidString)")

    private var data: String { folder.appending(path: "data").path }

    private func run(_ arguments: String..., settings: [String: String] = [:]) throws -> BuiltProgram.Result {
        try Program.run(arguments + ["--data", data], environment: settings)
    }

    private func serving(_ settings: [String: String] = [:], _ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = Program.url
        process.arguments = [
            "serve", "--listen", "127.0.0.1:0", "--data", data, "--seed", Corpus.repositoryRoot + "/Bundles",
        ]
        process.environment = ["WIDGETD_LIMITS_DISK_RESERVE": "0"].merging(settings) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        var greeting = ""
        while !greeting.contains("resolve:") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            greeting += String(decoding: more, as: UTF8.self)
        }
        try body()
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test func `work beside a running server and without one, to the same end`() throws {
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
            #expect(Shell.run("tar tf '\(file)' | tail -n 1").output == "SHA256SUMS\n")
            #expect(try run("scrub", "--rate", "fast").exitCode == 2)
            #expect(try run("backup", folder.path + "/nowhere/b.tar").exitCode == 1)
        }
        try serving {
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
        try serving {
            let scrub = try run("scrub")
            #expect(scrub.exitCode == 0)
        }
    }

    @Test func `collect nothing in a rehearsal, beside a server and without one`() throws {
        defer { clean() }
        // Something that gc would take at once.
        let stray = "\(data)/blobs/ab/ab\(String(repeating: "0", count: 62)).zip"
        let settings = ["WIDGETD_HOUSEKEEPING_GRACE": "0s"]
        func rehearse(_ name: String) throws {
            #expect(Shell.run("head -c 1000 /dev/zero > '\(stray)' && sleep 1.1").status == 0)
            let foretold = try run("gc", "--dry-run", settings: settings)
            let isForetold = foretold.output.contains("1 archives would be removed, 1000")
            #expect(foretold.exitCode == 0 && isForetold, "\(name): \(foretold)")
            #expect(FileManager.default.fileExists(atPath: stray), "\(name)")
            let done = try run("gc", settings: settings)
            #expect(done.exitCode == 0 && done.output.contains("1 archives removed, 1000"), "\(name): \(done)")
            #expect(!FileManager.default.fileExists(atPath: stray), "\(name)")
        }
        try serving(settings) { try rehearse("serving") }
        try rehearse("stopped")
    }

    @Test func `say with 3 that the store is damaged`() throws {
        defer { clean() }
        try serving {}
        #expect(Shell.run("for f in '\(data)'/blobs/*/*.zip; do echo x >> \"$f\"; done").status == 0)
        let scrub = try run("scrub")
        #expect(scrub.exitCode == 3 && scrub.output.contains("it is in quarantine"), "\(scrub)")
        let backup = try run("backup", folder.appending(path: "b.tar").path)
        #expect(backup.exitCode == 3 && backup.error.contains("the store has lost it"), "\(backup)")
        #expect(try run("reindex").exitCode == 3)
        #expect(Shell.run("rm '\(data)'/catalog.sqlite*").status == 0)
        let start = try run("serve", "--listen", "127.0.0.1:0")
        #expect(start.exitCode == 3 && start.error.contains("widgetd reindex"), "\(start)")
    }

    @Test func `make no store where there is none`() throws {
        defer { clean() }
        for command in [["scrub"], ["gc"], ["backup", "/dev/null/x"], ["reindex"]] {
            #expect(try Program.run(command + ["--data", data]).exitCode == 1, "\(command)")
        }
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test(arguments: ["scrub", "gc", "backup", "restore", "reindex"])
    func `have help that fits a screen`(_ command: String) throws {
        let help = try Program.run([command, "--help"])
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(help.exitCode == 0 && lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
        #expect(help.output.contains("example:\n  widgetd \(command)"))
    }
}
