import Foundation
import Testing
import WidgetTestSupport

/// The changes of a checkout since its branch left `main`, with those that are not committed. On `main` itself: since the
/// commit before.
private struct BranchChanges {
    let folder: String

    private func git(_ words: [String]) -> String? {
        // Another user may own the folder, as in a container.
        let result = Toolchain.run("git", ["-c", "safe.directory=*", "-C", folder] + words)
        return result.status == 0 ? result.text : nil
    }

    /// The commit to compare with; `nil` outside of git.
    private var base: String? {
        let last = git(["rev-list", "--first-parent", "--max-count=2", "HEAD"])?.split(separator: "\n").map(String.init)
        guard let last, let head = last.first else { return nil }
        for branch in ["main", "origin/main"] {
            guard let text = git(["merge-base", "HEAD", branch]) else { continue }
            let base = text.filter { !$0.isWhitespace }
            if base != head { return base }
        }
        // The commit before; a shallow checkout has none.
        return last[last.count - 1]
    }

    /// The differences of each file, by its name, without lines around them.
    private static func byFile(_ differences: String) -> [(name: String, lines: String)] {
        differences.components(separatedBy: "diff --git ").dropFirst().map { part in
            let head = part.split(separator: "\n", maxSplits: 1)
            return (head[0].components(separatedBy: " b/").last ?? "", head.count > 1 ? String(head[1]) : "")
        }
    }

    /// True if a file has a line more by these differences, without lines around them.
    static func addsLine(_ differences: String) -> Bool {
        differences.split(separator: "\n").contains { $0.hasPrefix("+") && !$0.hasPrefix("+++") }
    }

    /// The reason why the changes are refused; `nil` if they are not, or if git is missing.
    var complaint: String? {
        guard let base, let text = git(["diff", "--unified=0", base, "--", "docs/api", "CHANGELOG.md"]) else {
            return nil
        }
        let files = BranchChanges.byFile(text)
        let changed = files.map(\.name).filter { $0 != "CHANGELOG.md" }
        guard !changed.isEmpty,
            !files.contains(where: { $0.name == "CHANGELOG.md" && BranchChanges.addsLine($0.lines) })
        else { return nil }
        return
            "the public interface changes and CHANGELOG.md has no line about it:\n\(changed.joined(separator: "\n"))\n"
            + "add one under \"For host developers\" (CONTRIBUTING.md, Versions)"
    }
}

/// Goal: dependents can read about each change of what they build on. Method: git's account of this checkout, and of a
/// repository made for the test, where the change is refused.
@Suite struct `A change of the public interface` {
    @Test func `A branch that changes docs/api adds a line to CHANGELOG.md`() {
        let complaint = BranchChanges(folder: Corpus.repositoryRoot).complaint
        #expect(complaint == nil, "\(complaint ?? "")")
    }

    @Test func `A change of docs/api without a line in CHANGELOG.md is refused, committed or not`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "changes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "docs/api"), withIntermediateDirectories: true)
        func write(_ text: String, to path: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: path))
        }
        func git(_ words: String...) throws {
            let identity = [
                "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c",
                "maintenance.auto=false",
            ]
            let result = Toolchain.run("git", ["-C", folder.path] + identity + words)
            try #require(result.status == 0, "\(result.text)")
        }
        let changes = BranchChanges(folder: folder.path)
        try git("init", "--quiet", "--initial-branch=main")
        try write("a\n", to: "docs/api/Widgets.txt")
        try write("- One\n- Two\n", to: "CHANGELOG.md")
        try git("add", ".")
        try git("commit", "--quiet", "--message=Begin")
        try write("b\n", to: "docs/api/Widgets.txt")
        try write("- One\n", to: "CHANGELOG.md")
        #expect(changes.complaint?.contains("docs/api/Widgets.txt") == true, "a line that goes says nothing")
        try git("checkout", "--quiet", "-b", "branch")
        try git("commit", "--quiet", "--all", "--message=Change")
        #expect(changes.complaint != nil)
        try write("- One\n- Three\n", to: "CHANGELOG.md")
        try git("commit", "--quiet", "--all", "--message=Say so")
        #expect(changes.complaint == nil, "a branch is one change")
    }

    @Test(arguments: [
        ("--- a/C\n+++ b/C\n@@ -1 +1,2 @@\n+- Three\n", true), ("--- a/C\n+++ b/C\n@@ -2 +1,0 @@\n-- Two\n", false),
        ("--- a/C\n+++ b/C\n@@ -2 +2 @@\n-- Two\n+- Three\n", true), ("", false),
    ])
    func `A line that is added or changed is a note, and one that goes is not`(_ differences: String, _ isNote: Bool) {
        #expect(BranchChanges.addsLine(differences) == isNote)
    }
}
