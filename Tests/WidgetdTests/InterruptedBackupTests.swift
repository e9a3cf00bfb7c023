import Foundation
import TestSupport
import Testing

@Suite struct `A backup that is interrupted` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-backup-\(UUID().uuidString)")

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Starts a backup whose server takes its time, and ends it once it has begun to write.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `leaves nothing behind, and what was there before as it was`(_ signal: Int32) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.path + "-data"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try RunningProgram(data: data)
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
        for _ in 0..<3_000 where names().count < 2 { usleep(10_000) }
        #expect(names().count == 2 && names()[0].hasPrefix(".staged-"), "\(names())")
        kill(backup.processIdentifier, signal)
        backup.waitUntilExit()
        server.signal(SIGCONT)
        #expect(backup.terminationReason == .exit && backup.terminationStatus == 1)
        #expect(names() == ["b.tar"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "the one before")
        let words = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(words.hasPrefix("error: interrupted: no backup was written\nhint: "), "\(words)")
        // And the server goes on, as does the next backup.
        let again = try Program.run(["backup", file, "--data", data])
        #expect(again.exitCode == 0, "\(again)")
        #expect(names() == ["b.tar"])
        #expect(Shell.run("tar tf '\(file)' | tail -n 1").output == "SHA256SUMS\n")
    }
}
