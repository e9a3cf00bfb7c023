internal import Bytes

/// How far clocks in a time zone are from UTC, at every moment.
///
/// A value that is handed in: a widget shows the same times on every machine that is given the same rules.
package struct TimeZoneRules: Equatable, Sendable {
    /// Larger offsets exist nowhere (RFC 8536 §3.2).
    static let offsetLimit = 26 * 3_600
    /// From the first of January 1970 to the first of January 2001.
    private static let reference = 978_307_200.0
    /// About ten thousand years to either side.
    private static let horizon = 3e11

    /// Before the first change.
    private let initial: Int
    /// Rising moments in seconds since 1970, and the offset that each begins.
    private let changes: [(moment: Int64, offset: Int)]
    /// After the last change; `nil` when its offset stays.
    private let yearly: YearlyTimeRule?

    package static let utc = TimeZoneRules(initial: 0)

    /// - Parameter changes: rising moments in seconds since 1970, and the offset that each begins.
    init(initial: Int, changes: [(moment: Int64, offset: Int)] = [], yearly: YearlyTimeRule? = nil) {
        self.initial = initial
        self.changes = changes
        self.yearly = yearly
    }

    /// The rule that `TZ` holds when it names no file, such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` for other texts.
    package init?(posix text: String) {
        guard let yearly = YearlyTimeRule(text) else { return nil }
        self.init(initial: yearly.standard, yearly: yearly)
    }

    package static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
        left.initial == right.initial && left.yearly == right.yearly
            && left.changes.elementsEqual(right.changes) { $0 == $1 }
    }

    /// Seconds east of Greenwich.
    ///
    /// - Parameter seconds: since the first moment of 2001, UTC.
    package func offset(at seconds: Double) -> Int {
        offset(atUnix: TimeZoneRules.unix(seconds))
    }

    /// The moment at which clocks show a time.
    ///
    /// A time that clocks show twice is taken for the first moment. One that they skip counts on from before the change,
    /// so that half past two becomes half past three.
    ///
    /// - Parameter local: as if the clocks showed UTC.
    package func seconds(ofLocal local: Double) -> Double {
        let unix = TimeZoneRules.unix(local)
        let before = offset(atUnix: unix - 86_400)
        if offset(atUnix: unix - Int64(before)) == before { return local - Double(before) }
        let after = offset(atUnix: unix + 86_400)
        if offset(atUnix: unix - Int64(after)) == after { return local - Double(after) }
        return local - Double(before)
    }

    private static func unix(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return Int64(reference) }
        return Int64((min(max(seconds, -horizon), horizon) + reference).rounded(.down))
    }

    private func offset(atUnix moment: Int64) -> Int {
        guard let last = changes.last else { return yearly?.offset(at: moment) ?? initial }
        if moment >= last.moment { return yearly?.offset(at: moment) ?? last.offset }
        // The first change after the moment.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].moment <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : changes[low - 1].offset
    }
}
