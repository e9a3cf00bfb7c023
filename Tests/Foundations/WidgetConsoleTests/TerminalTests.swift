import Testing
import WidgetTestSupport

@testable import WidgetConsole

@Suite struct `Exit codes` {
    @Test func `Exit codes are the numbers that scripts rely on`() {
        #expect([ExitCode.clean, .failed, .misuse, .damagedStore].map(\.rawValue) == [0, 1, 2, 3])
    }
}

@Suite struct `A table` {
    @Test func `A table is as wide as it must be, without spaces at the ends of lines`() {
        let text = TextTable.text(["A", "LONGER", "C"], [["first", "1", ""], ["2", "second", "x"], ["short"]])
        #expect(text == "A      LONGER  C\nfirst  1\n2      second  x\nshort\n")
    }

    @Test func `A table without rows is its headings`() {
        #expect(TextTable.text(["A", "B"], []) == "A  B\n")
    }
}

@Suite struct `A progress bar` {
    /// Runs a bar against a clock of the test's own, and gives what it wrote.
    private static func written(
        isWatched: Bool = true, _ steps: [(milliseconds: Int, done: Int)], of total: Int?
    ) -> [String] {
        var texts: [String] = []
        var time = Duration.zero
        do {
            var bar = ProgressBar(
                "packing", isWatched: isWatched, now: { time },
                write: { texts.append(String(decoding: $0, as: UTF8.self)) })
            for step in steps {
                time = .milliseconds(step.milliseconds)
                bar.show(step.done, of: total)
            }
        }
        return texts
    }

    @Test func `A progress bar shows bytes, rate and time left, and is cleared at the end`() {
        #expect(
            Self.written([(1_000, 1 << 20)], of: 4 << 20) == [
                "\rpacking  [######..................]  1024 KiB of 4096 KiB  1024 KiB/s  3 s left\u{1B}[K",
                "\r\u{1B}[K",
            ])
    }

    @Test func `A progress bar does not appear for work that ends within half a second`() {
        #expect(Self.written([(0, 1), (100, 2), (499, 3)], of: 3).isEmpty)
    }

    @Test func `A progress bar does not appear without a terminal`() {
        #expect(Self.written(isWatched: false, [(5_000, 1)], of: 3).isEmpty)
    }

    @Test func `A progress bar is not drawn more often than ten times a second`() {
        let steps = (0..<2_000).map { (milliseconds: $0, done: $0) }
        #expect(Self.written(steps, of: 2_000).count == 16)
    }

    @Test func `A progress bar works without a total`() {
        #expect(Self.written([(2_000, 5_000)], of: nil).first == "\rpacking  5000 B  2500 B/s\u{1B}[K")
        #expect(Self.written([(2_000, 0)], of: 0).first == "\rpacking  0 B of 0 B\u{1B}[K")
    }

    @Test(arguments: [
        (59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"), (360_000, "days"),
    ])
    func `A progress bar shows long times in larger units`(_ seconds: Int, _ text: String) {
        let line = ProgressLine(title: "", done: 1_000, total: 1_000 * (seconds + 1), elapsed: .seconds(1))
        #expect(line.text.hasSuffix("  \(text) left"))
    }
}

/// Goal: tests can run programs that say much. Method: a shell fills both pipes in turns, each beyond what it holds.
@Suite struct `A program that a test runs` {
    @Test
    func `A program run by a test is read to its end though it fills both output and errors`() throws {
        let line = "for i in 1 2 3; do printf %0100000d 0 >&2; printf %0100000d 0; done; exit 7"
        let result = try BuiltProgram(at: "/bin/sh").run(["-c", line], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.output.utf8.count == 300_000)
        #expect(result.error.utf8.count == 300_000)
        #expect(result.exitCode == 7)
    }

    @Test(arguments: [
        ("exec printf '%s|' a 'b c' ''", "a|b c||"), ("printf %s 1; printf 2", "12"), ("printf %s $((1 + 1))", "2"),
        ("printf '%s' \"a b\"", "a b"), ("printf a'b c'd", "ab cd"),
    ])
    func `A line means to a program without a shell what it means with one`(line: String, output: String) {
        let found = Shell.run(line)
        #expect(found.output == output && found.status == 0)
    }

    @Test func `A program run by a test sees only its given environment and the settings of a sanitizer`() throws {
        let result = try BuiltProgram(at: "/usr/bin/env").run([], environment: ["A": "b"])
        let names = result.output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("A") && !names.contains("HOME"))
        #expect(names.allSatisfy { $0 == "A" || $0.hasSuffix("SAN_OPTIONS") })
    }
}
