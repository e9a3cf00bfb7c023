internal import WidgetBytes

/// A rule of POSIX for a time zone: an offset, and perhaps another for a part of each year.
struct YearlyTimeRule: Equatable, Sendable {
    /// Bytes of a rule; the longest in use has fewer than 60.
    static let byteCount = 128

    struct Daylight: Equatable, Sendable {
        var offset: Int
        var begin: Change
        var end: Change
    }

    /// When clocks are changed: a day, and seconds after its midnight, which may lie days away.
    struct Change: Equatable, Sendable {
        enum Day: Equatable, Sendable {
            /// 1 to 365; the leap day has no number.
            case julian(Int)
            /// 0 to 365.
            case ordinal(Int)
            /// The week 5 is the last in which the month has that weekday; 0 is Sunday.
            case weekday(month: Int, week: Int, Int)
        }

        var day: Day
        var second: Int
    }

    /// Seconds east of Greenwich.
    private(set) var standard = 0
    private(set) var daylight: Daylight?

    /// - Parameter moment: seconds since 1970, within some ten thousand years.
    func offset(at moment: Int64) -> Int {
        guard let daylight else { return standard }
        let day = (moment + Int64(standard)).flooredDivision(by: 86_400).quotient
        let year = CivilDate(daysSince1970: day).year
        let begin = daylight.begin.moment(in: year) - Int64(standard)
        let end = daylight.end.moment(in: year) - Int64(daylight.offset)
        let isDaylight = begin < end ? (begin..<end).contains(moment) : !(end..<begin).contains(moment)
        return isDaylight ? daylight.offset : standard
    }
}

extension YearlyTimeRule.Change {
    /// Seconds since 1970, as a clock counts them that stays as it is.
    fileprivate func moment(in year: Int) -> Int64 {
        dayNumber(in: year) * 86_400 + Int64(second)
    }

    private func dayNumber(in year: Int) -> Int64 {
        switch day {
        case .julian(let number):
            let isAfterLeapDay = number >= 60 && CivilDate(year: year, month: 2, day: 29).daysSince1970 != nil
            return Self.first(of: 1, year) + Int64(number - (isAfterLeapDay ? 0 : 1))
        case .ordinal(let number): return Self.first(of: 1, year) + Int64(number)
        case .weekday(let month, let week, let weekday):
            let first = Self.first(of: month, year)
            let next = month == 12 ? Self.first(of: 1, year + 1) : Self.first(of: month + 1, year)
            var day = first + Int64((weekday - CivilDate.weekday(daysSince1970: first) + 7) % 7 + (week - 1) * 7)
            while day >= next { day -= 7 }
            return day
        }
    }

    private static func first(of month: Int, _ year: Int) -> Int64 {
        CivilDate(year: year, month: month, day: 1).daysSince1970 ?? 0
    }
}

// MARK: - Reading

extension YearlyTimeRule {
    /// Reads `std offset [dst [offset] [,begin[/time],end[/time]]]` (POSIX.1-2017 §8.3, RFC 8536 §3.3.1).
    init?(_ text: String) {
        guard text.utf8.count <= YearlyTimeRule.byteCount else { return nil }
        var reader = RuleReader(rest: Array(text.utf8)[...])
        guard reader.skipName(), let standard = reader.time(hours: 24) else { return nil }
        // A rule counts west of Greenwich.
        self.standard = -standard
        if reader.rest.isEmpty { return }
        guard reader.skipName() else { return nil }
        var daylight = Daylight(
            offset: self.standard + 3_600, begin: Change(day: .weekday(month: 3, week: 2, 0), second: 7_200),
            end: Change(day: .weekday(month: 11, week: 1, 0), second: 7_200))
        if let first = reader.rest.first, first != UInt8(ascii: ",") {
            guard let offset = reader.time(hours: 24) else { return nil }
            daylight.offset = -offset
        }
        if !reader.rest.isEmpty {
            guard let begin = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
            (daylight.begin, daylight.end) = (begin, end)
        }
        self.daylight = daylight
    }
}

/// A rule being read.
private struct RuleReader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// Three letters or more, or anything of letters, digits and signs between angle brackets.
    mutating func skipName() -> Bool {
        if skip("<") {
            let name = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2B || $0 == 0x2D }
            rest = rest.dropFirst(name.count)
            return name.count >= 3 && skip(">")
        }
        let name = rest.prefix(while: Self.isLetter)
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(hours limit: Int) -> Int? {
        var sign = 1
        if skip("-") { sign = -1 } else if skip("+") { sign = 1 }
        guard let hours = number(0...limit) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where skip(":") {
            guard let value = number(0...59) else { return nil }
            seconds += value * unit
        }
        return sign * seconds
    }

    /// `,Mm.w.d`, `,Jn` or `,n`, and a time of day that is two o'clock if not given.
    mutating func change() -> YearlyTimeRule.Change? {
        guard skip(",") else { return nil }
        let day: YearlyTimeRule.Change.Day
        if skip("M") {
            guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday)
        } else if skip("J") {
            guard let number = number(1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .ordinal(number)
        }
        guard skip("/") else { return YearlyTimeRule.Change(day: day, second: 7_200) }
        // A week, as later versions of the files allow.
        return time(hours: 167).map { YearlyTimeRule.Change(day: day, second: $0) }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: Self.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(value) ? value : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
