import HTTPWire
import RegistryServer
import Synchronization
import WidgetAddresses
import WidgetBundles
import WidgetBytes
package import WidgetConfiguration
import WidgetConsole
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets

/// The choices of an operator, each with its default.
///
/// The settings of another module are held as that module's value, so that each default is written once: at its limit
/// or rule. `table` says how each is written.
package struct Settings: ConfigurableSettings {
    var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8_080)]
    var adminListen: [ListenAddress] = []
    package var data = "./data"
    /// The program's choice; `table` has no key for it.
    package var storage = StorageChoice.directory
    /// The program's choice; `nil` for a registry that is written to.
    package var mirror: MirrorChoice?
    package var seed: String?
    var workers = 0
    var access = Access()
    var log = Log()
    /// The number of a descriptor for notices; `nil` for none.
    var notifyDescriptor: Int?
    var shutdown = Shutdown()
    var retention = Retention()
    var quotas: [QuotaRule] = []
    /// True if pages run widgets in readers' browsers.
    var runsWidgets = true
    /// The path of the engine that browsers run; `nil` for the one beside the program.
    var engine: String?
    /// The pages that may hold widgets in frames, as policies write them.
    var frameAncestors = FrameAncestors.own.sources
    var channels = ChannelPolicy()
    var housekeeping = Housekeeper.Policy()
    /// The rights of clients, and the limits of their rates.
    var accessPolicy = AccessPolicy()
    /// The hosts whose reports are counted.
    var outcomes = OutcomePolicy()
    /// The rules for publishers and for bundles.
    var publishPolicy = PublishPolicy()
    /// The engine's bounds; `serverLimits` are those that hold.
    var server = ServerLimits()

    struct Access: Equatable, Sendable {
        var read = ReadAccess.open
    }

    /// The clients that may read: all, or those with a token.
    enum ReadAccess: String, CaseIterable, Sendable {
        case open = "public"
        case token
    }

    struct Log: Equatable, Sendable {
        var level = LogLevel.info
        /// `nil` chooses by whether a person is reading.
        var format: LogFormat?
        var logsRequests = true
        /// Independent of the level.
        var logsWrites = true
    }

    struct Shutdown: Equatable, Sendable {
        var delay = Duration.seconds(0)
        var grace = Duration.seconds(30)
    }

    /// The time for which the registry keeps withdrawn releases and old snapshots.
    struct Retention: Equatable, Sendable {
        fileprivate static let defaults = Registry.Options()

        var withdrawn = Duration.seconds(defaults.withdrawnSeconds)
        var snapshots = defaults.snapshotsKept
        var audit = Duration.seconds(defaults.auditSeconds)
        var snapshotChannels = defaults.snapshotChannels
        var rules: [RetentionRule] = []
        var rollbacks = RetentionPolicy.usualRollbacks
    }

    package init() {}

    package var contradictions: [(key: String, reason: SettingProblem.Reason)] {
        // Port 0 is a different free port each time.
        let twice = adminListen.filter { address in
            if case .tcp(_, port: 0) = address { false } else { listen.contains(address) }
        }
        let faults: [(key: String, reason: SettingProblem.Reason)] = twice.map {
            ("adminListen", .sameAddress($0.description))
        }
        return faults + [unusablePath].compactMap(\.self).map { ("publicURL", $0) }
            + [mixedAncestors].compactMap(\.self).map { ("pages.frameAncestors", $0) } + repeatedPrefixes
    }

    /// The fault of a list in which a word would be undone by the rest.
    private var mixedAncestors: SettingProblem.Reason? {
        guard frameAncestors.count > 1, let word = frameAncestors.first(where: { ["'none'", "*"].contains($0) }) else {
            return nil
        }
        return .wrongValue(
            key: "pages.frameAncestors", found: frameAncestors.joined(separator: ", "),
            expectation: "\(word) alone, or a list without it")
    }

    /// The fault of a public address whose path cannot come before those of the registry.
    private var unusablePath: SettingProblem.Reason? {
        guard let url = publishPolicy.publicURL else { return nil }
        guard let path = PublicAddress(url)?.path else {
            return .wrongValue(
                key: "publicURL", found: "\"\(url)\"", expectation: "a path of letters, digits and -._~ behind the host"
            )
        }
        guard let first = path.split(separator: "/").first.map(String.init),
            RegistryService.firstSegments.contains(first)
        else { return nil }
        return .wrongValue(
            key: "publicURL", found: "\"\(url)\"",
            expectation: "another path: /\(first) is one of the registry's pages itself")
    }
}

// MARK: Values that follow from several settings

extension Settings {
    var bundlePolicy: BundlePolicy { publishPolicy.bundles }

    /// The address at which clients reach the server, if it is set.
    var publicAddress: PublicAddress? { publishPolicy.publicURL.flatMap { PublicAddress($0) } }

    var serverLimits: ServerLimits {
        var limits = server
        // A refused upload is read to its end, so that its client sees the refusal.
        limits.lingerBytes = bundlePolicy.limits.archiveByteCount + (1 << 20)
        limits.publicAddress = publicAddress
        return limits
    }

    var housekeepingPolicy: Housekeeper.Policy {
        var policy = housekeeping
        policy.diskReserve = publishPolicy.diskReserve
        return policy
    }

    /// The registry's description of itself, with every limit under the name of its setting.
    var description: RegistryDescription {
        RegistryDescription(
            server: "widgetd/\(ProgramVersion.text)",
            limits: Settings.table.compactMap { setting in
                guard setting.path.hasPrefix(Settings.limitPrefix), let value = setting.number(in: self) else {
                    return nil
                }
                return (String(setting.path.dropFirst(Settings.limitPrefix.count)), value)
            },
            keptFiles: bundlePolicy.kept, isStrict: publishPolicy.isStrict,
            snapshotChannels: retention.snapshotChannels, protectedChannels: channels.protected,
            reads: access.read.rawValue, publicURL: publishPolicy.publicURL)
    }

    private static let limitPrefix = "limits."
}

// MARK: The table

extension Settings {
    /// The description of every setting: key, place, kind with range, and meaning.
    ///
    /// The help, `config/README.md`, `config/widgetd.json5` and the limits that the registry tells are made from it.
    /// "Reloadable" keys follow SIGHUP.
    package static let table: [Setting<Settings>] =
        networking + logging + bundlePolicies + drawing + upkeep + previewing + paging + reporting + bundleLimits
        + requestLimits
        + clientLimits

    private static let networking: [Setting<Settings>] = [
        Setting(
            "listen", \.listen, .addresses(atLeast: 1), flag: "listen", flagValue: "HOST:PORT",
            "Where to listen: HOST:PORT, [IPv6]:PORT or unix:/PATH; several are allowed, port 0 picks a free one."),
        Setting(
            "adminListen", \.adminListen, .addresses(atLeast: 0), flag: "admin-listen", flagValue: "HOST:PORT",
            "Where to serve metrics; nowhere by default."),
        Setting(
            "data", \.data, .path, flag: "data", flagValue: "DIR",
            "The directory that holds everything the server keeps."),
        Setting(
            "seed", \.seed, .optional(.path), flag: "seed", flagValue: "DIR",
            "A directory whose bundles are published at the first start."),
        Setting("workers", \.workers, .count(0...256), "How many event loops to run; 0 means one per processor core."),
        Setting(
            "publicURL", \.publishPolicy.publicURL, .optional(.url),
            "The URL under which clients reach the server; its path comes before all addresses of pages, and forms of pages there are taken."
        ),
        Setting(
            "proxy.trusted", \.server.trustedProxies, .addressRanges,
            "Proxies whose Forwarded, X-Forwarded-For and X-Forwarded-Proto headers are believed, as addresses or CIDR ranges."
        ),
        Setting(
            "access.read", \.access.read, .choice, isReloadable: true,
            "Who may read: everyone (public), or holders of a token with the read scope (token)."),
        Setting(
            "rateLimit", \.accessPolicy.isRateLimited, .toggle, isReloadable: true,
            "Whether writes and failed authentications are counted per address and refused past their limits."),
        Setting(
            "adminToken", \.accessPolicy.adminToken, .optional(.token, refusesEmptyText: true), isReloadable: true,
            isSecret: true,
            "A token with every right, instead of the one made at the first start."),
        Setting(
            "shutdown.delay", \.shutdown.delay, .duration(.seconds(0) ... .seconds(3_600)), isReloadable: true,
            "How long to keep accepting connections after SIGTERM, while /readyz already fails."),
        Setting(
            "shutdown.grace", \.shutdown.grace, .duration(.seconds(0) ... .seconds(3_600)), isReloadable: true,
            "How long requests in flight may take to finish after that."),
    ]

    private static let logging: [Setting<Settings>] = [
        Setting(
            "notify.fd", \.notifyDescriptor, .optional(.count(3...65_535)),
            "A descriptor that the program is started with, for the lines locked, ready ADDRESS, draining and stopped."),
        Setting("log.level", \.log.level, .logLevel, isReloadable: true, "The least important events that are logged."),
        Setting(
            "log.format", \.log.format, .logFormat, flag: "log-format", flagValue: "FORMAT",
            "How log lines are written; auto is text on a terminal, else JSON."),
        Setting("log.requests", \.log.logsRequests, .toggle, isReloadable: true, "Whether each request is logged."),
        Setting(
            "log.writes", \.log.logsWrites, .toggle, isReloadable: true,
            "Whether each write leaves a line for the audit, whatever the level."),
    ]

    private static let bundlePolicies: [Setting<Settings>] = [
        Setting(
            "policy.kept", \.publishPolicy.bundles.kept, .patterns, isReloadable: true,
            "The files a bundle may keep, by the ends of their paths; everything else is stripped, and code always."),
        Setting(
            "policy.strict", \.publishPolicy.isStrict, .toggle, isReloadable: true,
            "Whether publishing refuses what it would strip or warn about, when the publisher does not say."),
        Setting(
            "policy.reviewsScreens", \.publishPolicy.reviewsScreens, .toggle, isReloadable: true,
            "Whether screens are looked at: findings about contrast, names of controls and text that would be cut off, and stills for pages."
        ),
        Setting(
            "policy.protectedChannels", \.channels.protected, .channels, isReloadable: true,
            "The channels that only tokens with the scope promote move, but for the first release of a bundle."),
    ]

    private static let drawing: [Setting<Settings>] = [
        Setting(
            "stills.sizes", \.publishPolicy.stills.sizes, .choices(), isReloadable: true,
            "The devices that stills of screens are made for when a bundle is published. Of all these lists, what is named last "
                + "is left out first."),
        Setting(
            "stills.schemes", \.publishPolicy.stills.schemes, .choices(), isReloadable: true,
            "The schemes of stills. With both, a still follows its reader's system and costs no more than one."),
        Setting(
            "stills.directions", \.publishPolicy.stills.directions, .choices(), isReloadable: true,
            "The directions that stills are laid out in."),
        Setting(
            "stills.locales", \.publishPolicy.stills.locales, .locales(atMost: StillPlan.mostLocales),
            isReloadable: true,
            "The languages of stills, as de_AT; own is the one that the bundle is written in."),
        Setting(
            "stills.bytesPerRelease", \.publishPolicy.stills.byteCount, .size(StillPlan.byteCounts), isReloadable: true,
            "The most bytes of all stills of a release, with their sheets and pictures."),
    ]

    private static let upkeep: [Setting<Settings>] = [
        Setting(
            "retention.withdrawn", \.retention.withdrawn, .duration(.seconds(0) ... .seconds(10_000 * 86_400)),
            "How long a withdrawn release can be restored; then gc removes its files."),
        Setting(
            "retention.audit", \.retention.audit, .duration(.seconds(86_400) ... .seconds(10_000 * 86_400)),
            "How long records of accepted acts are kept; then gc removes them."),
        Setting(
            "retention.snapshots", \.retention.snapshots, .count(1...100_000),
            "How many releases a snapshot channel keeps; gc retires those before, unless something shows them."),
        Setting(
            "retention.snapshotChannels", \.retention.snapshotChannels, .channels,
            "The channels whose releases are snapshots: their keys hold the content's digest, so that versions need not rise."
        ),
        Setting(
            "retention.rules", \.retention.rules, .retentionRules, isReloadable: true,
            "What is kept of the bundles of a prefix, besides what channels need: the last so many releases of each bundle, and "
                + "what is younger than an age. The rest expires. The longest prefix counts; without a rule all stays."),
        Setting(
            "retention.rollbacks", \.retention.rollbacks, .count(0...1_000), isReloadable: true,
            "How many releases stay for each channel besides those that it shows, where rules let releases expire: the last "
                + "that it showed, and those to which rollbacks lead."),
        Setting(
            "quota.rules", \.quotas, .quotaRules, isReloadable: true,
            "The most that the bundles of a prefix take up together: bytes of archives, stored releases, publications within a "
                + "day. A bundle counts for every prefix that covers it."),
        Setting(
            "housekeeping.collectEvery", \.housekeeping.collectEvery, .duration(.seconds(0) ... .seconds(366 * 86_400)),
            isReloadable: true, "How often gc runs by itself; 0 means never."),
        Setting(
            "housekeeping.grace", \.housekeeping.grace, .duration(.seconds(0) ... .seconds(366 * 86_400)),
            isReloadable: true, "How old a file that nothing refers to must be for gc to remove it."),
        Setting(
            "housekeeping.scrubEvery", \.housekeeping.scrubEvery, .duration(.seconds(0) ... .seconds(366 * 86_400)),
            isReloadable: true, "How often every archive is read and compared with its digest; 0 means never."),
        Setting(
            "housekeeping.scrubRate", \.housekeeping.scrubRate, .size((64 << 10)...(64 << 30)), isReloadable: true,
            "The most bytes a second that scrub reads."),
    ]

    /// The settings about what hosts report.
    private static let reporting: [Setting<Settings>] = [
        Setting(
            "outcomes.accept", \.outcomes.accepts, .choice, isReloadable: true,
            "The hosts whose reports are counted, of releases that were installed, started, confirmed or failed: none (off), "
                + "all (open), or holders of a token with the read scope (token)."),
        Setting(
            "outcomes.perAddress", \.outcomes.perAddress, .count(1...1_000_000), isReloadable: true,
            "The most outcomes that are counted of one address in a minute; further ones are dropped."),
        Setting(
            "outcomes.perRelease", \.outcomes.perRelease, .count(1...10_000_000), isReloadable: true,
            "The most outcomes that are counted of one release in a minute, by each server."),
        Setting(
            "outcomes.inAll", \.outcomes.inAll, .count(1...10_000_000), isReloadable: true,
            "The most outcomes that are counted of all hosts in a minute, by each server."),
    ]

    private static let paging: [Setting<Settings>] = [
        Setting(
            "pages.engine", \.engine, .optional(.path), flag: "engine", flagValue: "FILE",
            "The engine as WebAssembly, with which browsers run widgets; else engine.wasm beside the program. One of another "
                + "revision is not used."),
        Setting(
            "pages.frameAncestors", \.frameAncestors, .frameAncestors, isReloadable: true,
            "The pages that may hold a widget in a frame, by /embed/ID: self for those of this registry, none, * for all, or "
                + "origins such as https://app.example and https://*.app.example."),
    ]

    private static let previewing: [Setting<Settings>] = [
        Setting(
            "preview.enabled", \.runsWidgets, .toggle,
            "Whether the registry's pages run widgets, in the browsers of their readers; without, they show stills.")
    ]

    package static let removed = ["viewings", "viewingsPerAddress", "viewingsPerCell", "cells"].map {
        RemovedSetting(
            "preview.\($0)", until: "0.4",
            "Widgets of the registry's pages run in browsers, and take nothing of the server.")
    }

    private static let bundleLimits: [Setting<Settings>] = [
        Setting(
            "limits.upload", \.publishPolicy.bundles.limits.archiveByteCount, .size((1 << 10)...(4 << 30)),
            isReloadable: true,
            "The most bytes of an uploaded archive."),
        Setting(
            "limits.expanded", \.publishPolicy.bundles.limits.expandedByteCount, .size((1 << 10)...(64 << 30)),
            isReloadable: true,
            "The most bytes of all files of an archive together, expanded."),
        Setting(
            "limits.file", \.publishPolicy.bundles.limits.fileByteCount, .size((1 << 10)...(4 << 30)),
            isReloadable: true,
            "The most bytes of one file of an archive, expanded."),
        Setting(
            "limits.entries", \.publishPolicy.bundles.limits.entryCount, .count(1...1_000_000), isReloadable: true,
            "The most entries of an archive."),
        Setting(
            "limits.pathDepth", \.publishPolicy.bundles.limits.pathDepth, .count(1...64), isReloadable: true,
            "The most parts of a path in an archive."),
        Setting(
            "limits.pathLength", \.publishPolicy.bundles.limits.pathByteCount, .size(16...4_096), isReloadable: true,
            "The most bytes of a path in an archive."),
        Setting(
            "limits.parsedFile", \.publishPolicy.bundles.limits.parsedByteCount, .size((1 << 10)...(64 << 20)),
            isReloadable: true,
            "The most bytes of a file that is read for meaning: JSON, property list, strings, nib, model."),
        Setting(
            "limits.ratio", \.publishPolicy.bundles.limits.ratio, .count(2...10_000), isReloadable: true,
            "How many times larger an entry over 1 MiB may be expanded than compressed."),
        Setting(
            "limits.pixels", \.publishPolicy.bundles.limits.pixelCount, .count(1...(1 << 30)), isReloadable: true,
            "The most pixels of one image."),
    ]

    private static let requestLimits: [Setting<Settings>] = [
        Setting(
            "limits.requestLine", \.server.head.requestLine, .size(256...(64 << 10)), isReloadable: true,
            "The most bytes of a request line."),
        Setting(
            "limits.header", \.server.head.field, .size(256...(64 << 10)), isReloadable: true,
            "The most bytes of one header field."),
        Setting(
            "limits.headers", \.server.head.fields, .size((1 << 10)...(256 << 10)), isReloadable: true,
            "The most bytes of all header fields together."),
        Setting(
            "limits.headerCount", \.server.head.fieldCount, .count(8...1_000), isReloadable: true,
            "The most header fields of a request."),
    ]

    private static let clientLimits: [Setting<Settings>] = [
        Setting(
            "limits.headTimeout", \.server.headTimeout, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "How long a request head may take to arrive."),
        Setting(
            "limits.bodyRate", \.server.bodyRate, .size(1...(1 << 30)), isReloadable: true,
            "The least bytes per second at which a body must move, in either direction."),
        Setting(
            "limits.rateWindow", \.server.rateWindow, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "The time over which that rate is averaged."),
        Setting(
            "limits.idleTimeout", \.server.idleTimeout, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "How long a connection may wait for its next request."),
        Setting(
            "limits.writesPerMinute", \.accessPolicy.writesPerMinute, .count(1...1_000_000), isReloadable: true,
            "The most writes per address and minute."),
        Setting(
            "limits.failedAuthenticationsPerMinute", \.accessPolicy.failuresPerMinute, .count(1...1_000_000),
            isReloadable: true, "The most failed authentications per address and minute."),
        Setting(
            "limits.diskReserve", \.publishPolicy.diskReserve, .size(0...(1 << 40)), isReloadable: true,
            "The least bytes of disk to leave free; uploads are refused below it."),
        Setting(
            "limits.connections", \.server.connections, .count(1...1_048_576), isReloadable: true,
            "The most open connections; lowered to what the descriptor limit allows."),
        Setting(
            "limits.connectionsPerAddress", \.server.connectionsPerAddress, .count(1...1_048_576), isReloadable: true,
            "The most open connections of one address; loopback and trusted proxies are exempt."),
        Setting(
            "limits.concurrentUploads", \.publishPolicy.concurrentUploads, .count(1...4_096), isReloadable: true,
            "The most uploads at the same time; further ones are asked to come back."),
        Setting(
            "limits.channels", \.channels.limit, .count(1...100_000), isReloadable: true,
            "The most channels of one bundle."),
        Setting(
            "limits.publisherChannels", \.channels.publisherLimit, .count(0...100_000), isReloadable: true,
            "How many channels a bundle has when publishing makes no further one without the scope promote."),
    ]
}

/// The settings in force, replaced as a whole by a reload.
final class CurrentSettings: Sendable {
    private let box: Guarded<Settings>
    /// True when reading needs a token. Separate from the other settings, because every read asks for it.
    private let isReadingClosed: Atomic<Bool>

    init(_ settings: Settings) {
        box = Guarded(settings)
        isReadingClosed = Atomic(settings.access.read == .token)
    }

    var value: Settings {
        get { box.withLock { $0 } }
        set {
            box.withLock { $0 = newValue }
            isReadingClosed.store(newValue.access.read == .token, ordering: .releasing)
        }
    }

    var closesReads: Bool { isReadingClosed.load(ordering: .acquiring) }
}

extension Settings {
    /// The listeners on which tokens would cross a network as they are: neither this server nor, by these settings, a proxy
    /// in front of it speaks TLS.
    func plainListeners(among endpoints: [Endpoint]) -> [Endpoint] {
        let isBehindTLS = publishPolicy.publicURL?.hasPrefix("https://") == true && !server.trustedProxies.isEmpty
        guard !isBehindTLS else { return [] }
        return endpoints.filter { endpoint in
            switch endpoint {
            case .ip(let address, _): !address.isLoopback
            case .unix: false
            }
        }
    }
}
