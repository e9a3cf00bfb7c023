/// Dates as HTTP writes them (RFC 9110 §5.6.7), as seconds since 1970, by arithmetic alone.
package enum HTTPDate {
    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package static func string(_ seconds: Int64) -> String {
        let day = seconds.flooredQuotient(by: 86_400)
        let time = Int(seconds &- day &* 86_400)
        let date = CivilDate(daysSince1970: day)
        let weekday = Int((day &+ 4).flooredRemainder(by: 7))
        return "\(dayNames[weekday]), \(padded(date.day)) \(monthNames[date.month &- 1]) \(padded(date.year, to: 4)) "
            + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// The parts of a time, as other forms of writing it need them.
    package static func components(
        _ seconds: Int64
    ) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let day = seconds.flooredQuotient(by: 86_400)
        let time = Int(seconds &- day &* 86_400)
        let date = CivilDate(daysSince1970: day)
        return (date.year, date.month, date.day, time / 3_600, time / 60 % 60, time % 60)
    }

    /// Reads the fixed form and the two obsolete ones; anything else is no date.
    package static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard range.count >= 24, range.count <= 33 else { return nil }
        let parts = bytes.text(in: range).split(separator: " ", omittingEmptySubsequences: true)
        switch parts.count {
        case 6 where parts[5] == "GMT" && range.count == 29:
            return seconds(
                weekday: parts[0], day: parts[1], month: parts[2], year: parts[3], time: parts[4], comma: true)
        case 4 where parts[3] == "GMT":
            return obsolete850(parts)
        case 5 where range.count == 24:
            return seconds(
                weekday: parts[0], day: parts[2], month: parts[1], year: parts[4], time: parts[3], comma: false)
        default:
            return nil
        }
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`. A two-digit year is read as 1970 to 2069.
    private static func obsolete850(_ parts: [Substring]) -> Int64? {
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        let name = parts[0].dropLast()
        guard date.count == 3, parts[0].hasSuffix(","), name.hasSuffix("day"),
            let short = number(date[2], digits: 2)
        else { return nil }
        let year = String(short < 70 ? 2_000 &+ short : 1_900 &+ short)
        return seconds(
            weekday: name.prefix(3), day: date[0], month: date[1], year: year[...], time: parts[2], comma: false)
    }

    private static func seconds(
        weekday: Substring, day: Substring, month: Substring, year: Substring, time: Substring, comma: Bool
    ) -> Int64? {
        let weekdayName = comma ? weekday.dropLast() : weekday
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard !comma || weekday.hasSuffix(","), dayNames.contains(String(weekdayName)),
            let monthIndex = monthNames.firstIndex(of: String(month)),
            let dayNumber = number(day, digits: day.utf8.count == 1 && !comma ? 1 : 2),
            let yearNumber = number(year, digits: 4),
            clock.count == 3, let hour = number(clock[0], digits: 2), let minute = number(clock[1], digits: 2),
            let second = number(clock[2], digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: yearNumber, month: monthIndex &+ 1, day: dayNumber)
        guard let days = date.daysSince1970 else { return nil }
        return days &* 86_400 &+ Int64(hour &* 3_600 &+ minute &* 60 &+ second)
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(ByteClass.isDigit) else { return nil }
        return Int(text)
    }

    private static func padded(_ value: Int, to width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width &- text.utf8.count)) + text
    }
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate: Equatable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Counts in eras of 400 years that start in March, so that the leap day is the last of its year.
    init(daysSince1970 days: Int64) {
        let shifted = days &+ 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted &- era &* 146_097
        let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
        day = Int(dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9)
        year = Int(yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0))
    }

    /// `nil` for a day the calendar does not have.
    var daysSince1970: Int64? {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let shiftedYear = Int64(month <= 2 ? year &- 1 : year)
        let era = shiftedYear.flooredQuotient(by: 400)
        let yearOfEra = shiftedYear &- era &* 400
        let shiftedMonth = Int64(month > 2 ? month &- 3 : month &+ 9)
        let dayOfYear = (153 &* shiftedMonth &+ 2) / 5 &+ Int64(day) &- 1
        let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
        let days = era &* 146_097 &+ dayOfEra &- 719_468
        return CivilDate(daysSince1970: days) == self ? days : nil
    }
}

extension Int64 {
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient &- 1 : quotient
    }

    func flooredRemainder(by divisor: Int64) -> Int64 {
        self &- flooredQuotient(by: divisor) &* divisor
    }
}
