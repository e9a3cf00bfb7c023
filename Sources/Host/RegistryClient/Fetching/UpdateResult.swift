package import RegistryContract
internal import WidgetBytes

/// The outcome of asking a registry for the release meant for this installation.
package enum ReleaseCheckup: Sendable {
    /// The current release is still what the registry offers.
    case current(InstalledRelease)
    /// The offered release was downloaded, and waits to be applied.
    case waiting(InstalledRelease)
    /// The registry offers another release.
    case offer(ReleaseOffering)
}

/// A release that a registry offers to this installation and that is not here.
package struct ReleaseOffering: Sendable {
    package let widget: WidgetIdentifier
    package let candidate: ReleaseCandidate
    package let resolution: ResolutionDocument
    let notes: AnswerNotes
    let before: InstalledRelease?
}

/// The outcome of updating a widget. Every update ends, in exactly one of these.
package enum UpdateResult: Sendable {
    /// Another release than before is current now.
    case newData(InstalledRelease, UpdateCost)
    /// The release from before is still current.
    case noData(InstalledRelease)
    /// The release from before is kept, if there was one.
    case failed(FetchError, InstalledRelease?)

    /// The release that can be run now.
    package var release: InstalledRelease? {
        switch self {
        case .newData(let release, _), .noData(let release): release
        case .failed(_, let release): release
        }
    }
}

/// The amount of data that an update needed.
package struct UpdateCost: Equatable, Sendable {
    /// Bytes of the archive that were fetched over the network.
    package var fetchedByteCount: Int
    /// Bytes of the archive taken from the previous one, from an archive that was here, or from an interrupted
    /// download.
    package var reusedByteCount: Int

    package init(fetchedByteCount: Int, reusedByteCount: Int) {
        self.fetchedByteCount = fetchedByteCount
        self.reusedByteCount = reusedByteCount
    }
}
