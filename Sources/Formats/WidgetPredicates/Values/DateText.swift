internal import WidgetBytes

/// Dates as they are written, in UTC. Dates count seconds since the first moment of 2001.
package enum DateText {
    private static let secondsPerDay: Int64 = 86_400
    /// Days from 1 January 1970 to 1 January 2001.
    private static let referenceDay: Int64 = 11_323
    /// About ten thousand years to either side.
    private static let horizon = 3e11

    /// `2018-06-20T18:00:00Z`, with as many digits behind the second as there are microseconds.
    package static func iso(_ seconds: Double) -> String {
        guard let parts = parts(seconds) else { return "\(seconds)" }
        var fraction = ""
        if parts.microsecond != 0 {
            fraction = "." + padded(parts.microsecond, 6)
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        return "\(parts.day)T\(parts.time)\(fraction)Z"
    }

    /// `2018-06-20 18:00:00 +0000`, as a date describes itself.
    static func description(_ seconds: Double) -> String {
        guard let parts = parts(seconds) else { return "\(seconds)" }
        return "\(parts.day) \(parts.time) +0000"
    }

    private static func parts(_ seconds: Double) -> (day: String, time: String, microsecond: Int)? {
        guard abs(seconds) < horizon else { return nil }
        var whole = Int64(seconds.rounded(.down))
        var microsecond = Int(((seconds - seconds.rounded(.down)) * 1e6).rounded())
        if microsecond == 1_000_000 { (whole, microsecond) = (whole + 1, 0) }
        let (day, rest) = whole.flooredDivision(by: secondsPerDay)
        let (date, second) = (CivilDate(daysSince1970: day + referenceDay), Int(clamping: rest))
        let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return ("\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))", time, microsecond)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(abs(value))
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// A day, or a day and a time: `2018-06-20`, `2018-06-20T18:00:00.5Z`, `2018-06-20 18:00:00 +0200`. Without a
    /// zone it is in UTC.
    package static func seconds(_ text: String) -> Double? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        var seconds = Double((days - referenceDay) * secondsPerDay)
        if reader.isAtEnd { return seconds }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), hour < 24, minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if reader.skip(":") {
            guard let second = reader.number(2), second < 61 else { return nil }
            seconds += Double(second)
            if reader.skip(".") {
                guard let fraction = reader.fraction() else { return nil }
                seconds += fraction
            }
        }
        guard let zone = reader.zone(), reader.isAtEnd else { return nil }
        return seconds - Double(zone)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
            position += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            guard position + digits <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<position + digits] {
                guard 0x30...0x39 ~= byte else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            position += digits
            return value
        }

        mutating func fraction() -> Double? {
            let start = position
            while position < bytes.count, 0x30...0x39 ~= bytes[position], position - start < 18 { position += 1 }
            return Double(
                "0." + String(decoding: bytes[start..<position], as: UTF8.self) + (start == position ? "x" : ""))
        }

        /// Seconds east of Greenwich.
        mutating func zone() -> Int? {
            _ = skip(" ")
            if isAtEnd || skip("Z") || skip("z") { return 0 }
            let sign: Int
            if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
            guard let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
