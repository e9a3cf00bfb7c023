package import Bytes
package import Files
package import WidgetBundles

/// What was published and what of it is shown where, in one data directory.
///
/// Everything blocks, and may be called from any thread. Reading never waits for a writer.
package final class Registry: Sendable {
    package struct Options: Sendable {
        /// Channels whose releases get the content digest in their key, so that versions need not be raised.
        package var snapshotChannels: [String] = ["dev"]
        package var snapshotsKept = 20
        /// How long a withdrawn release can be restored.
        package var withdrawnDays = 30
        /// What is told to whoever finds the data directory in use, "widgetd, process 17".
        package var holder = "another process"
        /// Connections for reading that are kept open.
        package var readers = 4
        /// Seconds since 1970.
        package var now: @Sendable () -> Int64

        package init(now: @escaping @Sendable () -> Int64) {
            self.now = now
        }
    }

    package init(opening path: String, options: Options) throws(RegistryError) { throw unbuilt }

    /// No release and no token was ever stored.
    package var isEmpty: Bool { get throws(RegistryError) { throw unbuilt } }
    /// What the file system of the data directory has left for us.
    package var availableByteCount: Int { get throws(RegistryError) { throw unbuilt } }
    /// The last change's tag, 0 before the first; from memory.
    package var latestTag: Int64 { 0 }

    /// `observer` is called for each change, in their order, after it was committed and before the writer returns.
    /// It must be quick, and must not call the registry.
    package func observe(_ observer: @escaping @Sendable (RegistryChange) -> Void) {}

    // Publishing
    package func stage() throws(RegistryError) -> StagedUpload { throw unbuilt }
    package func publish(
        _ taken: BundleIntake.Taken, archive: consuming StagedUpload, _ request: PublishRequest
    ) throws(RegistryError) -> Publication { throw unbuilt }
    package func judge(
        _ taken: BundleIntake.Taken, _ request: PublishRequest
    ) throws(RegistryError) -> Publication { throw unbuilt }
    package func withdraw(_ bundle: String, _ key: String, reason: String, by: String) throws(RegistryError) -> Release
    { throw unbuilt }
    package func restore(_ bundle: String, _ key: String, by: String) throws(RegistryError) -> Release { throw unbuilt }
    package func setChannel(
        _ bundle: String, _ channel: String, _ setting: ChannelSetting, by: String,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Channel { throw unbuilt }
    package func rollback(
        _ bundle: String, _ channel: String, to key: String?, by: String,
        when: @escaping @Sendable (Channel?) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Channel { throw unbuilt }

    // Reading
    package func resolve(_ query: ResolveQuery) throws(RegistryError) -> Resolution { throw unbuilt }
    package func bundle(_ id: String) throws(RegistryError) -> BundleSummary { throw unbuilt }
    package func bundles(_ query: BundleQuery) throws(RegistryError) -> Page<BundleSummary> { throw unbuilt }
    package func channels(_ bundle: String) throws(RegistryError) -> [Channel] { throw unbuilt }
    package func channel(_ bundle: String, _ name: String) throws(RegistryError) -> Channel { throw unbuilt }
    /// A withdrawn one too.
    package func release(_ bundle: String, _ key: String) throws(RegistryError) -> Release { throw unbuilt }
    /// Newest first, withdrawn ones too.
    package func releases(
        _ bundle: String, limit: Int, after: String?
    ) throws(RegistryError) -> Page<Release> { throw unbuilt }
    /// The report is a JSON object. A withdrawn release has one too; whether to show it is the caller's business.
    package func report(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, report: [UInt8]) { throw unbuilt }
    package func files(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, files: [ReleaseFile]) { throw unbuilt }
    /// In the order of their tags; `next` is the last one's tag while there are more.
    package func changes(since tag: Int64, limit: Int) throws(RegistryError) -> Page<RegistryChange> { throw unbuilt }
    package func releaseOfBlob(_ digest: Digest) throws(RegistryError) -> BlobOwner { throw unbuilt }
    package func openBlob(_ digest: Digest) throws(RegistryError) -> Blob { throw unbuilt }

    // Tokens
    /// In the order of their names, expired ones too.
    package func tokens() throws(RegistryError) -> [Token] { throw unbuilt }
    /// The token of a secret, expired or not; `nil` when there is none.
    package func token(_ digest: Digest) throws(RegistryError) -> Token? { throw unbuilt }
    /// `digest` is the SHA-256 of the secret.
    package func createToken(_ token: Token, digest: Digest) throws(RegistryError) { throw unbuilt }
    package func revokeToken(_ name: String) throws(RegistryError) { throw unbuilt }
    /// Notes that a token was used just now.
    package func touchToken(_ name: String) throws(RegistryError) { throw unbuilt }
    /// Writes `admin-token` into the data directory, for its owner's eyes alone.
    package func storeAdminToken(_ text: [UInt8]) throws(RegistryError) { throw unbuilt }

}

private let unbuilt = RegistryError.damaged("not built yet")
