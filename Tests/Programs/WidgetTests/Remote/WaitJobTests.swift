import Foundation
import Testing
import WidgetTestSupport

/// Goal: the jobs of docs/outcomes.md go back only when they should, and never from a release that is not theirs. Method: their
/// lines, run by bash with a `widget` and a `jq` that say what a case wants, and note what they are asked for.
@Suite struct `The jobs that wait in docs/outcomes.md` {
    private static let text =
        (try? String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/outcomes.md", encoding: .utf8)) ?? ""

    /// The lines of GitHub's step and of GitLab's script, up to the promotion in both.
    private static var scripts: [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let step = lines.firstIndex(where: { $0.contains("- name: Wait for devices") }),
            let script = lines.firstIndex(of: "  script:")
        else { return [] }
        let github = lines[(step + 2)...].prefix { $0.hasPrefix("          ") }.map { String($0.dropFirst(10)) }
        let gitlab = lines[(script + 1)...].prefix { $0.hasPrefix("    - ") }.map { String($0.dropFirst(6)) }
        let promotion = "widget promote \"$ID\" \"$KEY\" --channel stable"
        // A step that fails, or is left, is a shell for itself; those after it follow if it has succeeded.
        return [(["("] + github + [")", promotion]).joined(separator: "\n"), gitlab.joined(separator: "\n")]
    }

    private struct Ended {
        var code: Int
        var acts: [String]
    }

    /// - Parameters:
    ///   - code: the exit code of `widget wait`.
    ///   - shown: the release that the channel shows by then.
    private static func run(_ script: String, _ code: Int, showing shown: String) throws -> Ended {
        let folder = FileManager.default.temporaryDirectory.appending(path: "jobs-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("widget", "#!/bin/sh\necho \"$1\" >>acts\n[ \"$1\" != wait ] || exit \(code)\n"),
            // It reads the key of the release that was published, and then what the channel shows.
            ("jq", "#!/bin/sh\ncat >/dev/null\ncase \"$2\" in .release) echo 1.4~1 ;; *) echo '\(shown)' ;; esac\n"),
            (
                "job",
                "cd '\(folder.path)'; PATH=\"$PWD:$PATH\"; KEY=1.4~1 ID=com.acme.Clock; set -e; exec </dev/null\n\(script)\n"
            ),
        ] {
            let path = folder.appending(path: name).path
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let ended = Shell.run("bash '\(folder.path)/job' 2>&1")
        let acts = try String(contentsOf: folder.appending(path: "acts"), encoding: .utf8)
        return Ended(code: Int(ended.status), acts: acts.split(separator: "\n").map(String.init))
    }

    @Test(arguments: scripts) func `A job promotes on 0, goes back on 5, and leaves the rest to a person`(
        _ script: String
    )
        throws
    {
        for (code, wanted) in [(0, "promote"), (5, "rollback"), (6, nil), (1, nil)] as [(Int, String?)] {
            let ended = try Self.run(script, code, showing: "1.4~1")
            let acts = ended.acts.filter { ["promote", "rollback"].contains($0) }
            // On GitHub the promotion is another step, which a failed one keeps from running.
            #expect(acts == [wanted].compactMap(\.self), "\(code): \(ended.acts)")
            #expect(ended.code == code, "\(code): \(ended.acts)")
        }
    }

    @Test(arguments: scripts) func `A job takes nothing back that another has put on the channel`(_ script: String)
        throws
    {
        for code in [0, 5, 6, 1] {
            let ended = try Self.run(script, code, showing: "1.5~1")
            #expect(ended.acts.contains("show") && !ended.acts.contains("rollback"), "\(code): \(ended.acts)")
            #expect(!ended.acts.contains("promote") && ended.code != 0, "\(code): \(ended.acts)")
        }
    }

    @Test func `There is a job for each`() { #expect(Self.scripts.count == 2) }
}
