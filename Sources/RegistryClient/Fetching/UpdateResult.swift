/// How bringing a widget up to date ended. It always ends, in exactly one of these.
package enum UpdateResult: Sendable {
    /// Another release than before is current now.
    case newData(InstalledRelease, UpdateCost)
    /// What was there is what there is.
    case noData(InstalledRelease)
    /// What was there is still there, if anything was.
    case failed(FetchError, InstalledRelease?)

    /// What can be run now.
    package var release: InstalledRelease? {
        switch self {
        case .newData(let release, _), .noData(let release): release
        case .failed(_, let release): release
        }
    }
}

/// What an update took.
package struct UpdateCost: Equatable, Sendable {
    /// Of the archive: brought over the network.
    package var fetchedByteCount: Int
    /// Of the archive: borrowed from the one before it, from an archive that was here, or from a broken-off download.
    package var reusedByteCount: Int

    package init(fetchedByteCount: Int, reusedByteCount: Int) {
        self.fetchedByteCount = fetchedByteCount
        self.reusedByteCount = reusedByteCount
    }
}
