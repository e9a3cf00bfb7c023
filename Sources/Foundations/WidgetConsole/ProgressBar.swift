internal import WidgetBytes
package import WidgetSurroundings

/// A line on the terminal that shows the progress of long work.
///
/// It is written to standard error, only if that is a terminal. Work that ends within half a second never shows it, and
/// the line is cleared when the work ends.
package struct ProgressBar: ~Copyable {
    private static let patience = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)

    /// The unit that is counted: bytes, shown with their rate, or parts of a whole.
    package enum Unit: Sendable { case bytes, parts }

    private let title: String
    private let unit: Unit
    private let now: () -> Duration
    private let write: ([UInt8]) -> Void
    private let isWatched: Bool
    private let start: Duration
    private var nextShow: Duration
    private var isShown = false

    /// A bar on the error stream of a terminal.
    package init(_ title: String, counting unit: Unit = .bytes, on terminal: Terminal, in world: World = .machine) {
        let (clock, origin) = (world.clock, world.clock.now)
        self.init(
            title, counting: unit, isWatched: terminal.error.isWatched, now: { clock.now - origin },
            write: { _ = terminal.error.write($0) })
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

    /// Shows the number done, and the total if it is known. Calls that follow too soon are ignored.
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

/// The text of a bar at one moment: the amount done, the rate, the time left.
struct ProgressLine {
    var title: String
    var done: Int
    /// `nil` while the total is unknown.
    var total: Int?
    var elapsed: Duration
    var unit = ProgressBar.Unit.bytes

    private static let width = 24

    var text: String {
        var parts = [title]
        if let total, total > 0 {
            let share = min(1, Double(done) / Double(total))
            let filled = Int(share * Double(ProgressLine.width))
            let bar =
                String(repeating: "#", count: filled) + String(repeating: ".", count: ProgressLine.width - filled)
            parts.append("[\(bar)]")
        }
        guard unit == .bytes else {
            parts.append(total.map { "\(done) of \($0)" } ?? "\(done)")
            return parts.joined(separator: "  ")
        }
        parts.append(ByteCountText.of(done) + (total.map { " of \(ByteCountText.of($0))" } ?? ""))
        if let rate {
            parts.append("\(ByteCountText.of(Int(rate)))/s")
            if let total, total > done {
                parts.append("\(ProgressLine.time(Double(total - done) / rate)) left")
            }
        }
        return parts.joined(separator: "  ")
    }

    /// Bytes per second; `nil` before there is enough to compute it.
    private var rate: Double? {
        let (seconds, attoseconds) = elapsed.components
        let time = Double(seconds) + Double(attoseconds) * 1e-18
        guard time > 0, done > 0 else { return nil }
        let rate = Double(done) / time
        return rate >= 1 && rate < 1e15 ? rate : nil
    }

    private static func time(_ seconds: Double) -> String {
        guard seconds < 360_000 else { return "days" }
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        return whole < 3_600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3_600) h \(whole / 60 % 60) min"
    }
}
