import Testing

@testable import Console

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

    @Test func `tells bytes, rate and time left, and leaves nothing`() {
        #expect(
            Self.written([(1_000, 1 << 20)], of: 4 << 20) == [
                "\rpacking  [######..................]  1024 KiB of 4096 KiB  1024 KiB/s  3 s left\u{1B}[K",
                "\r\u{1B}[K",
            ])
    }

    @Test func `does not show for what is over within half a second`() {
        #expect(Self.written([(0, 1), (100, 2), (499, 3)], of: 3).isEmpty)
    }

    @Test func `does not show where nobody watches`() {
        #expect(Self.written(isWatched: false, [(5_000, 1)], of: 3).isEmpty)
    }

    @Test func `is not drawn more often than ten times a second`() {
        let steps = (0..<2_000).map { (milliseconds: $0, done: $0) }
        #expect(Self.written(steps, of: 2_000).count == 16)
    }

    @Test func `does without a total`() {
        #expect(Self.written([(2_000, 5_000)], of: nil).first == "\rpacking  5000 B  2500 B/s\u{1B}[K")
        #expect(Self.written([(2_000, 0)], of: 0).first == "\rpacking  0 B of 0 B\u{1B}[K")
    }

    @Test(arguments: [
        (59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"), (360_000, "days"),
    ])
    func `tells long times in larger units`(_ seconds: Int, _ text: String) {
        let line = ProgressLine(title: "", done: 1_000, total: 1_000 * (seconds + 1), elapsed: .seconds(1))
        #expect(line.text.hasSuffix("  \(text) left"))
    }
}
