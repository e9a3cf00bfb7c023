package import Foundation
internal import Glibc

/// A built program, run as a user runs it.
package struct BuiltProgram: Sendable {
    package struct Result: Sendable {
        package var exitCode: Int32
        package var output: String
        package var error: String

        package init(exitCode: Int32, output: String, error: String) {
            (self.exitCode, self.output, self.error) = (exitCode, output, error)
        }
    }

    package let url: URL

    package init(at path: String) { url = URL(filePath: path) }

    /// The program beside the test binary, which is this process, or where `WIDGETD_PROGRAM` says that a `widgetd` is,
    /// and `WIDGET_PROGRAM` a `widget`.
    package init(_ name: String) {
        if let other = ProcessInfo.processInfo.environment["\(name.uppercased())_PROGRAM"] {
            url = URL(filePath: other)
        } else {
            url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: name)
        }
    }

    /// True if the environment names another program in the place of the built one.
    package static func isOther(_ name: String) -> Bool {
        ProcessInfo.processInfo.environment["\(name.uppercased())_PROGRAM"] != nil
    }

    /// Runs the program to its end, in an environment that holds only what is given, and how a sanitizer reports.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, output: FileHandle? = nil
    ) throws -> Result {
        let process = ChildProcess()
        process.executableURL = url
        process.arguments = arguments
        process.environment = BuiltProgram.environment(environment)
        if let folder { process.currentDirectoryURL = folder }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        if let output { process.standardOutput = .handle(output) } else { process.standardOutput = .pipe(outputPipe) }
        process.standardError = .pipe(errorPipe)
        process.standardInput = .nothing
        try process.run()
        let pipes = (output == nil ? [outputPipe] : []) + [errorPipe]
        var texts = BuiltProgram.readToEnds(pipes.map(\.fileHandleForReading.fileDescriptor)).map {
            String(decoding: $0, as: UTF8.self)
        }
        process.waitUntilExit()
        let error = texts.removeLast()
        return Result(exitCode: process.terminationStatus, output: texts.last ?? "", error: error)
    }

    /// The bytes of several pipes, each to its end. A program that fills one of them is not kept waiting for another.
    package static func readToEnds(_ descriptors: [Int32]) -> [[UInt8]] {
        var read = [[UInt8]](repeating: [], count: descriptors.count)
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        // `poll` passes over negative descriptors, so one that has ended is made one.
        while polled.contains(where: { $0.fd >= 0 }) {
            guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { break }
            for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
                let count = unsafe Glibc.read(polled[index].fd, &chunk, chunk.count)
                if count > 0 { read[index] += chunk[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { polled[index].fd = -1 }
            }
        }
        return read
    }

    /// An environment that holds only what is given, and how a sanitizer reports what it finds.
    package static func environment(_ given: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
            .merging(given) { $1 }
    }
}

/// Programs of the system that tests use as a second opinion.
package enum Tool {
    package struct Result: Sendable {
        package var status: Int32
        /// Standard output and error together.
        package var output: String
    }

    package static func exists(_ name: String) -> Bool {
        path(of: name) != nil
    }

    /// A script in Tests/Oracles, which ask other implementations.
    package static func oracle(_ name: String) -> String {
        "\(Corpus.repositoryRoot)/Tests/Oracles/\(name)"
    }

    /// The file of a program; `nil` if no folder of the search path holds it.
    package static func path(of name: String) -> String? { name == "python3" ? interpreter : found(name) }

    private static func found(_ name: String) -> String? {
        // The environment is not changed while tests run, and the text is copied at once.
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// The file of Python itself: in its place may be a script that looks for one, which starts a dozen programs.
    private static let interpreter: String? = found("python3").flatMap { path in
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 2) else {
            return path
        }
        guard start == Data("#!".utf8) else { return path }
        let asked = try? run(at: path, ["-c", "import sys; print(sys.executable)"])
        return asked.flatMap { $0.status == 0 ? $0.output.filter { !$0.isNewline } : nil } ?? path
    }

    /// The word for Python in a line of ``Shell``.
    package static var python: String { path(of: "python3").map { "'\($0)'" } ?? "python3" }

    /// Runs a program to its end, without a shell.
    ///
    /// - Parameter hasErrors: false if its errors are those of this process, in place of a part of its output.
    package static func run(_ name: String, _ arguments: [String], hasErrors: Bool = true) throws -> Result {
        guard let program = name.contains("/") ? name : path(of: name) else { throw Missing(name: name) }
        return try run(at: program, arguments, hasErrors: hasErrors)
    }

    private static func run(at program: String, _ arguments: [String], hasErrors: Bool = true) throws -> Result {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw Missing(name: "a pipe for \(program)") }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if hasErrors { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
        // The words are copied for the call and freed after it.
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let status = unsafe posix_spawn(&child, program, &actions, nil, &words, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { throw Missing(name: program) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe Glibc.read(ends[0], &chunk, chunk.count)
            if count <= 0 { break }
            output += chunk[..<count]
        }
        var ended: Int32 = 0
        _ = unsafe waitpid(child, &ended, 0)
        // What WEXITSTATUS does; a signal counts as failure.
        let code = ended & 0x7F == 0 ? ended >> 8 & 0xFF : -1
        return Result(status: code, output: String(decoding: output, as: UTF8.self))
    }

    package struct Missing: Error {
        package var name: String
    }
}

/// Runs programs of the system, as a person at a terminal would.
package enum Shell {
    /// Runs a command line, and returns its standard output and exit status. One that is a program with its words needs no
    /// shell.
    package static func run(_ line: String) -> (output: String, status: Int32) {
        if let (words, hasErrors) = ShellWords.of(line),
            let found = try? Tool.run(words[0], Array(words.dropFirst()), hasErrors: hasErrors)
        {
            return (found.output, found.status)
        }
        // Threads of queues block signals, and a shell that inherits that is not woken by the ends of its children.
        var (none, before) = (sigset_t(), sigset_t())
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        let started = unsafe popen(line, "r")
        _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard let pipe = unsafe started else { return ("", -1) }
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe fread(&room, 1, room.count, pipe)
            guard count > 0 else { break }
            output += room[..<count]
        }
        let status = unsafe pclose(pipe)
        return (String(decoding: output, as: UTF8.self), status >> 8 & 0xFF)
    }

    package static func has(_ program: String) -> Bool { Tool.exists(program) }
}

/// The words of command lines that are a program's name and its words.
enum ShellWords {
    /// Characters that a shell leaves as they are, also at the beginning of a word.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:@%+")

    /// - Returns: at least one word, and whether errors belong to the output; `nil` if a shell has more to do.
    static func of(_ line: String) -> (words: [String], hasErrors: Bool)? {
        var rest = line[...]
        if rest.hasPrefix("exec ") { rest = rest.dropFirst("exec ".count) }
        let hasErrors = rest.hasSuffix(" 2>&1")
        if hasErrors { rest = rest.dropLast(" 2>&1".count) }
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in rest {
            switch character {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case _ where isQuoted: word = (word ?? "") + String(character)
            case " ":
                if let word { words.append(word) }
                word = nil
            case _ where plain.contains(character): word = (word ?? "") + String(character)
            default: return nil
            }
        }
        if let word { words.append(word) }
        return isQuoted || words.isEmpty ? nil : (words, hasErrors)
    }
}

/// A program of the system that tests compare with when it is there.
package struct ExternalTool: Sendable {
    private let path: String

    /// `nil` when no folder of the search path holds it.
    package init?(_ name: String) {
        guard let path = Tool.path(of: name) else { return nil }
        self.path = path
    }

    /// A program below the repository's folder; `nil` when it is not there.
    package init?(inRepository path: String) {
        self.path = "\(Corpus.repositoryRoot)/\(path)"
        guard FileManager.default.isExecutableFile(atPath: self.path) else { return nil }
    }

    /// Runs the program, and returns its standard output; `nil` when it failed.
    package func output(_ arguments: [String]) -> [UInt8]? {
        let process = ChildProcess()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = .pipe(pipe)
        guard (try? process.run()) != nil else { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? [UInt8](output) : nil
    }
}

/// PNG files as libpng reads them.
package enum PNGOracle {
    /// For each file its size and the digest of its pixels, or why it was refused; `nil` without libpng.
    package static func read(_ files: [[UInt8]]) throws -> [String]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "png-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (number, file) in files.enumerated() {
            let place = folder.appending(path: "\(number).png")
            try Data(file).write(to: place)
            paths.append(place.path)
        }
        guard Tool.exists("python3") else { return nil }
        let result = try Tool.run("python3", [Tool.oracle("png.py")] + paths)
        guard result.status == 0 else { return nil }
        return result.output.split(separator: "\n").map { String($0) }
    }

    /// True if libpng is installed.
    package static let exists: Bool = {
        guard Tool.exists("python3"), let result = try? Tool.run("python3", [Tool.oracle("png.py")]) else {
            return false
        }
        return result.status == 0
    }()
}
