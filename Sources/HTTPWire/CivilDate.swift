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
