internal import WidgetBytes

/// Dates as HTTP writes them (RFC 9110 §5.6.7), as seconds since 1970, by arithmetic alone.
package enum HTTPDate {
    static let dayNames: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    static let shortDayNames: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let monthNames: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package static func string(_ seconds: Int64) -> String {
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let time = Int(second)
        let date = CivilDate(daysSince1970: day)
        let weekday = CivilDate.weekday(daysSince1970: day)
        return
            "\(shortDayNames[weekday]), \(padded(date.day)) \(monthNames[date.month &- 1]) \(padded(date.year, to: 4)) "
            + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// The parts of a time, as other forms of writing it need them.
    package static func components(
        _ seconds: Int64
    ) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let time = Int(second)
        let date = CivilDate(daysSince1970: day)
        return (date.year, date.month, date.day, time / 3_600, time / 60 % 60, time % 60)
    }

    /// The time whose parts these are; `nil` for one that no clock shows.
    package static func seconds(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        guard let days = days(CivilDate(year: year, month: month, day: day)), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return days &* 86_400 &+ Int64(hour &* 3_600 &+ minute &* 60 &+ second)
    }

    /// `nil` for a day the calendar does not have, or HTTP has no digits for.
    static func days(_ date: CivilDate) -> Int64? { (1...9_999).contains(date.year) ? date.daysSince1970 : nil }

    private static func padded(_ value: Int, to width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width &- text.utf8.count)) + text
    }

    // MARK: Reading the three forms of RFC 9110 §5.6.7. Every field has its place, so nothing is searched for.

    /// Seconds since 1970; `nil` if the bytes are not a date in any of the forms.
    package static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        return switch range.count {
        case 29: fixedForm(bytes, range.lowerBound)
        case 24: asctime(bytes, range.lowerBound)
        case 30...33: obsolete850(bytes, range)
        default: nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func fixedForm(_ bytes: Span<UInt8>, _ start: Int) -> Int64? {
        guard isDayName(bytes, start..<(start &+ 3)), bytes.starts(with: ", ", at: start &+ 3),
            let day = number(bytes, start &+ 5, digits: 2), bytes.starts(with: " ", at: start &+ 7),
            let month = month(bytes, start &+ 8), bytes.starts(with: " ", at: start &+ 11),
            let year = number(bytes, start &+ 12, digits: 4), bytes.starts(with: " ", at: start &+ 16),
            let time = time(bytes, start &+ 17), bytes.starts(with: " GMT", at: start &+ 25)
        else { return nil }
        return seconds(CivilDate(year: year, month: month, day: day), time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctime(_ bytes: Span<UInt8>, _ start: Int) -> Int64? {
        let isPadded = bytes[start &+ 8] == 0x20
        guard isDayName(bytes, start..<(start &+ 3)), bytes.starts(with: " ", at: start &+ 3),
            let month = month(bytes, start &+ 4), bytes.starts(with: " ", at: start &+ 7),
            let day = number(bytes, start &+ (isPadded ? 9 : 8), digits: isPadded ? 1 : 2),
            bytes.starts(with: " ", at: start &+ 10), let time = time(bytes, start &+ 11),
            bytes.starts(with: " ", at: start &+ 19), let year = number(bytes, start &+ 20, digits: 4)
        else { return nil }
        return seconds(CivilDate(year: year, month: month, day: day), time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`. A two-digit year is read as 1970 to 2069.
    private static func obsolete850(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let afterName = range.upperBound &- 24
        guard dayNames.contains(where: { bytes.isExactly($0, in: range.lowerBound..<afterName) }),
            bytes.starts(with: ", ", at: afterName),
            let day = number(bytes, afterName &+ 2, digits: 2), bytes.starts(with: "-", at: afterName &+ 4),
            let month = month(bytes, afterName &+ 5), bytes.starts(with: "-", at: afterName &+ 8),
            let year = number(bytes, afterName &+ 9, digits: 2), bytes.starts(with: " ", at: afterName &+ 11),
            let time = time(bytes, afterName &+ 12), bytes.starts(with: " GMT", at: afterName &+ 20)
        else { return nil }
        return seconds(CivilDate(year: year < 70 ? 2_000 &+ year : 1_900 &+ year, month: month, day: day), time)
    }

    private static func seconds(_ date: CivilDate, _ time: Int) -> Int64? {
        guard let days = days(date) else { return nil }
        return days &* 86_400 &+ Int64(time)
    }

    /// `08:49:37`; a leap second counts as the first of the next minute.
    private static func time(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        guard let hour = number(bytes, start, digits: 2), hour < 24, bytes.starts(with: ":", at: start &+ 2),
            let minute = number(bytes, start &+ 3, digits: 2), minute < 60, bytes.starts(with: ":", at: start &+ 5),
            let second = number(bytes, start &+ 6, digits: 2), second <= 60
        else { return nil }
        return hour &* 3_600 &+ minute &* 60 &+ second
    }

    /// The first three letters of a day's name. Whether it is that date's day is not looked at.
    private static func isDayName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        shortDayNames.contains { bytes.isExactly($0, in: range) }
    }

    private static func month(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        guard let index = monthNames.firstIndex(where: { bytes.starts(with: $0, at: start) }) else { return nil }
        return index &+ 1
    }

    private static func number(_ bytes: Span<UInt8>, _ start: Int, digits: Int) -> Int? {
        var value = 0
        for index in start..<(start &+ digits) {
            guard ByteClass.isDigit(bytes[index]) else { return nil }
            value = value &* 10 &+ Int(bytes[index] &- 0x30)
        }
        return value
    }
}
