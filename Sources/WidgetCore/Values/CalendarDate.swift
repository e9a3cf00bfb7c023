/// A moment as the Gregorian calendar names it. Moments count seconds since the first of 2001.
package struct CalendarDate: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    /// From midnight.
    package var secondOfDay: Double

    private static let secondsPerDay = 86_400.0
    /// From the first of March of the year 0 to the first of January 2001.
    private static let referenceDay = 730_791
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
        // Years begin in March here, so that the leap day is the last of its year.
        let shifted = Int(dayNumber) + CalendarDate.referenceDay
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * part + 2) / 5 + 1
        month = part < 10 ? part + 3 : part - 9
        year = yearOfEra + era * 400 + (part < 10 ? 0 : 1)
    }

    /// `nil` for a day that the calendar does not have.
    package var seconds: Double? {
        guard abs(year) < 10_000, 1...12 ~= month, 1...31 ~= day else { return nil }
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayNumber =
            era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - CalendarDate.referenceDay
        let midnight = Double(dayNumber) * CalendarDate.secondsPerDay
        let back = CalendarDate(seconds: midnight)
        return back.month == month && back.day == day ? midnight + secondOfDay : nil
    }

    /// 0 is Sunday.
    package var weekday: Int {
        guard let seconds = CalendarDate(year: year, month: month, day: day).seconds else { return 0 }
        // The first of January 2001 was a Monday.
        let days = Int(seconds / CalendarDate.secondsPerDay) % 7
        return (days + 8) % 7
    }
}
