internal import Foundation
internal import Glibc
internal import Synchronization
internal import WidgetTestSupport

/// A server's program that a test starts, for what only a process shows: kills, signals, limits, other programs.
///
/// The program says on a descriptor what it does (`WIDGETD_NOTIFY_FD`), so nothing is asked again and again.
final class ServerProcess: Sendable {
    let process = ChildProcess()
    private let log: ServerLog
    private let notices = Pipe()
    private let unread = Mutex<[UInt8]>([])
    private let lines = Mutex<[String]>([])

    /// - Parameters:
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - output: receives standard output.
    ///   - log: receives standard error.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], prelude: String?, output: FirstOutput,
        log: ServerLog
    ) throws {
        self.log = log
        let url = BuiltProgram(program).url
        process.executableURL = prelude == nil ? url : URL(filePath: "/bin/sh")
        process.arguments =
            (prelude.map { ["-c", "\($0); exec \"$0\" \"$@\"", url.path] } ?? []) + arguments
        // Each review of a bundle that is published is a process.
        let usual = BuiltProgram.isOther(program) ? [:] : TestedServer.withoutCells
        process.environment = BuiltProgram.environment(
            usual.merging(environment) { $1 }.merging(["WIDGETD_NOTIFY_FD": "\(ChildProcess.noticeNumber)"]) { $1 })
        let (words, errors) = (Pipe(), Pipe())
        process.notices = notices
        process.standardOutput = .pipe(words)
        process.standardError = .pipe(errors)
        process.standardInput = .nothing
        // Programs that other tests start meanwhile must not hold the ends.
        for end in [notices, words, errors].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try process.run()
        HomeWatch.add(process.processIdentifier)
        Thread.detachNewThread {
            while case let bytes = words.fileHandleForReading.availableData, !bytes.isEmpty {
                _ = output.add(Array(bytes))
            }
        }
        Thread.detachNewThread {
            while case let bytes = errors.fileHandleForReading.availableData, !bytes.isEmpty { log.write(Array(bytes)) }
            log.end()
        }
    }

    /// The lines that were read.
    var said: [String] { lines.withLock { $0 } }

    /// The next line that the server has said of itself; `nil` once it says nothing more.
    func notice() -> String? {
        unread.withLock { unread in
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: unread[..<end], as: UTF8.self)
                    unread.removeSubrange(...end)
                    lines.withLock { $0.append(line) }
                    return line
                }
                let bytes = notices.fileHandleForReading.availableData
                guard !bytes.isEmpty else { return nil }
                unread += bytes
            }
        }
    }

    /// The addresses that the server says until it is ready, by their words; `nil` if it ends before.
    func ready() -> [String: String]? {
        var addresses: [String: String] = [:]
        while let line = notice() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            if words.count == 2 { addresses[words[0]] = words[1] }
            if words.first == "ready" { return addresses }
        }
        return nil
    }

    /// The exit code, or the number of the signal that has ended it; its log is whole then.
    func waitUntilExit() -> Int32 {
        process.waitUntilExit()
        HomeWatch.remove(process.processIdentifier)
        log.waitUntilEnd()
        return process.terminationStatus
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: all of its log.
    func remainder() -> String {
        _ = waitUntilExit()
        return log.text
    }

    /// Ends it at once.
    ///
    /// - Returns: all of its log.
    func kill() -> String {
        if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
        _ = waitUntilExit()
        return log.text
    }
}
