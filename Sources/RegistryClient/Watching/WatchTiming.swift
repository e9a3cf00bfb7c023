internal import Transfers

/// How long a watch waits for what.
package struct WatchTiming: Equatable, Sendable {
    /// So long after the last change, what has changed is looked at…
    package var quiet = Duration.milliseconds(50)
    /// …but no later than this after the first, however busy somebody is.
    package var ceiling = Duration.milliseconds(500)
    /// How often files are looked at although the system has told nothing: network file systems do not tell.
    package var glance = Duration.seconds(2)
    /// Whether the system is asked to tell; if not, looking is all there is.
    package var listens = true
    /// How often files are looked at while the system does not tell.
    package var look = Duration.milliseconds(500)
    /// A stream of events without even a heartbeat for so long is dead.
    package var silence = Duration.seconds(45)
    /// How often a registry is asked that has no stream of events.
    package var poll = Duration.seconds(30)
    /// A registry is asked no more often than this, whatever its feed tells and however it fails.
    package var leastPause = Duration.seconds(1)
    /// Within this time after the feed has told of something, at random: it tells all hosts at once.
    package var spread = Duration.seconds(1)
    /// Bytes of a feed that are read in a second. An event has some two hundred.
    package var feedByteRate = 256 << 10
    /// A piece of a feed counts for at least as much.
    static let pieceByteCount = 1 << 10
    /// The first pause after something failed; it doubles each time.
    package var firstPause = Duration.seconds(1)
    package var longestPause = Duration.seconds(60)

    package init() {}

    /// The pause after so many failures in a row: grows, and is never the same for two hosts.
    func pause(after failures: Int, chance: Double) -> Duration {
        var pause = firstPause
        for _ in 0..<max(0, min(failures - 1, 30)) where pause < longestPause { pause = pause + pause }
        let most = min(pause, longestPause)
        return most / 2 + most / 2 * chance
    }

    /// Waits until nothing has happened for a while.
    ///
    /// - Parameter count: how much has happened so far.
    func settle(_ clock: any TransferClock, _ count: () -> Int) async {
        let end = clock.now + ceiling
        while clock.now < end, !Task.isCancelled {
            let before = count()
            await clock.pause(min(quiet, end - clock.now))
            if count() == before { return }
        }
    }
}
