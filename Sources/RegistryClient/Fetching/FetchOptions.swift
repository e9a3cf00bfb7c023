internal import RegistryContract
package import Transfers
package import WidgetBundles

/// What a host asks a registry for, and what it lets in.
package struct FetchOptions: Sendable {
    package var channel = ChannelName.standard
    /// The only bundle that may answer; `nil`: any whose identifier the widget's begins with.
    package var pin: String?
    /// The version of the operating system that bundles find here; `nil`: not told, and not asked.
    package var os: String?
    /// The version of the host, likewise.
    package var host: String?
    /// Sent to the registry, and to nobody else.
    package var token: String?
    package var policy = BundlePolicy()
    /// Who has to agree to each address before it is connected to.
    package var addresses: (any TransferPolicy)?
    package var retries = RetryPolicy()
    /// Time until a connection stands.
    package var connecting = Duration.seconds(10)
    /// Time without a single byte.
    package var stall = Duration.seconds(30)
    /// The least rate at which an archive has to come. One that is slower is given up, and what came of it is kept.
    package var leastRate: LeastRate? = .archives
    /// Whether redirects may lead to another origin than the registry's.
    package var followsElsewhere = false
    /// Time for one archive.
    package var total: Duration? = .seconds(3_600)

    package init() {}
}

extension LeastRate {
    /// For archives: 1 KiB a second, as registries promise to send at least.
    package static let archives = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
}
