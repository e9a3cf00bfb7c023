/// The time between a moment and now, in words.
///
/// Both forms are rounded so that they change when a whole second has passed.
enum Countdown {
    /// `3d 04:05:06`, or `04:05:06` within a day; zero for a moment that has passed.
    static func text(to moment: Double, at now: Double) -> String {
        let left = (moment - now).rounded(.up)
        guard left > 0, left < longest else { return left > 0 ? "∞" : "00:00:00" }
        let seconds = Int64(left)
        let (days, rest) = (seconds / 86_400, seconds % 86_400)
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        return days > 0 ? "\(days)d \(clock)" : clock
    }

    /// `in 5m`, `5m ago` or `now`, in the largest unit.
    static func distance(of moment: Double, at now: Double) -> String {
        guard abs(moment - now) >= 1 else { return "now" }
        guard abs(moment - now) < longest else { return "∞" }
        return moment > now ? "in \(Age(of: now, at: moment).text)" : "\(Age(of: moment, at: now).text) ago"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// About thirty thousand years.
    private static let longest = 1e12
}
