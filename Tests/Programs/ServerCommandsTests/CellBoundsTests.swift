import Foundation
import Testing
import WidgetCells
import WidgetTestSupport

@testable import ServerCommands

/// Goal: the limits that the documents recommend hold what the processes of a server may take (B2). Method: the bounds on a
/// machine of many processors, and the examples as they are written.
@Suite struct `The bounds of a server's processes` {
    /// The memory of the server itself, as the sizing has it.
    private static let server = 256 << 20

    private static let bounds = CellBounds(CellLimits(), processors: 64)

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Corpus.repositoryRoot)/\(path)", encoding: .utf8)
    }

    /// The number behind a word of an example.
    private static func number(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> Int {
        try #require(try text(path).firstMatch(of: pattern).flatMap { Int($0.1) }, "\(path)")
    }

    @Test func `B2: The documented limits hold what all processes may take together`() throws {
        for (memory, path) in [
            (/MemoryMax=(\d+)M/, "config/systemd/widgetd.service"), (/mem_limit: (\d+)m/, "config/compose.yaml"),
            (/limits: \{memory: (\d+)Mi/, "config/kubernetes/widgetd.yaml"),
            (/limits: \{memory: (\d+)Mi/, "config/kubernetes/cluster.yaml"),
        ] {
            #expect(try Self.number(memory, in: path) << 20 >= Self.bounds.totalByteCount + Self.server)
        }
        for (tasks, path) in [
            (/TasksMax=(\d+)/, "config/systemd/widgetd.service"), (/pids_limit: (\d+)/, "config/compose.yaml"),
        ] {
            #expect(try Self.number(tasks, in: path) >= Self.bounds.totalThreads + 256)
        }
    }

    @Test func `The sizing has the sums of the bounds`() throws {
        let (memory, tasks) = (640, 512)
        #expect(memory << 20 >= Self.bounds.totalByteCount + Self.server && tasks >= Self.bounds.totalThreads + 256)
        let sum = "\(Self.bounds.totalByteCount >> 20) MiB, \(Self.bounds.totalThreads) threads"
        #expect(try Self.text("docs/operating.md").contains("| \(sum) | `\(memory)M`, \(tasks) tasks |"), "\(sum)")
    }

    @Test func `The bounds are said each and together, fewer threads for fewer processors`() {
        let few = CellBounds(CellLimits(), processors: 2)
        #expect(few.threads == 40 && Self.bounds.threads == 64)
        #expect(few.text.contains("at once: 4 reviews\n"))
        #expect(few.text.contains("together: 4 processes, 384 MiB of memory, 160 threads, beside the server's own\n"))
    }
}
