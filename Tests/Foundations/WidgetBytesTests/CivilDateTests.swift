import Testing
import WidgetBytes

/// Goal: one calendar for every module, right for every day number. Method: known days, walks over years, extremes.
@Suite struct `A civil date` {
    @Test(arguments: [
        (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_323, 2001, 1, 1), (11_016, 2000, 2, 29), (-719_468, 0, 3, 1),
        (-719_528, 0, 1, 1), (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31), (-25_509, 1900, 2, 28),
        (-25_508, 1900, 3, 1), (47_541, 2100, 3, 1),
    ])
    func `A civil date names the day of a number and is counted as that number`(
        _ days: Int64, _ year: Int, _ month: Int, _ day: Int
    ) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test func `A civil date follows the day before it, over a thousand years around year 0 and around today`() {
        for start in [-719_468 - 200_000, -100_000] as [Int64] {
            var yesterday = CivilDate(daysSince1970: start - 1)
            for days in start..<start + 365_000 {
                let date = CivilDate(daysSince1970: days)
                let isNextDay = date.month == yesterday.month && date.day == yesterday.day + 1
                let isNewMonth = date.day == 1 && (date.month == yesterday.month + 1 || date.month == 1)
                guard isNextDay || isNewMonth, date.daysSince1970 == days else {
                    Issue.record("\(days): \(date) after \(yesterday)")
                    return
                }
                yesterday = date
            }
        }
    }

    @Test func `A civil date exists for every number, the extremes included, and is counted back`() {
        let extremes: [Int64] = [
            Int64.min, Int64.min + 1, Int64.min + 719_468, Int64.max - 719_468, Int64.max - 1, Int64.max,
        ]
        for days in extremes {
            let date = CivilDate(daysSince1970: days)
            #expect((1...12).contains(date.month) && (1...31).contains(date.day))
            #expect(CivilDate(daysSince1970: days / 400).daysSince1970 == days / 400)
        }
        #expect(CivilDate(daysSince1970: .max).year == 25_252_734_927_768_524)
    }

    @Test(arguments: [
        (2001, 2, 29), (1900, 2, 29), (2001, 4, 31), (2001, 0, 1), (2001, 13, 1), (2001, 1, 0), (2001, 1, 32),
        (Int.max, 1, 1), (Int.min, 1, 1), (2001, Int.min, 1), (2001, 1, Int.max),
    ])
    func `A civil date is not counted when the calendar does not have it`(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CivilDate(year: year, month: month, day: day).daysSince1970 == nil)
    }

    @Test func `A civil date has a weekday`() {
        let week = (0..<7).map { CivilDate.weekday(daysSince1970: $0) }
        #expect(week == [4, 5, 6, 0, 1, 2, 3])
        #expect(CivilDate.weekday(daysSince1970: -1) == 3)
        #expect((0..<7).contains(CivilDate.weekday(daysSince1970: .min)))
        #expect((0..<7).contains(CivilDate.weekday(daysSince1970: .max)))
    }
}
