import HTTPWire
import Testing
import WidgetTestSupport

@Suite struct `A date` {
    func seconds(_ text: String) -> Int64? {
        let bytes = text.latin1
        return HTTPDate.parse(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Wednesday, 31-Dec-69 00:00:00 GMT", 3_155_673_600), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
    ])
    func `A date is read in each of its forms`(text: String, expected: Int64) {
        #expect(seconds(text) == expected)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
        "Sun; 06 Nov 1994 08:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 12:00:00 GMT", "Thu, 29 Feb 1900 12:00:00 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun, 06 Nov 19940 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Someday, 06-Nov-94 08:49:37 GMT",
        "Sundaay, 06-Nov-94 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday, 32-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 EST",
        "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov 6  08:49:37 1994", "Sun, Nov 6 08:49:37 1994",
        "Sun Nov 31 08:49:37 1994", "Sun Nov  0 08:49:37 1994", "Sun Nov   08:49:37 1994 ", "1994-11-06T08:49:37Z",
        "784111777", "Sun, 06 Nov 1994 08:49:3\u{B7} GMT", "Sun, 06 Nov 1994 08:49:37\0GMT",
    ])
    func `A date in another form is refused`(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func `A date is written in the fixed form`() {
        #expect(HTTPDate.string(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.string(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.string(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.string(-62_135_596_800) == "Mon, 01 Jan 0001 00:00:00 GMT")
        #expect(HTTPDate.string(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
    }

    /// The second computation counts days one by one, year by year.
    @Test func `A date agrees with a calendar counted day by day`() {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        var day = 0
        for year in 1970...2430 {
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in zip(months, lengths) {
                for dayOfMonth in 1...length {
                    let time = day * 7_919 % 86_400
                    let text =
                        "\(names[day % 7]), \(two(dayOfMonth)) \(month) \(year) "
                        + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
                    let expected = Int64(day) * 86_400 + Int64(time)
                    guard HTTPDate.string(expected) == text, seconds(text) == expected else {
                        Issue.record("\(text) is \(String(describing: seconds(text)))")
                        return
                    }
                    day += 1
                }
            }
        }
    }

    @Test func `A date survives being written and read, in any of ten thousand years`() {
        var generator = SeededGenerator(seed: 9110)
        for _ in 0..<20_000 {
            let moment = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
            #expect(seconds(HTTPDate.string(moment)) == moment)
        }
    }
}
