internal import Bytes

/// A moment as the Gregorian calendar names it. Moments count seconds since the first of 2001.
package struct CalendarDate: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    /// From midnight.
    package var secondOfDay: Double

    private static let secondsPerDay = 86_400.0
    /// From the first of January 1970 to the first of January 2001.
    private static let referenceDay: Int64 = 11_323
    /// About ten thousand years to either side.
    private static let horizon = 3e11

    package init(year: Int, month: Int, day: Int, secondOfDay: Double = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.secondOfDay = secondOfDay
    }

    package init(seconds: Double) {
        let seconds = seconds.isFinite ? min(max(seconds, -CalendarDate.horizon), CalendarDate.horizon) : 0
        let dayNumber = (seconds / CalendarDate.secondsPerDay).rounded(.down)
        secondOfDay = seconds - dayNumber * CalendarDate.secondsPerDay
        let date = CivilDate(daysSince1970: Int64(dayNumber) + CalendarDate.referenceDay)
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// `nil` for a day that the calendar does not have.
    package var seconds: Double? {
        guard (-9_999...9_999).contains(year),
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        return Double(days - CalendarDate.referenceDay) * CalendarDate.secondsPerDay + secondOfDay
    }

    /// 0 is Sunday.
    package var weekday: Int {
        guard (-9_999...9_999).contains(year),
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return 0 }
        return CivilDate.weekday(daysSince1970: days)
    }
}
