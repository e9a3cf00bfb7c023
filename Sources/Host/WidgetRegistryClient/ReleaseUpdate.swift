internal import RegistryClient
internal import RegistryContract

/// The end of an update. Every update has exactly one.
public enum ReleaseUpdate: Sendable {
    /// Another release than before is current now. It is to be confirmed when it was started and works.
    case newData(WidgetRelease)
    /// The release from before is the newest for this installation.
    case noData(WidgetRelease)
    /// The update failed. The release from before is kept, if there is one that may be shown.
    case failed(ClientError, WidgetRelease?)

    /// The release to show now.
    public var release: WidgetRelease? {
        switch self {
        case .newData(let release), .noData(let release): release
        case .failed(_, let release): release
        }
    }
}

/// The answer of a registry that was asked without fetching anything.
public enum ReleaseCheck: Sendable {
    /// The current release is the newest for this installation.
    case current(WidgetRelease)
    /// The newest one was downloaded, and waits to be applied.
    case downloaded(DownloadedRelease)
    /// Another release can be downloaded.
    case available(ReleaseOffer)
}

/// A release that a registry offers to this installation.
public struct ReleaseOffer: Sendable {
    let offering: ReleaseOffering

    /// The widget that it is for.
    public var widget: WidgetID { WidgetID(offering.widget) }
    /// The release's key, such as `1.4.0~312`.
    public var version: String { offering.candidate.release }
    /// The identifier of its bundle.
    public var bundleIdentifier: String { offering.resolution.bundleIdentifier }
    /// The bytes of its archive. A download is smaller if some of its files are here.
    public var byteCount: Int { offering.candidate.byteCount }
    /// True if the registry wants it to replace every older release.
    public var isMandatory: Bool { offering.resolution.isMandatory }
}

/// A release that lies beside the current one, verified, until it is applied.
public struct DownloadedRelease: Sendable {
    let installed: InstalledRelease

    /// The widget that it is for.
    public var widget: WidgetID { WidgetID(installed.widgetIdentifier) }
    /// The release's key, such as `1.4.0~312`.
    public var version: String { installed.record.release }
    /// True if the registry wants it to replace every older release.
    public var isMandatory: Bool { installed.record.isMandatory }
}

/// The moment at which a downloaded release becomes current.
public enum ApplyMoment: Hashable, Sendable {
    /// With the next ``WidgetClient/start(_:builtIn:)``.
    case nextStart
    /// When the app comes back after a pause of at least this length (``WidgetClient/resume(_:after:)``), or with the next
    /// start.
    case pause(Duration)
}

/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable {
    /// The bytes of the archive that are here.
    public let done: Int
    /// The bytes of the archive.
    public let total: Int

    /// The part that is here, from 0 to 1.
    public var fraction: Double { total > 0 ? min(max(Double(done) / Double(total), 0), 1) : 0 }
}

/// An event of ``WidgetClient/events(of:since:)``.
public enum ReleaseEvent: Sendable {
    /// A release to show: the first one is the present release.
    case release(WidgetRelease)
    /// The registry wants nothing of the widget to be shown, or the built-in bundle.
    case withdrawn(ClientError)
    /// The registry cannot be asked at the moment. It is asked again.
    case failed(ClientError)
    /// The registry does not have the widget, or no longer.
    case gone
}
