internal import WidgetBytes
internal import WidgetHosting
internal import WidgetRunning
package import WidgetSurroundings

/// A clock that only the app moves, for tests of an app and its widgets together: a minute of a widget takes no time, and
/// comes when the test says so.
///
/// ```swift
/// let clock = SteppedClock(at: 1_529_524_800)
/// var configuration = WidgetConfiguration()
/// configuration.clock = clock
/// let session = try await WidgetSession(path: "Timer.bundle", configuration: configuration)
/// try await session.tap("Start")
/// await clock.advance(by: 60)
/// let screen = await session.screen()
/// assert(screen.text().contains("0:59:00"))
/// ```
///
/// Any number of sessions run by one clock. Answers of servers take no time on it.
public final class SteppedClock: Sendable {
    /// The longest step, in seconds: a year.
    public static let longestStep = 31_536_000.0
    /// The moments that a clock can show, in seconds since 1970: as many years as a calendar has.
    private static let moments = -62_135_596_800.0...253_402_300_799.0

    package let clock: ManualClock

    /// Makes a clock.
    ///
    /// - Parameter moment: the moment that it shows, in seconds since 1970. One before the year 1 or after the year 9999
    ///   counts as the nearest within.
    public init(at moment: Double) {
        let within = moment.isNaN ? 0 : min(max(moment, Self.moments.lowerBound), Self.moments.upperBound)
        clock = ManualClock(date: .seconds(within))
    }

    /// The moment that it shows, in seconds since 1970.
    public var moment: Double { HostTime.moment(of: clock) + CivilDate.secondsTo2001 }

    /// Moves the clock on. On the way it stops at each moment for which a session waits: timers fire, updates of data begin,
    /// and their answers are waited for.
    ///
    /// - Parameter seconds: the length of the step. Zero, less, or no number moves nothing, and only waits for answers. More
    ///   than ``longestStep`` counts as that.
    public func advance(by seconds: Double) async {
        await clock.step(by: .seconds(seconds > 0 ? min(seconds, Self.longestStep) : 0))
    }

    /// Waits, without moving the clock, until the servers of all sessions have answered.
    public func settle() async { await clock.step(by: .zero) }
}
