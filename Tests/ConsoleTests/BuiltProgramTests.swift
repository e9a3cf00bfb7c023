import TestSupport
import Testing

/// Goal: tests can run programs that say much. Method: a shell fills both pipes in turns, each beyond what it holds.
@Suite struct `A program that a test runs` {
    @Test(.timeLimit(.minutes(20))) func `is read to its end though it fills both its output and its errors`() throws {
        let line = "for i in 1 2 3; do head -c 100000 /dev/zero >&2; head -c 100000 /dev/zero; done; exit 7"
        let result = try BuiltProgram(at: "/bin/sh").run(["-c", line], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.output.utf8.count == 300_000)
        #expect(result.error.utf8.count == 300_000)
        #expect(result.exitCode == 7)
    }

    @Test func `sees only the environment it is given and the settings of a sanitizer`() throws {
        let result = try BuiltProgram(at: "/usr/bin/env").run([], environment: ["A": "b"])
        let names = result.output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("A") && !names.contains("HOME"))
        #expect(names.allSatisfy { $0 == "A" || $0.hasSuffix("SAN_OPTIONS") })
    }
}
