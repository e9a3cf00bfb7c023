import ConformanceSupport
import Foundation
import Glibc
import Testing
import WidgetTestSupport

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
        let isDevice = unsafe mknod("\(folder.path)/device", S_IFCHR | 0o600, 1 << 8 | 7) == 0
        try FileWork.makePipe("\(folder.path)/pipe")
        try FileWork.makeFolder("\(folder.path)/folder")
        func kind(_ name: String) throws -> FileAttributeType? {
            try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.type] as? FileAttributeType
        }
        for name in ["pipe", "folder"] + (isDevice ? ["device"] : []) {
            let before = try kind(name)
            let refused = try run("backup", folder.appending(path: name).path)
            #expect(refused.exitCode == 1 && refused.error.contains("is not a file"), "\(name): \(refused)")
            #expect(try kind(name) == before && before != .typeRegular)
        }
    }

    @Test func `A backup is written through a link, and restored through a link and from standard input`() throws {
        defer { clean() }
        let there = folder.appending(path: "there").path
        let link = folder.appending(path: "latest.tar").path
        try FileWork.makeFolder(there)
        try FileWork.touch("\(there)/b.tar")
        try FileWork.link(link, to: "there/b.tar")
        let written = try run("backup", link)
        #expect(written.exitCode == 0, "\(written)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "there/b.tar")
        #expect(try TarListing.last("\(there)/b.tar") == "SHA256SUMS")
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
        let before = try FileWork.bytes(file)
        let archives = FileWork.files(below: "\(folder.path)/data/blobs", endingWith: ".zip")
        try FileWork.remove(try #require(archives.first))
        let lacking = try run("backup", file)
        #expect(lacking.exitCode == 3 && lacking.output.contains("b.tar.incomplete"), "\(lacking)")
        #expect(try FileWork.bytes(file) == before)
        #expect(try TarListing.last("\(file).incomplete") == "SHA256SUMS")
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
        try #require(WidgetTestSupport.folder(folder.path) { $0.count == 2 })
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
        let again = try Program.run(["backup", file, "--data", data])
        #expect(again.exitCode == 0, "\(again)")
        #expect(names() == ["b.tar"])
        #expect(try TarListing.last(file) == "SHA256SUMS")
    }
}
