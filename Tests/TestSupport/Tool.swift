internal import Glibc

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
        // This file is Tests/TestSupport/Tool.swift.
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Oracles/" + name
    }

    private static func path(of name: String) -> String? {
        // The environment is not changed while tests run, and the text is copied at once.
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Runs a program to its end, without a shell.
    package static func run(_ name: String, _ arguments: [String]) throws -> Result {
        guard let program = path(of: name) else { throw Missing(name: name) }
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw Missing(name: "a pipe for \(name)") }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        // The words are copied for the call and freed after it.
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let status = unsafe posix_spawn(&child, program, &actions, nil, &words, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { throw Missing(name: name) }
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
