package import Foundation
internal import Glibc
internal import TestSupport

/// A folder for one server, gone when nobody needs it any more, however the test run ends.
///
/// A shell keeps watch: it reads which process serves, and when this process is gone, or done with the folder, it ends
/// that one and removes everything.
package final class Home: Sendable {
    package let folder: URL
    private let watch = ChildProcess()
    private let line = Pipe()

    /// The server's data directory.
    package var data: URL { folder.appending(path: "data") }

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A server must not hold the line that tells the watch of our end.
        _ = fcntl(line.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        watch.executableURL = URL(filePath: "/bin/sh")
        watch.arguments = [
            "-c",
            """
            last=
            while read -r serving; do last=$serving; done
            [ -z "$last" ] || kill -9 "$last" 2>/dev/null
            rm -rf "$0"
            """,
            folder.path,
        ]
        watch.standardInput = .pipe(line)
        try watch.run()
    }

    deinit {
        try? line.fileHandleForWriting.close()
        watch.waitUntilExit()
    }

    /// Tells the watch who serves from here now; `nil`: nobody.
    package func serves(_ process: Int32?) {
        try? line.fileHandleForWriting.write(contentsOf: Data("\(process.map { "\($0)" } ?? "")\n".utf8))
    }

    /// A file with these bytes, for programs that want one.
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }
}
