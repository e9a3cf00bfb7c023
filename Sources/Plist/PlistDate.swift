/// A moment, as property lists count it: seconds since the beginning of 2001, UTC.
package struct PlistDate: Hashable, Sendable {
    package let secondsSince2001: Double

    /// `nil` for what is no moment: an infinity, or not a number.
    package init?(secondsSince2001: Double) {
        guard secondsSince2001.isFinite else { return nil }
        self.secondsSince2001 = secondsSince2001
    }

    /// `YYYY-MM-DDThh:mm:ssZ` and nothing else; the day must exist.
    init?(iso8601 text: [UInt8]) {
        guard text.count == 20 else { return nil }
        for (offset, mark) in zip([4, 7, 10, 13, 16, 19], "--T::Z".utf8) where text[offset] != mark { return nil }
        guard let year = PlistDate.number(text[0..<4]), let month = PlistDate.number(text[5..<7]),
            let day = PlistDate.number(text[8..<10]), let hour = PlistDate.number(text[11..<13]),
            let minute = PlistDate.number(text[14..<16]), let second = PlistDate.number(text[17..<19]),
            (1...12).contains(month), hour < 24, minute < 60, second < 60,
            (1...PlistDate.dayCount(of: month, year)).contains(day)
        else { return nil }
        let days = PlistDate.dayNumber(year, month, day) - PlistDate.dayNumber(2001, 1, 1)
        secondsSince2001 = Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// At most four digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit &- 0x30)
        }
        return value
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func dayCount(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since the first of January of the year 0, in the Gregorian calendar.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let leapYears = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
        let before = (1..<month).reduce(0) { $0 + dayCount(of: $1, year) }
        return year * 365 + leapYears + before + day - 1
    }
}
