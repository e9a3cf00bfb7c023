internal import Foundation
internal import Glibc
package import Testing
internal import WidgetBytes
package import WidgetPostgres
internal import WidgetTestSupport

/// A PostgreSQL server of a test, from Debian's package, gone with the process.
package final class PostgresPeer: Sendable {
    /// True where the package is installed. `.ci/setup test` installs it.
    package static let isInstalled = !versions.isEmpty

    package static let absence: Comment = "needs PostgreSQL: .ci/setup test installs it"

    private static var versions: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    }

    /// The server that tests share. Each makes its own databases there.
    package static let shared = Result { try PostgresPeer() }

    /// The script's lines: PG_URL and the like.
    package let words: [String: String]
    private let process = ChildProcess()
    /// Its end is the end of the server.
    private let input = Pipe()
    private let count = Guarded(0)

    package init(_ environment: [String: String] = [:]) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "\(Corpus.repositoryRoot)/Tests/Cluster/postgres-peer")
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        process.longest = nil
        try process.run()
        var text = ""
        while !text.hasSuffix("READY\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Failure(text: "PostgreSQL did not start: \(text)") }
            text += String(decoding: piece, as: UTF8.self)
        }
        var words: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { words[String(parts[0])] = String(parts[1]) }
        }
        self.words = words
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    package struct Failure: Error {
        package let text: String
    }

    package var url: String { words["PG_URL"] ?? "" }

    /// The postmaster's number.
    package var number: Int32 { words["PG_PID"].flatMap(Int32.init) ?? 0 }

    package func address(_ database: String = "widgetd") throws(PostgresError) -> PostgresAddress {
        try PostgresAddress(url(database), program: "test")
    }

    package func url(_ database: String) -> String {
        url.replacing(/\/widgetd$/, with: "/\(database)")
    }

    /// An empty database that no other test uses.
    package func makeDatabase() throws -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let name = "test\(number)"
        try PostgresConnection(address()).script("CREATE DATABASE \(name) TEMPLATE template0")
        return name
    }

    /// Sends a signal to the server's processes, all of them.
    package func signal(_ signal: Int32) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for name in found {
            guard let process = Int32(name),
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                // After the name in brackets come the state and the parent.
                let parent = status.split(separator: ") ").last?.split(separator: " ").dropFirst().first
            else { continue }
            if process == number || Int32(parent) == number { kill(process, signal) }
        }
    }
}
