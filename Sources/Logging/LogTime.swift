internal import Bytes
import Glibc

/// A moment on the wall clock, as the system tells it.
package struct LogTime: Equatable, Sendable {
    package var secondsSinceEpoch: Int64
    package var milliseconds: Int

    package init(secondsSinceEpoch: Int64, milliseconds: Int) {
        self.secondsSinceEpoch = secondsSinceEpoch
        self.milliseconds = milliseconds
    }

    package static func now() -> LogTime {
        var time = timespec()
        // Safe: the call writes one timespec, which lives here until it has returned.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(secondsSinceEpoch: Int64(time.tv_sec), milliseconds: time.tv_nsec / 1_000_000)
    }

    /// Appends the moment in UTC, always 24 characters: `2026-11-21T07:15:00.123Z`.
    ///
    /// A clock before 1970 or after 9999 is shown as the nearest moment that has this form.
    /// - SeeAlso: RFC 3339 section 5.6.
    package func append(to bytes: inout [UInt8]) {
        appendSecond(to: &bytes)
        appendFraction(to: &bytes)
    }

    /// Appends the moment up to its second, 19 characters.
    func appendSecond(to bytes: inout [UInt8]) {
        let seconds = min(max(secondsSinceEpoch, 0), LogTime.lastSecond)
        let (days, rest) = seconds.flooredDivision(by: 86_400)
        let (date, secondOfDay) = (CivilDate(daysSince1970: days), Int(rest))
        LogTime.append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        LogTime.append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        LogTime.append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        LogTime.append(secondOfDay / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        LogTime.append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        LogTime.append(secondOfDay % 60, digits: 2, to: &bytes)
    }

    /// Appends the rest of the moment, 5 characters.
    func appendFraction(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "."))
        LogTime.append(min(max(milliseconds, 0), 999), digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// 9999-12-31T23:59:59Z.
    private static let lastSecond: Int64 = 253_402_300_799

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
