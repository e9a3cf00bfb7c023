internal import WidgetSurroundings

/// An event of a watch. A watch never ends by itself: failures are reported, and retried.
package enum WatchEvent: Sendable {
    /// A new content, counted from 1; the first is the one at the start.
    case revision(Int, WatchedContent, FileChanges)
    /// The content cannot be read or fetched at the moment; the one shown before stays.
    case failed(FetchError)
    /// The watched bundle does not exist, or no longer. It is shown when it is there. A registry's reason comes before, as
    /// a failure.
    case gone
    /// The way in which changes are noticed from now on.
    case attention(Attention)

    package enum Attention: String, Equatable, Sendable {
        /// The registry or the system sends notifications.
        case notified
        /// Without notifications: changes are found by polling.
        case polling
    }
}

/// The content of a revision.
package enum WatchedContent: Sendable {
    case release(InstalledRelease)
    /// An author's folder or archive: nothing about it is verified yet.
    case local(path: String)
}

/// The differences between two snapshots of the same files.
package struct FileChanges: Equatable, Sendable {
    package var added: [String]
    package var changed: [String]
    package var removed: [String]

    /// - Parameters:
    ///   - before: the previous snapshot by path; `nil` for the first.
    init<Seen: Equatable>(from before: [String: Seen]?, to now: [String: Seen]) {
        let before = before ?? [:]
        added = now.keys.filter { before[$0] == nil }.sorted()
        changed = now.keys.filter { key in before[key].map { $0 != now[key] } ?? false }.sorted()
        removed = before.keys.filter { now[$0] == nil }.sorted()
    }

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// The waiting times of a watch.
package struct WatchTiming: Equatable, Sendable {
    /// The time after the last change until files are compared…
    package var quiet = Duration.milliseconds(50)
    /// …but no later than this after the first, even if changes continue.
    package var ceiling = Duration.milliseconds(500)
    /// The interval of checking files without a notification: network file systems send none.
    package var recheck = Duration.seconds(2)
    /// True when the system is asked for notifications; if not, files are only polled.
    package var listens = true
    /// The interval of polling files while the system sends no notifications.
    package var filePoll = Duration.milliseconds(500)
    /// A stream of events is dead after this time without even a heartbeat.
    package var silence = Duration.seconds(45)
    /// The interval of asking a registry that has no stream of events.
    package var poll = Duration.seconds(30)
    /// The least time between two questions to a registry, with any feed and after any failure.
    package var leastPause = Duration.seconds(1)
    /// After an event of the feed, a host asks at a random moment within this time, because all hosts get the event at
    /// once.
    package var spread = Duration.seconds(1)
    /// Bytes of a feed that are read in a second. An event has some two hundred.
    package var feedByteRate = 256 << 10
    /// A piece of a feed counts for at least as much.
    static let pieceByteCount = 1 << 10
    /// The first pause after something failed; it doubles each time.
    package var firstPause = Duration.seconds(1)
    package var longestPause = Duration.seconds(60)
    /// The longest time for which a registry is not asked because it has asked for that (`Retry-After`).
    package var longestWish = Duration.seconds(600)

    package init() {}

    /// The pause after a number of failures in a row. It grows, and differs between hosts.
    func pause(after failures: Int, chance: Double) -> Duration {
        var pause = firstPause
        for _ in 0..<max(0, min(failures - 1, 30)) where pause < longestPause { pause = pause + pause }
        let most = min(pause, longestPause)
        return most / 2 + most / 2 * chance
    }

    /// Waits until nothing has happened for a while.
    ///
    /// - Parameter count: how much has happened so far.
    func settle(_ clock: any Clock, _ count: () -> Int) async {
        let end = clock.now + ceiling
        while clock.now < end, !Task.isCancelled {
            let before = count()
            await clock.sleep(for: min(quiet, end - clock.now))
            if count() == before { return }
        }
    }
}
