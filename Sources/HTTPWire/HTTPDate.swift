internal import Bytes

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
}
