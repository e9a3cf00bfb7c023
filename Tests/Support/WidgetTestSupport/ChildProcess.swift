internal import CWidgetLinux
package import Foundation
internal import Glibc
internal import Synchronization

/// A program that a test starts. It waits in the kernel: Foundation's `Process` spins in a run loop while it waits, and
/// has been seen to spin forever when a process that opens thousands of descriptors missed the end of a child.
///
/// Its properties are set before `run`; afterwards any thread may wait for it.
package final class ChildProcess: @unchecked Sendable {
    package enum Stream {
        /// The test's own.
        case inherited
        case nothing
        case handle(FileHandle)
        /// The test's copy of the child's end is closed once the child has it.
        case pipe(Pipe)
    }

    package enum End: Sendable { case exit, uncaughtSignal }

    package var executableURL: URL?
    package var arguments: [String] = []
    /// The test's own where there is none.
    package var environment: [String: String]?
    package var currentDirectoryURL: URL?
    package var standardInput = Stream.inherited
    package var standardOutput = Stream.inherited
    package var standardError = Stream.inherited
    /// A pipe whose writing end the program gets as descriptor ``noticeNumber``; the test's copy of it is closed then.
    package var notices: Pipe?
    package static let noticeNumber: Int32 = 3
    /// After this time it is ended, with the processes of its group, and the log says so: a test that waits for a program
    /// for ever would keep the whole run from its end.
    package var longest: Duration? = ChildProcess.patience

    /// Runs of many minutes limit the time of each part.
    private static let patience: Duration? =
        ProcessInfo.processInfo.environment["SLOW_TESTS"] == nil ? .seconds(600) : nil
    private static let watch = DispatchQueue(label: "test.children")

    /// What `waitpid` said, once the child was reaped. A number is not asked about again after that: it may belong to
    /// another process.
    private let ended = Mutex<Int32?>(nil)
    private let number = Mutex<Int32>(0)

    package init() {}

    /// The number of the process; 0 before it runs.
    package var processIdentifier: Int32 { number.withLock { $0 } }

    package func run() throws {
        guard let path = executableURL?.path else { throw CocoaError(.fileNoSuchFile) }
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        // A group of its own, so that a key pressed at the test's terminal does not reach it.
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        if let folder = currentDirectoryURL {
            unsafe linux_spawn_changes_folder(&actions, folder.path)
        }
        var taken: [FileHandle] = []
        for (stream, descriptor) in [
            (standardInput, STDIN_FILENO), (standardOutput, STDOUT_FILENO), (standardError, STDERR_FILENO),
        ] {
            switch stream {
            case .inherited: break
            case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            case .handle(let handle):
                unsafe posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
            case .pipe(let pipe):
                let end = descriptor == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
                unsafe posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, descriptor)
                taken.append(end)
            }
        }
        if let end = notices?.fileHandleForWriting {
            unsafe posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, ChildProcess.noticeNumber)
            taken.append(end)
        }
        unsafe linux_spawn_closes_from(&actions, notices == nil ? STDERR_FILENO + 1 : ChildProcess.noticeNumber + 1)
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        // The copies live until the call has returned.
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var pairs = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + pairs).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, path, &actions, &attributes, &words, &pairs)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        number.withLock { $0 = child }
        for end in taken { try end.close() }
        if let longest {
            ChildProcess.watch.asyncAfter(deadline: .now() + .seconds(Int(longest.components.seconds))) { [weak self] in
                self?.end(after: longest)
            }
        }
    }

    private func end(after time: Duration) {
        guard isRunning else { return }
        let words = ([executableURL?.path ?? ""] + arguments).joined(separator: " ").prefix(300)
        FileHandle.standardError.write(Data("error: a test's program was ended after \(time): \(words)\n".utf8))
        kill(-processIdentifier, SIGKILL)
    }

    package var isRunning: Bool { processIdentifier > 0 && reaped(WNOHANG) == nil }

    /// The time that it has had of the processors so far.
    package var processorTime: Duration {
        let stat = (try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return .zero }
        return .seconds(user + system) / Int(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Blocks until it has ended.
    ///
    /// - Returns: false if it runs after the time.
    package func ends(within time: Duration) -> Bool {
        // Its number is its as long as it was not collected.
        guard isRunning, let watched = try? WatchedProcess(Int(processIdentifier)) else { return true }
        return watched.ends(within: time)
    }

    package func waitUntilExit() {
        guard processIdentifier > 0 else { return }
        while ended.withLock({ $0 }) == nil {
            // Without reaping, so that the lock is not held for as long as the child runs.
            var ignored = unsafe siginfo_t()
            _ = unsafe waitid(P_PID, id_t(processIdentifier), &ignored, WEXITED | WNOWAIT)
            _ = reaped(WNOHANG)
        }
    }

    private func reaped(_ options: Int32) -> Int32? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            let found = unsafe waitpid(processIdentifier, &status, options)
            if found == processIdentifier { ended = status }
            precondition(found >= 0 || errno == EINTR, "process \(processIdentifier) was reaped elsewhere")
            return ended
        }
    }

    package var terminationReason: End { (ended.withLock { $0 } ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal }

    /// The exit code, or the number of the signal.
    package var terminationStatus: Int32 {
        let status = ended.withLock { $0 } ?? 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    package func terminate() {
        if isRunning { kill(processIdentifier, SIGTERM) }
    }
}

extension Pipe {
    /// The first lines of a child, as many as it has written by its end. The thread waits for them.
    package func firstLines(_ count: Int) -> [String] {
        var text = Data()
        while text.count(where: { $0 == 0x0A }) < count {
            let more = fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            text += more
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").prefix(count).map(String.init)
    }
}
