internal import RegistryClient

/// An app's choice of releases, and its limits for what it fetches.
///
/// ```swift
/// var options = ClientOptions()
/// options.channel = "beta"
/// options.pin = "com.acme.Clock"
/// ```
public struct ClientOptions: Sendable {
    /// The channel whose releases are shown. The default is `stable`.
    public var channel = "stable"
    /// The identifier of the only bundle that may answer. An app that knows its widgets sets it. The default is `nil`: any
    /// bundle with whose identifier the widget's begins.
    public var pin: String?
    /// The version of the system that bundles find here, such as `17.0`. Releases that need a newer one are not offered.
    /// The default is `nil`: it is not sent, and the minimums of bundles do not count.
    public var systemVersion: String?
    /// The version of the app, likewise.
    public var hostVersion: String?
    /// A token for a registry that is not open to everyone; it is sent to the registry only. The default is `nil`.
    public var token: String?
    /// True if redirects may lead to another origin than the registry's. The default is false.
    public var followsRedirectsElsewhere = false
    /// The time for one archive. The default is an hour.
    public var downloadTime = Duration.seconds(3_600)
    /// The bytes of the whole cache. Files in use stay even beyond that. The default is 512 MiB.
    public var cacheByteCount = 512 << 20

    /// True if the registry hears what becomes of its releases here: that one was installed, started, confirmed, or has failed,
    /// with its channel and a reason. No name of an installation, an app or a person is sent, and each thing is sent once, a
    /// start once a day. The default is false.
    public var reportsOutcomes = false

    /// The defaults.
    public init() {}

    var fetching: FetchOptions {
        var options = FetchOptions()
        options.channel = channel
        options.pin = pin
        options.os = systemVersion
        options.host = hostVersion
        options.token = token
        options.followsElsewhere = followsRedirectsElsewhere
        options.total = downloadTime
        options.reportsOutcomes = reportsOutcomes
        return options
    }

    var caching: CacheLimits {
        var limits = CacheLimits()
        limits.byteCount = max(cacheByteCount, 0)
        return limits
    }
}
