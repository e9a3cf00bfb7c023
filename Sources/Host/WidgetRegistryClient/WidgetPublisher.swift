internal import RegistryClient
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetIntake
internal import WidgetTransfers

/// The publisher's side of a registry, for tools and continuous integration.
///
/// ```swift
/// let publisher = try WidgetPublisher(registry: "https://widgets.example", token: token)
/// let release = try await publisher.publish("Clock.zip", channel: "beta")
/// print(release.version)
/// ```
public struct WidgetPublisher: Sendable {
    /// A release as the registry has it.
    public struct PublishedRelease: Hashable, Sendable {
        /// The identifier of its bundle.
        public let bundleIdentifier: String
        /// The release's key, such as `1.4.0~312`.
        public let version: String
        /// The channels that show it.
        public let channels: [String]
    }

    private let registry: RemoteRegistry

    /// No network is used.
    ///
    /// - Parameters:
    ///   - registry: its address, such as `https://widgets.example`.
    ///   - token: one that may publish; it is sent to the registry only.
    /// - Throws: ``ClientError`` with ``ClientError/Code/invalidAddress``.
    public init(registry: String, token: String) throws(ClientError) {
        self.registry = try ClientError.rethrowing { () throws(FetchError) in
            RemoteRegistry(try RegistryAddress(registry), token: token)
        }
    }

    /// Checks a bundle as the registry will, then sends it.
    ///
    /// Publishing the same files twice changes nothing.
    ///
    /// - Parameters:
    ///   - path: an archive, a bundle's folder, or a folder of sources, which is built first.
    ///   - channel: the channel to put it on; `nil` for `stable`.
    ///   - rollout: the part of the hosts that get it for now, from 0 to 1; `nil` for all.
    ///   - note: one line about what is new.
    ///   - isDryRun: true to let the registry check everything and store nothing.
    /// - Throws: ``ClientError``, with ``ClientError/Code/invalidBundle`` for a bundle that is refused here.
    public func publish(
        _ path: String, channel: String? = nil, rollout: Double? = nil, note: String? = nil, isDryRun: Bool = false
    ) async throws(ClientError) -> PublishedRelease {
        var options = PublishOptions()
        options.channel = channel
        options.rollout = rollout.map { Int((min(max($0, 0), 1) * Double(Rollout.bucketCount)).rounded()) }
        options.isDryRun = isDryRun
        options.remarks.note = note
        let (identifier, digest, archive) = try WidgetPublisher.archive(at: path)
        let release = try await ClientError.rethrowing { [options] () async throws(FetchError) in
            try await registry.publish(archive, of: identifier, digest: digest, options).value
        }
        return PublishedRelease(
            bundleIdentifier: release.bundleIdentifier, version: release.key, channels: release.channels)
    }

    /// The canonical archive of a bundle, in a file without a name.
    private static func archive(at path: String) throws(ClientError) -> (String, Digest, FileRegion) {
        do throws(SourceError) {
            let taken = try BundleSource(opening: path, followsLinks: true).take()
            let file = try rethrowing(try taken.opened.archive.duplicate(), as: SourceError.file)
            return (
                taken.bundle.manifest.identifier, taken.bundle.digest,
                FileRegion(SharedFile(file), byteCount: taken.bundle.byteCount)
            )
        } catch {
            throw ClientError(.invalidBundle, "\(error)", hint: "`widget inspect \(path)` explains each finding")
        }
    }
}
