package import WidgetBytes

/// The data of a widget at one moment, as its viewers are shown them, and as a server would say it.
package struct DataStatus: Equatable, Sendable {
    package enum State: String, Sendable {
        /// No update has brought content yet.
        case empty
        case fresh
        /// The last update failed; the content is that of an earlier one.
        case stale
        /// An update is running. The content from before is shown until it ends.
        case updating
    }

    package var state: State
    /// The number of contents so far.
    package var revision: Int
    /// Identifies the content, for servers as an entity tag.
    package var digest: Digest?
    /// The seconds since the content was last known to be up to date.
    package var age: Double?
    /// The reason why the last update failed.
    package var failure: DataUpdateFailure?
    /// The seconds until the next update begins by itself; `nil` if none will.
    package var untilNext: Double?
    package var counts: DataUpdateCounts
}

extension DataUpdates {
    package func status(at moment: Double) -> DataStatus {
        let state: DataStatus.State =
            if running != nil { .updating } else if content == nil { .empty } else if failure != nil { .stale } else {
                .fresh
            }
        let next = running == nil ? nextMoment : .infinity
        return DataStatus(
            state: state, revision: content?.revision ?? 0, digest: content?.digest,
            // A content that a later clock has stamped is new.
            age: content.map { max(0, moment - $0.moment) }, failure: failure,
            untilNext: next.isFinite ? max(0, next - moment) : nil, counts: counts)
    }
}
