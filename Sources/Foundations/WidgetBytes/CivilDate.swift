internal import WidgetSystemCalls

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
    /// Year 0 precedes year 1.
    package var year: Int
    package var month: Int
    package var day: Int

    /// Seconds between the Unix epoch (1970) and the reference date of widgets (2001).
    package static let secondsTo2001 = 978_307_200.0

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of any day number; none overflows.
    ///
    /// Years are counted from March, so that the leap day is the last of its year, in eras of 400 years.
    package init(daysSince1970 days: Int64) {
        // 1 March of year 0 is four eras and some days before 1970.
        let (quotient, remainder) = days.flooredDivision(by: CivilDate.daysOfEra)
        let shifted = remainder &+ (CivilDate.daysFromYear0 &- 4 &* CivilDate.daysOfEra)
        let era = quotient &+ 4 &+ shifted / CivilDate.daysOfEra
        let dayOfEra = shifted % CivilDate.daysOfEra
        let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
        day = Int(dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9)
        year = Int(clamping: yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0))
    }

    /// `nil` for a day that the calendar lacks, and for a year with more days than an `Int64` counts.
    package var daysSince1970: Int64? {
        guard year.magnitude < CivilDate.yearLimit, (1...12).contains(month),
            day >= 1, day <= CivilDate.dayCount(ofMonth: month, year: year)
        else { return nil }
        let (era, yearOfEra) = Int64(month <= 2 ? year &- 1 : year).flooredDivision(by: 400)
        let shiftedMonth = Int64(month > 2 ? month &- 3 : month &+ 9)
        let dayOfYear = (153 &* shiftedMonth &+ 2) / 5 &+ Int64(day) &- 1
        let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
        return era &* CivilDate.daysOfEra &+ dayOfEra &- CivilDate.daysFromYear0
    }

    /// The day of the week of a day number; 0 is Sunday.
    package static func weekday(daysSince1970 days: Int64) -> Int {
        // 1 January 1970 was a Thursday.
        Int((days.flooredDivision(by: 7).remainder &+ 4) % 7)
    }

    private static func dayCount(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static let daysOfEra: Int64 = 146_097
    /// From 1 March of year 0 to 1 January 1970.
    private static let daysFromYear0: Int64 = 719_468
    /// Beyond, the number of days would not fit.
    private static let yearLimit: UInt64 = 25_000_000_000_000_000
}

extension Int64 {
    /// The division that rounds down, so that its remainder is not negative; `divisor` is positive.
    package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient &- 1, remainder &+ divisor) : (quotient, remainder)
    }
}

/// The system's time of day.
package enum WallClock {
    /// Seconds since 1970, and the nanoseconds that have passed of the current second.
    package static func now() -> (seconds: Int64, nanoseconds: Int) { SystemTime.now() }
}
