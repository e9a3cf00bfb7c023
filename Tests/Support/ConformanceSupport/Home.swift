package import Foundation
internal import Glibc
internal import Synchronization
internal import WidgetTestSupport

/// A folder for one server, which is removed after its last use, also when the test run is killed.
package final class Home: Sendable {
    package let folder: URL

    /// The server's data directory.
    package var data: URL { folder.appending(path: "data") }

    /// The files in staging, without the folder in which each of several servers of one directory has its files.
    package var staged: [String] {
        let found = FileManager.default.enumerator(atPath: data.appending(path: "staging").path)
        return (found?.compactMap { $0 as? String } ?? []).filter {
            !($0.hasPrefix(".staged-replica-") && (!$0.contains("/") || $0.hasSuffix("/lock")))
        }
    }

    package init() throws { folder = try HomeWatch.shared.get().makeFolder() }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A file with these bytes, for programs that want one.
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }
}

/// A shell that reads from this process, and learns of its end by that. Then it ends the servers that this process has left
/// behind, and removes their folders.
final class HomeWatch: Sendable {
    fileprivate static let shared = Result { try HomeWatch() }

    private let root: URL
    private let serving: URL
    private let watch = ChildProcess()
    private let line = Pipe()
    private let count = Atomic<Int>(0)

    private init() throws {
        root = URL(filePath: TemporaryPlace.path).appending(path: "widgetd-\(UUID().uuidString)")
        serving = root.appending(path: "serving")
        try FileManager.default.createDirectory(at: serving, withIntermediateDirectories: true)
        // A server must not inherit the pipe whose end notifies the shell.
        _ = fcntl(line.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        watch.executableURL = URL(filePath: "/bin/sh")
        watch.arguments = [
            "-c",
            """
            read -r nothing
            for process in "$0"/serving/*; do kill -9 "${process##*/}" 2>/dev/null; done
            rm -rf "$0"
            """,
            root.path,
        ]
        watch.standardInput = .pipe(line)
        watch.standardOutput = .nothing
        watch.standardError = .nothing
        watch.longest = nil
        try watch.run()
    }

    /// Says that a process serves from a folder of this run, until it is removed.
    static func add(_ process: Int32) {
        guard let watch = try? shared.get() else { return }
        _ = FileManager.default.createFile(atPath: watch.mark(process), contents: nil)
    }

    static func remove(_ process: Int32) {
        guard let watch = try? shared.get() else { return }
        try? FileManager.default.removeItem(atPath: watch.mark(process))
    }

    fileprivate func makeFolder() throws -> URL {
        let folder = root.appending(path: "\(count.add(1, ordering: .relaxed).newValue)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    private func mark(_ process: Int32) -> String { serving.appending(path: "\(process)").path }

}
