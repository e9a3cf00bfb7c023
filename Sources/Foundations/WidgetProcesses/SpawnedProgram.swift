internal import CWidgetLinux
internal import Dispatch
internal import Glibc
internal import WidgetBytes
package import WidgetFiles

/// A program to start: its file, its words and its place.
package struct ProgramStart: Sendable {
    package var path: String
    package var arguments: [String]
    /// Each is `NAME=VALUE`.
    package var environment: [String]
    /// The working directory; this process's if `nil`.
    package var folder: String?
    package var channel = Channel.none
    /// True if it is asked to end when this process ends, instead of being killed: it may have children to end.
    package var endsInOrder = false
    /// Its place behind others that want to run, from its beginning on, as `nice` has it.
    package var niceness = 0

    /// The numbers under which a program finds a socket to this process.
    package enum Channel: Sendable {
        case none
        /// ``SpawnedProgram/channelNumber`` alone.
        case one
        /// The same number to read from, and the next number to write to, as browsers have it.
        case two
    }

    package init(_ path: String, _ arguments: [String] = [], environment: [String] = [], in folder: String? = nil) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
    }
}

/// How a program has ended: by itself or by a signal.
package enum ProgramEnd: Equatable, Sendable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    /// True if the filter of calls has ended it.
    package var isForbiddenCall: Bool { self == .signal(SIGSYS) }

    package var description: String {
        switch self {
        case .exit(let code): "its exit code is \(code)"
        case .signal(SIGSEGV), .signal(SIGBUS), .signal(SIGILL), .signal(SIGTRAP), .signal(SIGABRT): "it has crashed"
        case .signal(SIGSYS): "it did something that is forbidden"
        case .signal(SIGXCPU): "it has used up its processor time"
        case .signal(SIGXFSZ): "it wrote to a file, which is forbidden"
        case .signal(let number): "it got the signal \(number)"
        }
    }
}

/// A child process. It ends with this object, and with this process, however that ends; it never stays a zombie.
///
/// Its standard input is empty. It inherits only the descriptors that are meant for it.
package final class SpawnedProgram: Sendable {
    package enum Stream: Sendable { case output, error }

    /// The number under which the child finds its end of the channel.
    package static let channelNumber = 3
    /// The longest line of an output; more of it is left out.
    private static let lineByteCount = 16 << 10

    private struct State {
        /// 0 before the start, and after the end.
        var number: Int32 = 0
        /// A descriptor that means this process and never another one; -1 where the system has none.
        var handle: Int32 = -1
        var end: ProgramEnd?
    }

    private let state: Guarded<State>
    private let ended: DispatchGroup
    private let printed: DispatchGroup
    /// The system's account of the memory; `nil` where it gives none.
    private let memory: FileDescriptor?
    /// This process's end of the channel.
    package let channel: StreamSocket?

    /// - Parameter onLine: called with each line that the program prints, by another thread.
    package init(
        _ start: ProgramStart, onLine: @escaping @Sendable (Stream, String) -> Void
    ) throws(FileError) {
        let output = try Pipe(start.path)
        let errors = try Pipe(start.path)
        let nothing = try SpawnedProgram.nothing()
        var pair: [Int32] = [-1, -1]
        if start.channel != .none, unsafe linux_socket_pair(&pair) != 0 {
            throw FileError(.start, subject: start.path, code: EMFILE)
        }
        let channel: StreamSocket? = start.channel != .none ? StreamSocket(owning: pair[0]) : nil
        let theirs = FileDescriptor(owning: pair[1], subject: "a channel")
        let given = [
            nothing.number, output.write.number, errors.write.number, theirs.number,
            start.channel == .two ? theirs.number : -1,
        ]
        let (state, ended, printed) = (Guarded(State()), DispatchGroup(), DispatchGroup())
        (self.state, self.ended, self.printed, self.channel) = (state, ended, printed, channel)
        let (isStarted, failure, account) = (DispatchSemaphore(value: 0), Guarded<Int32>(0), Guarded<Int32>(-1))
        ended.enter()
        // The child is killed when the thread ends that has started it. So that thread waits for the child.
        DispatchQueue(label: "processes.child").async {
            let number = SpawnedProgram.start(start, given)
            if number > 0 {
                // Both before its end can be noticed, so that no other process has these numbers.
                let handle = linux_pidfd(number)
                let file = try? FileDescriptor.readingNamed("/proc/\(number)/statm").release()
                account.withLock { $0 = file ?? -1 }
                state.withLock { $0 = State(number: number, handle: max(-1, handle)) }
            } else {
                failure.withLock { $0 = -number }
            }
            isStarted.signal()
            if number > 0 {
                var status: Int32 = 0
                _ = unsafe linux_await_end(number, &status)
                state.withLock { state in
                    _ = linux_reap(number)
                    if state.handle >= 0 { _ = Glibc.close(state.handle) }
                    state = State(end: status < 0 ? .signal(-status) : .exit(status))
                }
            }
            ended.leave()
        }
        isStarted.wait()
        let file = account.withLock { $0 }
        memory = file >= 0 ? FileDescriptor(owning: file, subject: "the memory of \(start.path)") : nil
        // These were open until the child had its copies.
        try? output.write.close()
        try? errors.write.close()
        try? theirs.close()
        try? nothing.close()
        let code = failure.withLock { $0 }
        guard code == 0 else { throw FileError(.start, subject: start.path, code: code) }
        for (lines, stream) in [(StoredLines(output.read), Stream.output), (StoredLines(errors.read), .error)] {
            printed.enter()
            DispatchQueue(label: "processes.child.output").async {
                lines.read(upTo: SpawnedProgram.lineByteCount) { onLine(stream, $0) }
                printed.leave()
            }
        }
    }

    deinit { stop() }

    /// A file that is empty, for what the child reads. The root of a container may have no devices.
    private static func nothing() throws(FileError) -> FileDescriptor {
        do throws(FileError) {
            return try FileDescriptor.readingNamed("/dev/null")
        } catch {
            guard error.isMissing else { throw error }
            return try FileDescriptor.sealed([], subject: "an empty file")
        }
    }

    private static func start(_ start: ProgramStart, _ given: [Int32]) -> Int32 {
        // The copies live until the call has returned.
        var words = unsafe ([start.path] + start.arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe start.environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        let death = start.endsInOrder ? SIGTERM : SIGKILL
        guard let folder = start.folder else {
            return unsafe linux_start(
                start.path, &words, &variables, nil, given, death, Int32(clamping: start.niceness))
        }
        return unsafe linux_start(start.path, &words, &variables, folder, given, death, Int32(clamping: start.niceness))
    }

    /// The number of the process; `nil` after its end.
    package var number: Int? {
        state.withLock { $0.number > 0 ? Int($0.number) : nil }
    }

    /// The memory that it has resident now, in bytes; `nil` after its end.
    package var residentBytes: Int? {
        guard let bytes = try? memory?.read(at: 0, count: 200) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]), pages > 0 else { return nil }
        return pages.multipliedReportingOverflow(by: Int(getpagesize())).partialValue
    }

    /// The processor time that it has used; `nil` after its end.
    package var processorTime: Duration? {
        state.withLock { state in
            let used = state.number > 0 ? linux_processor_nanoseconds(state.number) : -1
            return used >= 0 ? .nanoseconds(used) : nil
        }
    }

    /// Kills it and its children.
    package func stop() {
        state.withLock { state in
            guard state.number > 0 else { return }
            if state.handle >= 0 { _ = linux_signal_pidfd(state.handle, SIGKILL) }
            _ = linux_signal_group(state.number, SIGKILL)
        }
    }

    /// Waits for its end, and then for the lines that it has printed.
    ///
    /// - Returns: `nil` if it has not ended within those seconds.
    package func wait(seconds: Double = .infinity) -> ProgramEnd? {
        let deadline = seconds.isFinite ? DispatchTime.now() + seconds : .distantFuture
        guard ended.wait(timeout: deadline) == .success else { return nil }
        // A descendant in another group may keep the pipes open.
        _ = printed.wait(timeout: .now() + 1)
        return state.withLock { $0.end }
    }

    /// Calls back once, by another thread, when it has ended; at once if it has.
    package func whenEnded(_ body: @escaping @Sendable (ProgramEnd?) -> Void) {
        let state = state
        ended.notify(queue: .global()) { body(state.withLock { $0.end }) }
    }
}

/// A pipe for a child's lines: the child writes to one end, and this process reads from the other.
private struct Pipe: ~Copyable {
    let read, write: FileDescriptor

    init(_ path: String) throws(FileError) {
        var ends: [Int32] = [-1, -1]
        let failure = unsafe -linux_pipe(&ends)
        guard failure == 0 else { throw FileError(.start, subject: path, code: failure) }
        read = FileDescriptor(owning: ends[0], subject: "the output of \(path)")
        write = FileDescriptor(owning: ends[1], subject: "the output of \(path)")
    }
}

/// The lines of an output, read by one thread.
private final class StoredLines: Sendable {
    private let file: FileDescriptor

    init(_ file: consuming FileDescriptor) { self.file = file }

    func read(upTo limit: Int, _ body: (String) -> Void) {
        var splitter = LineSplitter(limit: limit)
        while let bytes = try? file.readNext(count: 16 << 10), !bytes.isEmpty {
            splitter.take(bytes[...]) { line, _ in body(String(decoding: line, as: UTF8.self)) }
        }
        splitter.end { line, _ in body(String(decoding: line, as: UTF8.self)) }
    }
}
