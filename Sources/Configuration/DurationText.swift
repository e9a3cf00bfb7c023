/// Times as people write them: `500ms`, `10s`, `1.5s`, `5m`, `2h`, `30d`, or a number of seconds.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Longer times than ten years are taken for slips.
    private static let secondsLimit = 315_360_000.0

    static func parse(_ text: String) -> Duration? {
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        var unit = text[number.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        let milliseconds = number.endIndex == text.endIndex ? 1_000 : units.first { $0.name == unit }?.milliseconds
        guard let milliseconds, isDecimal(number), let value = Double(String(number)) else { return nil }
        return seconds(value * Double(milliseconds) / 1_000)
    }

    /// To the millisecond; `nil` for what is negative, not finite or absurd.
    static func seconds(_ seconds: Double) -> Duration? {
        guard seconds >= 0, seconds <= secondsLimit else { return nil }
        return .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    /// In the largest unit that leaves no rest; minutes only from five on, because "60s" reads better than "1m".
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds == 0 else {
            return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms"
        }
        if seconds == 0 { return "0s" }
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        if seconds % 60 == 0, seconds >= 300 { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }

    /// Digits, or digits, a point and digits.
    private static func isDecimal(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.count <= 18 }
    }
}
