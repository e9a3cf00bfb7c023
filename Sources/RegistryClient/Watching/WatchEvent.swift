/// What a watch tells. It never ends by itself: whatever keeps it from seeing is told, and tried again.
package enum WatchEvent: Sendable {
    /// There is something to show, counted from 1; the first is what there was at the start.
    case revision(Int, WatchedContent, FileChanges)
    /// It cannot be had at the moment; what was shown stays.
    case failed(FetchError)
    /// What was watched is no longer there; it is shown again when it is back.
    case gone
    /// How changes are noticed from now on.
    case attention(Attention)

    package enum Attention: String, Equatable, Sendable {
        /// The registry or the system tells.
        case told
        /// Nobody tells, so it is looked again and again.
        case looking
    }
}

/// What a revision consists of.
package enum WatchedContent: Sendable {
    case release(InstalledRelease)
    /// A folder or an archive of somebody who works on it: nothing about it is verified yet.
    case local(path: String)
}
