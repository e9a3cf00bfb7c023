internal import Logging

/// A line on the terminal that tells how far something is, for whatever takes longer than a moment.
///
/// It goes to standard error and only where a person watches it; what is over within half a second never shows
/// it, and nothing of it is left when it ends.
package struct ProgressBar: ~Copyable {
    private static let patience = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)

    /// What is counted: bytes, of which a person wants to know the rate, or parts of a whole.
    package enum Unit: Sendable { case bytes, parts }

    private let title: String
    private let unit: Unit
    private let now: () -> Duration
    private let write: ([UInt8]) -> Void
    private let isWatched: Bool
    private let start: Duration
    private var nextShow: Duration
    private var isShown = false

    /// A bar on standard error.
    package init(_ title: String, counting unit: Unit = .bytes) {
        let origin = ContinuousClock.now
        self.init(
            title, counting: unit, isWatched: StandardStream.error.isTerminal, now: { ContinuousClock.now - origin },
            write: { _ = StandardStream.error.write($0) })
    }

    init(
        _ title: String, counting unit: Unit = .bytes, isWatched: Bool, now: @escaping () -> Duration,
        write: @escaping ([UInt8]) -> Void
    ) {
        self.title = title
        self.unit = unit
        self.isWatched = isWatched
        self.now = now
        self.write = write
        start = now()
        nextShow = start + ProgressBar.patience
    }

    deinit {
        if isShown { write(Array("\r\u{1B}[K".utf8)) }
    }

    /// Tells how many are done, of how many if that is known; may be called as often as one likes.
    package mutating func show(_ done: Int, of total: Int?) {
        guard isWatched else { return }
        let moment = now()
        guard moment >= nextShow else { return }
        nextShow = moment + ProgressBar.interval
        isShown = true
        let line = ProgressLine(title: title, done: done, total: total, elapsed: moment - start, unit: unit)
        write(Array("\r\(line.text)\u{1B}[K".utf8))
    }
}
