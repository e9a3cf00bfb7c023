import Foundation
import TestSupport
import Testing

@testable import Predicates

/// Goal: the calendar is right. Method: Foundation's is asked too, for the time since both count in the same way.
@Suite struct `A date as text` {
    @Test func `is what Foundation writes, and reads back`() throws {
        var random = SeededGenerator(seed: 5)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<5_000 {
            let seconds = Double(Int64.random(in: -13_000_000_000...250_000_000_000, using: &random))
            let text = DateText.iso(seconds)
            #expect(text == Date(timeIntervalSinceReferenceDate: seconds).formatted(style))
            #expect(DateText.seconds(text) == seconds)
            #expect(DateText.seconds(DateText.description(seconds)) == seconds)
        }
    }

    @Test(arguments: [
        "", "2018", "2018-06", "2018-6-20", "2018-06-31", "2018-00-01", "2019-02-29", "2018-06-20T", "2018-06-20T18",
        "2018-06-20T25:00:00Z", "2018-06-20T18:60:00Z", "2018-06-20T18:00:00+2", "2018-06-20T18:00:00ZZ", "x",
        "2018-06-20T18:00:00.Z", "20180620",
    ])
    func `is refused when it is none`(_ text: String) {
        #expect(DateText.seconds(text) == nil)
    }
}
