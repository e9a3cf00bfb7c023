internal import GroupCache
internal import RegistryClient
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetHost
internal import WidgetHosting
internal import WidgetPredicates
internal import WidgetRunning
internal import WidgetSurroundings

/// The world in which a widget runs: its data, its network, its place, its clock.
///
/// ```swift
/// var configuration = WidgetConfiguration()
/// configuration.dataFolder = "/var/lib/app/widget-data"
/// configuration.network = try .granted(to: ["https://api.example.com/v1"])
/// ```
public struct WidgetConfiguration: Sendable {
    /// A way of showing a widget.
    public enum Mode: String, Hashable, Sendable {
        /// As one of several, with as much room as it needs for the essential.
        case compact
        /// With all the room that there is.
        case expanded
    }

    /// The folder of the widget's records, settings and last view. The default is `nil`: nothing is kept.
    public var dataFolder: String?
    /// True if data that the widget kept as a release of the same bundle at another registry are its own from now on: for an
    /// app whose registry may have any address. The default is false: bundles choose their identifiers themselves, so a
    /// registry that is new to the app cannot have the data of another's widgets.
    public var adoptsData = false
    /// Former addresses of the app's registry. Data that were kept under one of them follow to the present address.
    public var formerRegistries: [String] = []
    /// The folder of cached values and answers of servers. The default is `nil`: values live as long as the widget, and
    /// every answer is asked for as a whole.
    public var cacheFolder: String?
    /// The groups of widgets whose cached values it may share. Without one, it shares none by default.
    public var groups: Set<String> = []
    /// The default is ``NetworkAccess/none``.
    public var network = NetworkAccess.none
    /// Called with each request that the network's grant allows, before it goes: it may add fields such as those of the app's
    /// session, answer it, or refuse it. The default is `nil`: requests go as the bundle has made them.
    ///
    /// ```swift
    /// configuration.request = { request in
    ///     guard request.origin == "https://api.example.com" else { return .send }
    ///     return .send(adding: [WidgetRequest.Field("Authorization", "Bearer \(token)")])
    /// }
    /// ```
    ///
    /// The request waits for it. When the widget stops, or an update ends before it, the task is cancelled.
    public var request: (@Sendable (WidgetRequest) async -> RequestDecision)?
    /// The seconds between updates of its data. The default is `nil`: as its bundle declares.
    public var updateInterval: Double?
    /// The values of its first screen's parameters, by their names.
    public var parameters: [String: WidgetValue] = [:]
    /// The reader's language and region, as `de_AT`. The default is `en_US`.
    public var locale = "en_US"
    /// The reader's time zone, as `Europe/Berlin`. The default is `UTC`.
    public var timeZone = "UTC"
    /// The most room that the widget can have, in points. The default is `nil`: any.
    public var room: ScreenSize?
    /// The default is ``Mode/expanded``.
    public var mode = Mode.expanded
    /// True if people can type into the widget. The default is true.
    public var takesInput = true
    /// True if the app opens links. The default is true.
    public var opensLinks = true
    /// The moment at which the widget's clock begins, in seconds since 1970. The clock of a script moves with the script
    /// alone, all others run unless ``clock`` is set. The default is `nil`: now.
    public var moment: Double?
    /// A clock that the app moves, as tests do. It has a moment, so that ``moment`` counts no more. The default is
    /// `nil`: the clock runs by itself.
    public var clock: SteppedClock?
    /// The seed of random numbers. The default is `nil`: another one each time.
    public var seed: UInt64?

    /// The defaults.
    public init() {}

    func environment() throws(RuntimeError) -> Environment {
        guard let zone = timeZone == "UTC" ? .utc : TimeZoneFiles.rules(named: timeZone) else {
            throw RuntimeError(
                .unknownTimeZone, "the time zone \(timeZone) is unknown",
                hint: TimeZoneFiles.nearest(to: timeZone).map { "did you mean \($0)?" })
        }
        let now =
            clock.map { HostTime.moment(of: $0.clock) } ?? moment.map { $0 - CivilDate.secondsTo2001 }
            ?? HostTime.moment(of: SystemClock())
        var abilities = Set(HostAbility.allCases)
        if !takesInput { abilities.remove(.input) }
        if !opensLinks { abilities.remove(.links) }
        let display = Display(
            mode: mode == .compact ? .compact : .expanded,
            maximum: room.map { Size(width: $0.width, height: $0.height) })
        return Environment(
            now: now, seed: seed ?? SystemChance().next(), timeZone: zone,
            locale: locale, display: display, abilities: abilities)
    }

    private func adoption() throws(RuntimeError) -> DataAdoption {
        if adoptsData { return .sameBundle }
        var former: Set<String> = []
        for address in formerRegistries {
            do throws(FetchError) {
                former.insert(try RegistryAddress(address).description)
            } catch {
                throw RuntimeError(
                    .invalidAddress, "\(address) is not the address of a registry",
                    hint: "it is an address such as https://widgets.example")
            }
        }
        return .of(former)
    }

    func hosted() throws(RuntimeError) -> HostedWidgets {
        let (environment, adoption) = (try environment(), try adoption())
        var granted: Set<GroupName> = []
        for text in groups {
            do throws(GroupCacheError) {
                granted.insert(try GroupName(text))
            } catch {
                throw RuntimeError(.store, "\(error)")
            }
        }
        let (interval, network, request) = (updateInterval, network, request)
        return HostedWidgets(
            storesIn: dataFolder, adopting: adoption, network: { network.network(of: $0, reviewedBy: request) },
            cache: cacheFolder.map { [granted] in HostCache(at: $0, granted: { _ in granted }) },
            policy: { _ in interval.map { DataUpdatePolicy(interval: $0) } }, clock: clock?.clock,
            environment: { environment })
    }

    var firstParameters: Value { parameters.isEmpty ? .null : WidgetValue.object(parameters).value }
}

/// The size of a screen, or of a place on it, in points.
public struct ScreenSize: Hashable, Sendable {
    /// The width in points.
    public var width: Double
    /// The height in points.
    public var height: Double

    /// Makes a size of lengths in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
