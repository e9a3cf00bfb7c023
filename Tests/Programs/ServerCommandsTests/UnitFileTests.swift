import Foundation
import Testing
import WidgetConfiguration
import WidgetConsole
import WidgetTestSupport

@testable import ServerCommands

/// Goal: the unit for systemd in `config` works as it is. Method: its lines compared with the program's own settings, and
/// systemd's judgement of them.
@Suite struct `The unit for systemd` {
    private static let path = "\(Corpus.repositoryRoot)/config/systemd/widgetd.service"

    private static func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The values of a key, in their order.
    private static func values(_ key: String) throws -> [String] {
        try text().split(separator: "\n").filter { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
    }

    @Test func `The unit starts the server with options and variables that there are`() throws {
        let secrets = Settings.table.filter(\.isSecret).map { $0.environmentName + "_FILE" }
        let variables = Set(Settings.table.map(\.environmentName) + secrets)
        let flags = Set(Settings.table.compactMap { $0.flag.map { "--\($0.name)" } } + ["--config"])
        let words = try #require(try Self.values("ExecStart").first).split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["/usr/local/bin/widgetd", "serve"])
        let given = words.filter { $0.hasPrefix("--") }
        #expect(given.count == 2 && Set(given).isSubset(of: flags), "\(words)")
        let named = try Self.values("Environment").compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(!named.isEmpty && Set(named).isSubset(of: variables), "\(named)")
    }

    /// The server gives signs of life only to a manager that waits for its first one.
    @Test func `The unit waits for the server's word, and hardens it`() throws {
        // Misuse and a damaged store are not mended by starting again.
        for (key, value) in [
            ("Type", "notify"), ("WatchdogSec", "30"), ("RestartPreventExitStatus", "2 3"), ("NoNewPrivileges", "yes"),
            ("ProtectSystem", "strict"),
        ] {
            #expect(try Self.values(key) == [value], "\(key)")
        }
    }

    @Test(.enabled(if: Shell.has("systemd-analyze"), "needs systemd-analyze"))
    func `systemd knows every line of the unit`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "widgetd.service")
        func complaints(_ text: String) throws -> String {
            try Data(text.utf8).write(to: copy)
            return Shell.run("exec systemd-analyze verify --man=no '\(copy.path)' 2>&1").output
        }
        // The program is installed elsewhere, or not at all.
        let text = try Self.text().replacing("/usr/local/bin/widgetd", with: "/bin/true")
        #expect(try complaints(text) == "")
        #expect(try complaints(text.replacing("TasksMax", with: "TaskMax")).contains("TaskMax"))
    }
}
