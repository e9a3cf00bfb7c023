internal import WidgetContract
internal import WidgetCore
internal import WidgetHosting
public import WidgetRegistryClient
internal import WidgetRunning
internal import WidgetTransfers

/// The demands of a bundle on its app, as its files state them: what it would ask, keep and share. Reading them runs nothing
/// of the bundle, and starts no release.
///
/// ```swift
/// let needs = try await WidgetNeeds(of: release)
/// for request in needs.requests { log("\(request.method) \(request.address)") }
/// configuration.network = try .granted(to: needs.addresses)
/// ```
///
/// The app, or a person, decides. The engine refuses everything that was not granted, also what a bundle does not state here.
public struct WidgetNeeds: Sendable {
    /// A request that the bundle can send.
    public struct Request: Hashable, Sendable {
        /// The name that the bundle has for it.
        public let name: String
        /// Such as `GET`.
        public let method: String
        /// The address as it is written, with places such as `$id` that are filled in when it is sent.
        public let address: String
    }

    /// The identifier of the bundle.
    public let bundle: String
    /// All requests to servers, by their addresses.
    public let requests: [Request]
    /// The servers of the requests, as `https://example.com`.
    public let servers: [String]
    /// The grants for ``NetworkAccess/granted(to:privateRanges:)`` that allow these requests, and as few others as possible.
    public let addresses: [String]
    /// True if the address of a request is known only when it is sent, so that ``addresses`` does not have it.
    public let asksUnknownServers: Bool
    /// The abilities of the app without which the widget is of little use: `input`, `links`, `media`.
    public let abilities: [String]
    /// True if it lets people pick pictures or films.
    public let picksMedia: Bool
    /// The kinds of records that it keeps in ``WidgetConfiguration/dataFolder``.
    public let records: [String]
    /// The groups whose cached values it wants to share, for ``WidgetConfiguration/groups``.
    public let groups: [String]
    /// The faults of the bundle, each with its place and a hint. It runs without the parts that have them.
    public let faults: [String]

    /// Reads the demands of a release.
    ///
    /// - Parameters:
    ///   - release: the release, which is not on trial because of this.
    ///   - locale: the language and region whose files of the bundle count.
    /// - Throws: ``RuntimeError``: the reason why it cannot run.
    public init(of release: WidgetRelease, locale: String = "en_US") async throws(RuntimeError) {
        try self.init(
            release.path, release.widget.description, locale, isInstalled: release.installed != nil)
    }

    /// Reads the demands of a bundle that lies in the file system.
    ///
    /// - Parameters:
    ///   - path: an archive, a bundle's folder, or a folder of sources, which is built first.
    ///   - locale: the language and region whose files of the bundle count.
    /// - Throws: ``RuntimeError``: the reason why it cannot run.
    public init(path: String, locale: String = "en_US") async throws(RuntimeError) {
        try self.init(path, nil, locale, isInstalled: false)
    }

    private init(
        _ path: String, _ identifier: String?, _ locale: String, isInstalled: Bool
    ) throws(RuntimeError) {
        let read: ShownBundle
        do throws(WidgetError) {
            read = try BundleReading.bundle(
                at: path, identifier: identifier, locale: locale, isInstalled: isInstalled)
        } catch {
            throw RuntimeError(error)
        }
        let needs = ProgramNeeds(read.program)
        bundle = read.identifier
        requests = needs.requests.map { Request(name: $0.name, method: $0.method, address: $0.address) }
        servers = needs.servers
        let grants = needs.addresses.map { try? TransferURL($0).description }
        addresses = grants.compactMap(\.self)
        asksUnknownServers = needs.asksUnknownServers || grants.contains(nil)
        abilities = needs.abilities.map(\.rawValue)
        picksMedia = needs.picksMedia
        records = needs.records
        groups = needs.groups
        faults = read.program.diagnostics.filter { $0.severity == .error }.map(\.description)
    }
}
