internal import HTTPWire

/// Times as documents write them: RFC 3339, UTC, whole seconds.
enum Timestamp {
    static func text(_ seconds: Int64) -> String {
        let parts = HTTPDate.components(seconds)
        return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))T"
            + "\(pad(parts.hour)):\(pad(parts.minute)):\(pad(parts.second))Z"
    }

    /// The time that a text in the same form means.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let marks: [(Int, UInt8)] = [
            (4, 0x2D), (7, 0x2D), (10, 0x54), (13, 0x3A), (16, 0x3A), (19, 0x5A),
        ]
        guard bytes.count == 20, marks.allSatisfy({ bytes[$0.0] == $0.1 }) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        return HTTPDate.seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func pad(_ value: Int, _ width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
