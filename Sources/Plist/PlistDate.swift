internal import Bytes

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
            hour < 24, minute < 60, second < 60,
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        secondsSince2001 = Double(Int(days - PlistDate.referenceDay) * 86_400 + hour * 3_600 + minute * 60 + second)
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

    /// Days from 1 January 1970 to 1 January 2001.
    private static let referenceDay: Int64 = 11_323
}
