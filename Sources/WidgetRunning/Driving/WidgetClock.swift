/// The clock that a widget runs by.
package enum WidgetClock: Sendable {
    /// Runs by itself: at the instant `since` it showed `beginning`.
    case wall(beginning: Double, since: ContinuousClock.Instant)
    /// Stands still until the widget's driver lets time pass, as scripts and tests need it.
    case script

    /// A clock on the wall that shows `beginning` now.
    package static func wall(from beginning: Double) -> WidgetClock { .wall(beginning: beginning, since: .now) }

    /// The moment to bring a widget up to; `nil` while time stands still.
    var now: Double? {
        switch self {
        case .script: return nil
        case .wall(let beginning, let since):
            let (seconds, attoseconds) = since.duration(to: .now).components
            return beginning + Double(seconds) + Double(attoseconds) * 1e-18
        }
    }
}
