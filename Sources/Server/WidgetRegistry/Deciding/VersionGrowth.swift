internal import WidgetBytes

/// The growth of versions that needs no decision of a person.
///
/// A version that is far above all others hides those that continue the count: they are lower, so they are stored and not
/// shown. Versions, dates and counters of builds grow more slowly than this.
enum VersionGrowth {
    /// The seconds within which growth adds up.
    static let window: Int64 = 7 * 86_400
    /// The most steps of a channel's history that are looked at.
    static let stepLimit = 1_000

    /// A number may grow to twice what it was, and by this much more.
    private static let allowance = 100.0
    /// Up to here a number in the third place of a version, or in a build number, is a usual counter, such as the number
    /// of commits.
    private static let counterLimit = 100_000.0
    /// Seconds by which dates may be ahead of the server's clock.
    private static let daylight: Int64 = 2 * 86_400

    /// True when one of a version's numbers is suspiciously far above the number in the same place of an earlier one.
    ///
    /// - Parameter time: seconds since 1970, until which dates in numbers but the first are usual.
    static func leaps(from earlier: Release, to later: Release, at time: Int64) -> Bool {
        leaps(numbers(earlier.shortVersion), numbers(later.shortVersion), isBuild: false, time)
            || leaps(numbers(earlier.build), numbers(later.build), isBuild: true, time)
    }

    private static func leaps(_ earlier: [Substring], _ later: [Substring], isBuild: Bool, _ time: Int64) -> Bool {
        later.enumerated().contains { place, digits in
            let (from, to) = (place < earlier.count ? value(earlier[place]) : 0, value(digits))
            if to <= 2 * from + allowance { return false }
            guard isBuild || place > 0 else { return true }
            if isBuild || place > 1, to <= counterLimit { return false }
            // A number that counts dates already continues in its form.
            return from > counterLimit || !isDate(digits, until: time.adding(daylight) ?? .max)
        }
    }

    /// The numbers of a version, in order.
    private static func numbers(_ version: String) -> [Substring] {
        version.utf8.split { !(0x30...0x39).contains($0) }.map { Substring($0) }
    }

    /// A version has 64 characters at most, which a double holds well enough to be compared like this.
    private static func value(_ digits: Substring) -> Double { Double(digits) ?? .infinity }

    /// True for a day such as `20261123` or `261123`, also with a time of day, and for seconds or milliseconds since 1970.
    private static func isDate(_ digits: Substring, until end: Int64) -> Bool {
        let number = value(digits)
        for unit in [1.0, 1_000.0] where number >= 1e9 * unit && number <= Double(end) * unit { return true }
        return ["", "20"].contains { century in
            let day = Array("\(century)\(digits)".utf8.map { Int($0) - 0x30 })
            guard (8...14).contains(day.count) else { return false }
            func part(_ range: Range<Int>) -> Int { day[range].reduce(0) { $0 * 10 + $1 } }
            let date = CivilDate(year: part(0..<4), month: part(4..<6), day: part(6..<8))
            guard let days = date.daysSince1970 else { return false }
            return days >= 0 && days <= end / 86_400
        }
    }
}
