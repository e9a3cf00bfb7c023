internal import Bytes

/// What a bar says at one moment: how much is done, how fast, how long it will take.
struct ProgressLine {
    var title: String
    var done: Int
    /// `nil` while nobody knows.
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

    /// Bytes per second, once there is something to tell it from.
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
