package import Foundation
internal import Synchronization
package import WidgetConsole
package import WidgetSurroundings
package import WidgetTestSupport

/// A program that tests call in their own process, as a function from arguments to an exit code.
package struct CalledProgram: Sendable {
    package struct Unanswered: Error {
        package let arguments: [String]
    }

    private let body: @Sendable ([String], Terminal, World) async -> ExitCode
    /// The file of the program, which it starts itself from.
    private let file: String
    /// The built program that takes its place.
    private let built: BuiltProgram?

    /// The longest time that a command may take, as for a program that is started.
    private static let patience = DispatchTimeInterval.seconds(600)

    /// - Parameter name: that of the program. Where the environment names a built one (`WIDGET_PROGRAM` for `widget`),
    ///   that is run instead.
    package init(_ name: String, _ body: @escaping @Sendable ([String], Terminal, World) async -> ExitCode) {
        self.body = body
        file = BuiltProgram(name).url.path
        let variable = "\(name.uppercased())_PROGRAM"
        built = ProcessInfo.processInfo.environment[variable] == nil ? nil : BuiltProgram(name)
    }

    /// Runs the program to its end, in an environment that holds only what is given.
    ///
    /// - Parameters:
    ///   - folder: where relative paths begin, except for threads that are not the command's.
    ///   - input: the text on its standard input.
    ///   - mask: the permissions that new files lack.
    ///   - clock: the machine's if `nil`.
    ///   - programs: called in place of programs that it starts.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, input: String = "",
        isWatched: Bool = false, mask: UInt32? = nil, clock: (any Clock)? = nil, programs: (any Programs)? = nil
    ) throws -> BuiltProgram.Result {
        if let built, input.isEmpty, !isWatched, mask == nil, clock == nil {
            return try built.run(arguments, environment: environment, in: folder)
        }
        let terminal = RecordedTerminal(environment: environment, isWatched: isWatched)
        terminal.type(input)
        terminal.endInput()
        let run = start(arguments, on: terminal, in: folder, mask: mask, clock: clock, programs: programs)
        guard let code = run.code(within: CalledProgram.patience) else {
            throw Unanswered(arguments: arguments)
        }
        return BuiltProgram.Result(exitCode: code, output: terminal.output, error: terminal.error)
    }

    /// Starts the program on a terminal.
    package func start(
        _ arguments: [String], on terminal: RecordedTerminal, in folder: URL? = nil, mask: UInt32? = nil,
        clock: (any Clock)? = nil, programs: (any Programs)? = nil
    ) -> CalledRun {
        var console = terminal.terminal
        console.executable = file
        let (body, given) = (body, console)
        let threads = CommandThreads(in: folder?.path, mask: mask)
        let run = CalledRun(threads)
        Task(executorPreference: threads) {
            let code = await body(
                arguments, given, World(clock: clock ?? SystemClock(), threads: threads, programs: programs))
            threads.end()
            run.end(code)
        }
        return run
    }
}

/// A call of a program that may not have ended yet.
package final class CalledRun: Sendable {
    private let ended = DispatchGroup()
    private let result = Mutex<ExitCode?>(nil)

    private let threads: CommandThreads

    fileprivate init(_ threads: CommandThreads) {
        self.threads = threads
        ended.enter()
    }

    fileprivate func end(_ code: ExitCode) {
        result.withLock { $0 = code }
        ended.leave()
    }

    /// Blocks until nothing of the program is under way but one thread, which waits for input.
    package func rests() -> Bool { threads.rest(but: 1) }

    package var isRunning: Bool { result.withLock { $0 } == nil }

    /// The exit code, once the program has ended; `nil` if the time is over before that.
    package func code(within time: DispatchTimeInterval) -> Int32? {
        _ = ended.wait(timeout: .now() + time)
        return result.withLock { $0?.rawValue }
    }
}
