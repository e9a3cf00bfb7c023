import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// The targets and the sources of backups, in a temporary folder, with a registry that does not run.
@Suite struct `A backup's file` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-target-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try serveOnce()
    }

    /// Starts a server on the folder's registry, and ends it: a start makes the registry.
    private func serveOnce(_ arguments: String...) throws {
        let server = try RunningProgram(arguments, data: folder.appending(path: "data").path)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    private func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(arguments + ["--data", folder.appending(path: "data").path])
    }

    @Test func `A backup is never written over a device, a pipe or a folder`() throws {
        defer { clean() }
        // A private node, with the numbers of the full device: replacing it by mistake affects only this test.
        let names =
            ["pipe", "folder"] + (Shell.run("mknod '\(folder.path)/device' c 1 7").status == 0 ? ["device"] : [])
        #expect(Shell.run("cd '\(folder.path)' && mkfifo pipe && mkdir folder").status == 0)
        for name in names {
            let before = Shell.run("stat -c %F '\(folder.path)/\(name)'").output
            let refused = try run("backup", folder.appending(path: name).path)
            #expect(refused.exitCode == 1 && refused.error.contains("is not a file"), "\(name): \(refused)")
            #expect(Shell.run("stat -c %F '\(folder.path)/\(name)'").output == before)
        }
    }

    @Test func `A backup is written through a link, and restored through a link and from standard input`() throws {
        defer { clean() }
        let there = folder.appending(path: "there").path
        #expect(
            Shell.run("mkdir '\(there)' && touch '\(there)/b.tar' && ln -s there/b.tar '\(folder.path)/latest.tar'")
                .status
                == 0)
        let link = folder.appending(path: "latest.tar").path
        let written = try run("backup", link)
        #expect(written.exitCode == 0, "\(written)")
        #expect(Shell.run("test -L '\(link)' && tar tf '\(there)/b.tar' | tail -n 1").output == "SHA256SUMS\n")
        #expect(try run("restore", link).exitCode == 0)
        let piped = Shell.run(
            "cat '\(link)' | '\(Program.url.path)' restore - --data '\(folder.path)/data2' 2>&1")
        #expect(piped.status == 0 && piped.output.contains("0 releases"), "\(piped.output)")
        let nothing = Shell.run("'\(Program.url.path)' restore - --data '\(folder.path)/data3' 2>&1 </dev/null")
        #expect(nothing.status != 0 && nothing.output.contains("error: "), "\(nothing.output)")
    }

    @Test func `A backup that lacks something does not replace the one before`() throws {
        defer { clean() }
        let file = folder.appending(path: "b.tar").path
        try FileManager.default.removeItem(at: folder.appending(path: "data"))
        try serveOnce("--seed", "\(Corpus.repositoryRoot)/Bundles")
        #expect(try run("backup", file).exitCode == 0)
        let before = Shell.run("sha256sum '\(file)'").output
        #expect(Shell.run("rm $(find '\(folder.path)/data/blobs' -name '*.zip' | head -n 1)").status == 0)
        let lacking = try run("backup", file)
        #expect(lacking.exitCode == 3 && lacking.output.contains("b.tar.incomplete"), "\(lacking)")
        #expect(Shell.run("sha256sum '\(file)'").output == before)
        #expect(Shell.run("tar tf '\(file).incomplete' | tail -n 1").output == "SHA256SUMS\n")
    }
}

@Suite struct `A backup that is interrupted` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-backup-\(UUID().uuidString)")

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Starts a backup whose server takes its time, and ends it once it has begun to write.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `An interrupted backup leaves nothing behind, and the previous file unchanged`(_ signal: Int32) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.path + "-data"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try RunningProgram(data: data, in: .process)
        let file = folder.appending(path: "b.tar").path
        try "the one before".write(toFile: file, atomically: true, encoding: .utf8)
        server.signal(SIGSTOP)
        let backup = ChildProcess()
        backup.executableURL = Program.url
        backup.arguments = ["backup", file, "--data", data]
        let errors = Pipe()
        backup.standardError = .pipe(errors)
        backup.standardInput = .nothing
        try backup.run()
        try #require(TestSupport.folder(folder.path) { $0.count == 2 })
        #expect(names()[0].hasPrefix(".staged-"), "\(names())")
        kill(backup.processIdentifier, signal)
        backup.waitUntilExit()
        server.signal(SIGCONT)
        #expect(backup.terminationReason == .exit && backup.terminationStatus == 1)
        #expect(names() == ["b.tar"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "the one before")
        let words = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(words.hasPrefix("error: interrupted: no backup was written\nhint: "), "\(words)")
        // And the server works, as does the next backup.
        let again = try Program.built.run(["backup", file, "--data", data])
        #expect(again.exitCode == 0, "\(again)")
        #expect(names() == ["b.tar"])
        #expect(Shell.run("tar tf '\(file)' | tail -n 1").output == "SHA256SUMS\n")
    }
}
