import Dispatch
import Foundation
import WidgetTestSupport

/// The other side of Tests/Faults/shim.c: a file of words that a widgetd under test shares with us.
final class FaultShim: Sendable {
    enum Call: Int, CaseIterable {
        case write = 1
        case synchronize, rename, open, read, unlink, mkdir, truncate, reserve, close, list
    }

    enum Phase: Int, CaseIterable {
        case staging = 1
        case blob, rename, commit, swap, gc
    }

    enum Action: Int64 {
        case fail, shorten, hold, interrupt, storm, end
        /// Every call of the kind fails, from the first on.
        case deny
    }

    private enum Word {
        static let (kind, countdown, error, action, fired) = (0, 1, 2, 3, 4)
        static let (killPhase, killCountdown, clockOffset) = (5, 6, 7)
        static let (counts, killedIn, inside, steadyOffset) = (8, 24, 33, 41)
        static let all = 512
    }

    /// Built once with the system's compiler, and removed at the end; `nil` without a compiler.
    static let library: String? = {
        atexit { if let library = FaultShim.library { unsafe unlink(library) } }
        let source = "\(Corpus.repositoryRoot)/Tests/Faults/shim.c"
        let target = FileManager.default.temporaryDirectory.appending(path: "widgetd-shim-\(getpid()).so").path
        for compiler in ["cc", "clang"] where Shell.has(compiler) {
            let arguments = ["-shared", "-fPIC", "-O2", "-o", target, source, "-ldl"]
            if (try? Tool.run(compiler, arguments))?.status == 0 { return target }
        }
        return nil
    }()

    private let file: FileHandle
    private let path: String

    init(in folder: URL) throws {
        path = folder.appending(path: "faults-\(UUID().uuidString)").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(count: Word.all * 8))
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        self.file = file
    }

    /// The environment of a server that loads it.
    func environment(data: URL) -> [String: String] {
        ["LD_PRELOAD": Self.library ?? "", "FAULT_SHIM_CONTROL": path, "FAULT_SHIM_DATA": data.path]
    }

    // MARK: Words

    private subscript(index: Int) -> Int64 {
        get {
            var value: Int64 = 0
            let count = unsafe withUnsafeMutableBytes(of: &value) {
                unsafe pread(file.fileDescriptor, $0.baseAddress, 8, off_t(index * 8))
            }
            return count == 8 ? value : 0
        }
        set {
            _ = unsafe withUnsafeBytes(of: newValue) {
                unsafe pwrite(file.fileDescriptor, $0.baseAddress, 8, off_t(index * 8))
            }
        }
    }

    private func set(_ index: Int, _ value: Int64) { self[index] = value }

    /// The n-th call of this kind from now on goes wrong.
    func arm(_ call: Call, at number: Int, error: Int32 = 0, _ action: Action = .fail) {
        set(Word.kind, 0)
        set(Word.countdown, Int64(number))
        set(Word.error, Int64(error))
        set(Word.action, action.rawValue)
        set(Word.fired, 0)
        set(Word.kind, Int64(call.rawValue))
    }

    func disarm() {
        set(Word.kind, 0)
        set(Word.action, 0)
    }

    /// From now on every second call is interrupted, on disks and sockets.
    func storm() {
        set(Word.fired, 0)
        set(Word.action, Action.storm.rawValue)
    }

    var interruptions: Int { Int(self[Word.fired]) }

    var hasFired: Bool { self[Word.fired] > 0 }

    func count(_ call: Call) -> Int { Int(self[Word.counts + call.rawValue]) }

    func moveClock(seconds: Int64) { set(Word.clockOffset, seconds) }

    /// Lets time pass on the clock that never goes back.
    func pass(seconds: Int64) { set(Word.steadyOffset, seconds) }

    /// Holds the next call of this kind while the body runs, which begins once the call has come.
    func hold<Result>(_ call: Call, begun begin: () throws -> Void, during body: () throws -> Result) throws -> Result {
        let pipe = "\(path).held"
        guard unsafe mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { unsafe unlink(pipe) }
        arm(call, at: 1, .hold)
        try begin()
        // Waits for the other end, which the call opens.
        let end = Observed<Int32?>(nil)
        Thread.detachNewThread { end.change { [file = unsafe open(pipe, O_WRONLY | O_CLOEXEC)] in $0 = file } }
        guard end.reaches({ $0 != nil }) else {
            close(unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
            throw CocoaError(.featureUnsupported)
        }
        defer { close(end.value ?? -1) }
        return try body()
    }

    // MARK: Phases

    /// Ends the process at the n-th step of a phase.
    func kill(in phase: Phase?, at number: Int = 1) {
        set(Word.killPhase, 0)
        set(Word.killedIn, 0)
        for phase in Phase.allCases { set(Word.inside + phase.rawValue, 0) }
        set(Word.killCountdown, Int64(number))
        set(Word.killPhase, Int64(phase?.rawValue ?? 0))
    }

    /// The phase in which the process ended: the one where it was made to, or else that of any of its threads.
    var ended: Phase? {
        if let phase = Phase(rawValue: Int(self[Word.killedIn])) { return phase }
        return Phase.allCases.first { self[Word.inside + $0.rawValue] > 0 }
    }
}

/// Threads that block as real clients do.
enum Crowd {
    /// Runs `body` on a number of threads, and waits for all of them.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = start(count, body)
        group.wait()
    }

    static func start(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        return group
    }

    /// A number from the environment, or a default that is enough for every day.
    static func number(_ variable: String, otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }

    /// True when all cases are tried, as in `make check PART=faults`; `make test` tries some.
    static let isThorough = ProcessInfo.processInfo.environment["SLOW_TESTS"] == "1"

    /// All of them in the long form, and else a few, others every time.
    static func some<Case>(_ all: [Case], _ count: Int) -> [Case] {
        isThorough ? all : Array(all.shuffled().prefix(count))
    }

    /// Says how a run goes, at once: it may take hours, and be ended before its time.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// The seed of a run, chosen anew unless one is given, and printed so that it can be given.
    static func seed(_ what: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["FAULT_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...(.max))
        report("\(what): FAULT_SEED=\(seed)")
        return seed
    }
}
