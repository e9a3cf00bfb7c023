import Foundation
import TestSupport
import Testing
import WidgetCells

@testable import ServerCommands

/// Goal: the limits that the documents recommend hold what the processes of a server may take (B2). Method: the bounds on a
/// machine of many processors, and the examples as they are written.
@Suite struct `The bounds of a server's processes` {
    /// The memory of the server itself, as the sizing has it.
    private static let server = 256 << 20

    private static func bounds(_ change: (inout WidgetPreviews.Options) -> Void = { _ in }) -> CellBounds {
        var options = WidgetPreviews.Options()
        change(&options)
        return CellBounds(ServerCells.limits(options), processors: 64)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Corpus.repositoryRoot)/\(path)", encoding: .utf8)
    }

    /// The number behind a word of an example.
    private static func number(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> Int {
        try #require(try text(path).firstMatch(of: pattern).flatMap { Int($0.1) }, "\(path)")
    }

    @Test func `B2: The documented limits hold what all processes may take together`() throws {
        let bounds = Self.bounds()
        for (memory, path) in [
            (/MemoryMax=(\d+)M/, "docs/operating.md"), (/mem_limit: (\d+)m/, "docs/operating.md"),
            (/limits: \{memory: (\d+)Mi/, "docs/operating/cluster-kubernetes.yaml"),
        ] {
            #expect(try Self.number(memory, in: path) << 20 >= bounds.totalByteCount + Self.server)
        }
        for tasks in [/TasksMax=(\d+)/, /pids_limit: (\d+)/] {
            #expect(try Self.number(tasks, in: "docs/operating.md") >= bounds.totalThreads + 256)
        }
    }

    @Test func `The sizing has the sums of smaller settings`() throws {
        let text = try Self.text("docs/operating.md")
        for (bounds, memory, tasks) in [
            (Self.bounds(), 2_560, "2,048"), (Self.bounds { $0.cells = 4 }, 1_408, "1,024"),
            (Self.bounds { $0.isEnabled = false }, 640, "512"),
        ] {
            #expect(memory << 20 >= bounds.totalByteCount + Self.server)
            let sum = (bounds.totalByteCount >> 20).formatted(.number.locale(Locale(identifier: "en")))
            let threads = bounds.totalThreads.formatted(.number.locale(Locale(identifier: "en")))
            #expect(text.contains("| \(sum) MiB, \(threads) threads | `\(memory)M`, \(tasks) tasks |"), "\(bounds)")
        }
    }

    @Test func `The bounds are said each and together, fewer threads for fewer processors`() {
        let few = CellBounds(ServerCells.limits(WidgetPreviews.Options()), processors: 2)
        #expect(few.threads == 40 && Self.bounds().threads == 64)
        #expect(few.text.contains("at once: 4 reviews, 16 widgets, 2 pictures, 2 spares\n"))
        #expect(few.text.contains("together: 24 processes, 2304 MiB of memory, 960 threads, beside the server's own\n"))
        #expect(Self.bounds { $0.isEnabled = false }.text.contains("at once: 4 reviews\n"))
    }
}
