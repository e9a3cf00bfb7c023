internal import WidgetAddresses
internal import WidgetBytes

/// Words and spellings that several kinds share.
enum SettingText {
    static let none = "(none)"
    static let masked = "(set)"

    /// A JSON5 string; JSON's escapes are JSON5's too.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.append(text.utf8.span, to: &bytes)
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}

/// Times as people write them: `500ms`, `10s`, `1.5s`, `5m`, `2h`, `30d`, or a number of seconds.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Longer times than ten years are taken for slips.
    private static let secondsLimit = 315_360_000.0

    package static func parse(_ text: String) -> Duration? {
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        var unit = text[number.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        let milliseconds = number.endIndex == text.endIndex ? 1_000 : units.first { $0.name == unit }?.milliseconds
        guard let milliseconds, isDecimal(number), let value = Double(String(number)) else { return nil }
        return seconds(value * Double(milliseconds) / 1_000)
    }

    /// To the millisecond; `nil` for negative, infinite or absurdly long times.
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

/// Byte counts as people write them: `4096`, `8KiB`, `64 MiB`. Units of 1,000 are not known: they invite mistakes.
package enum SizeText {
    private static let units: [(name: String, shift: Int)] = [
        ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0),
    ]

    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var unit = text[digits.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        guard let number = FoundValue.digits(digits) else { return nil }
        if digits.endIndex == text.endIndex { return Int(exactly: number) }
        guard let shift = units.first(where: { $0.name == unit })?.shift else { return nil }
        let (size, didOverflow) = number.multipliedReportingOverflow(by: 1 << Int64(shift))
        return didOverflow ? nil : Int(exactly: size)
    }

    /// In the largest unit that leaves no rest.
    static func text(_ size: Int) -> String {
        for unit in units where unit.shift > 0 && size != 0 && size & ((1 << unit.shift) - 1) == 0 {
            return "\(size >> unit.shift)\(unit.name)"
        }
        return String(size)
    }
}

/// The URL that clients use, checked for everything that the server relies on.
enum PublicURL {
    static let byteLimit = 2_048

    /// The URL without slashes at its end, or `nil`.
    static func parse(_ text: String) -> String? {
        guard text.utf8.count <= byteLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
        guard let scheme, !text.contains(where: { "?#@\\\"<>".contains($0) }) else { return nil }
        var rest = text.dropFirst(scheme.count)
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let authority = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first,
            isAuthority(authority)
        else {
            return nil
        }
        return scheme + rest
    }

    /// A host, with or without a port, as a listener would take it.
    private static func isAuthority(_ text: Substring) -> Bool {
        let hasPort = text.hasSuffix("]") ? false : text.contains(":")
        guard !text.hasPrefix("unix:"), let address = ListenAddress(hasPort ? String(text) : text + ":1") else {
            return false
        }
        if case .tcp(_, let port) = address { return port > 0 }
        return false
    }
}
