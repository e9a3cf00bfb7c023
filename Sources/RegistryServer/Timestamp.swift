internal import HTTPWire

/// Times as documents write them: RFC 3339, UTC, whole seconds.
enum Timestamp {
    static func text(_ seconds: Int64) -> String {
        let parts = HTTPDate.components(seconds)
        return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))T"
            + "\(pad(parts.hour)):\(pad(parts.minute)):\(pad(parts.second))Z"
    }

    private static func pad(_ value: Int, _ width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
