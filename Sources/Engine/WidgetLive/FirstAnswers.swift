internal import WidgetSurroundings

/// The answers to what a widget asks when it begins, or in answer to a form: pages wait for them a while, because without
/// script nothing else brings them.
struct FirstAnswers {
    private var hasWaited = false
    private var isRefreshed = true
    private var begun: ContinuousClock.Instant?

    mutating func begin(at now: ContinuousClock.Instant) { begun = now }

    /// - Returns: false for all pages after the first one.
    mutating func beginWait() -> Bool {
        defer { hasWaited = true }
        return !hasWaited
    }

    /// True for a page that is to be loaded again: until the answers have come once, and not for ever.
    mutating func isOpen(_ isAnswered: Bool, _ limits: LiveLimits, at now: ContinuousClock.Instant) -> Bool {
        if isAnswered || now.seconds(since: begun ?? now) >= limits.refreshSeconds { isRefreshed = false }
        return isRefreshed
    }

    /// A script has sent an act: it brings the answers.
    mutating func end() { (hasWaited, isRefreshed) = (true, false) }

    /// A form was sent. The page that follows waits again, and no page is loaded again: what is typed into it would be lost.
    mutating func endRefreshes() { (hasWaited, isRefreshed) = (false, false) }
}
