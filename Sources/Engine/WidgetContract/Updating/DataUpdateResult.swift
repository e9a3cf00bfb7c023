package import WidgetBytes

/// The end of an update of a widget's data: each update has exactly one.
package enum DataUpdateResult: Equatable, Sendable {
    /// The watched content is another than before.
    case newData
    /// The watched content is the one from before, and up to date.
    case noData
    /// The content from before is still shown.
    case failed(DataUpdateFailure)
}

/// The reason for a failed update.
package enum DataUpdateFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The update did not end within its deadline.
    case timeout(seconds: Double)
    /// A request of the update has failed.
    case request(String)
    /// The view with the new data is beyond a limit.
    case budget(String)
    /// The widget was closed during the update.
    case closed

    package var description: String {
        switch self {
        case .timeout(let seconds):
            "the update did not end within \(DataUpdateFailure.shown(seconds)); the content from before is shown"
        case .request(let reason): reason
        case .budget(let reason): "\(reason); the content from before is shown"
        case .closed: "the widget was closed during the update"
        }
    }

    /// The reason why a request of an update has failed that was given up at its deadline.
    package static func noAnswer(within seconds: Double) -> String { "No answer came within \(shown(seconds))." }

    private static func shown(_ seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds) else { return "\(seconds) seconds" }
        return whole == 1 ? "1 second" : "\(whole) seconds"
    }
}

/// The source of the wish for an update.
package enum DataUpdateTrigger: Equatable, Sendable {
    /// A person, or a program that acts for one. It begins at once.
    case demand
    /// A notification that there may be new data. It waits for the end of a pause.
    case push
}

/// The answer of a widget's sources to an update, before it is compared.
package enum DataUpdateAnswer: Equatable, Sendable {
    /// The digest of the watched content, after everything was asked.
    case content(Digest)
    /// The sources say that nothing has changed, as with the status 304.
    case unchanged
    /// - Parameter retryAfter: the seconds that a server asks to wait.
    case failed(DataUpdateFailure, retryAfter: Double? = nil)
}

/// The number of updates of one widget, by their ends.
package struct DataUpdateCounts: Equatable, Sendable {
    package var newData = 0
    package var noData = 0
    package var failed = 0
    /// The failed ones that did not end within their deadline.
    package var timeouts = 0
    /// The triggers that joined an update that was running.
    package var joined = 0
    /// The answers that came after the end of their update, and were discarded.
    package var late = 0

    package init() {}

    package var updates: Int { newData + noData + failed }
}

/// The content of a widget that an update has accepted. A host keeps it, so that a widget that is opened again begins
/// with it.
package struct AcceptedContent: Equatable, Sendable {
    package var digest: Digest
    /// Counts the contents of the widget from 1.
    package var revision: Int
    /// The moment at which it was last known to be up to date.
    package var moment: Double

    package init(digest: Digest, revision: Int, moment: Double) {
        self.digest = digest
        self.revision = revision
        self.moment = moment
    }
}
