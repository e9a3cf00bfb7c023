import ServerCommands
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetLogging

/// The choices of an operator of replicas: those of a server, and where replicas keep what they share.
struct ClusterSettings: ConfigurableSettings {
    var base = Settings()
    var catalog = Catalog()
    var blobs = Blobs()
    var reads = Reads()
    var mirror = Mirror()

    struct Catalog: Equatable, Sendable {
        var url: String?
        var password: Secret?
        var connections = 4
    }

    struct Blobs: Equatable, Sendable {
        var url: String?
        var key: Secret?
        var cacheByteLimit = 4 << 30
        var redirects = false
    }

    struct Reads: Equatable, Sendable {
        var staleFor = Duration.seconds(600)
    }

    /// The registry that this one shows.
    struct Mirror: Equatable, Sendable {
        var url: String?
        var prefixes: [String] = []
        var token: Secret?
        var interval = Duration.seconds(1)
    }

    init() {}

    var contradictions: [(key: String, reason: SettingProblem.Reason)] {
        guard mirror.url != nil else { return base.contradictions }
        // A mirror is one process with a directory, and is changed only at its origin.
        let others = [("catalog.url", catalog.url), ("blobs.url", blobs.url), ("seed", base.seed)]
            .filter { $0.1 != nil }
        return base.contradictions + others.map { ($0.0, .excludedBy("mirror.url")) }
    }

    static let removed = Settings.removed

    static let table: [Setting<ClusterSettings>] = own + Settings.table.map { Setting($0, within: \.base) }

    /// Those that a server with one directory does not have.
    static let own: [Setting<ClusterSettings>] =
        [
            Setting(
                "catalog.url", \.catalog.url, .optional(.serviceURL), flag: "catalog", flagValue: "URL",
                "The database that replicas share: postgres://USER@HOST:PORT/NAME?sslrootcert=/PATH, without a password."
            ),
            Setting(
                "catalog.password", \.catalog.password, .optional(.password, refusesEmptyText: true), isSecret: true,
                "The password of the database's user."),
            Setting(
                "catalog.connections", \.catalog.connections, .count(1...64),
                "How many connections for reading are kept open."),
            Setting(
                "blobs.url", \.blobs.url, .optional(.serviceURL), flag: "blobs", flagValue: "URL",
                "Where archives are kept: s3://BUCKET/PREFIX?endpoint=URL&region=NAME, or file:///PATH of a folder that all replicas see."
            ),
            Setting(
                "blobs.key", \.blobs.key, .optional(.password, refusesEmptyText: true), isSecret: true,
                "The key of the store, as lines of AWS's own tools: aws_access_key_id = … and aws_secret_access_key = …; without it AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY count."
            ),
            Setting(
                "blobs.cacheSize", \.blobs.cacheByteLimit, .size((1 << 20)...(1 << 50)),
                "The most bytes of copies of archives that this replica keeps of a store."),
            Setting(
                "blobs.redirects", \.blobs.redirects, .toggle,
                "Whether clients are sent to the store for whole archives, which they then have to reach."),
            Setting(
                "reads.staleFor", \.reads.staleFor, .duration(.seconds(1) ... .seconds(86_400)),
                "How long answers from memory are given while the database cannot be asked."),
        ] + mirroring

    private static let mirroring: [Setting<ClusterSettings>] = [
        Setting(
            "mirror.url", \.mirror.url, .optional(.url), flag: "mirror", flagValue: "URL",
            "The registry of which this one is a mirror: it shows the same in --data, and is changed only there."),
        Setting(
            "mirror.prefixes", \.mirror.prefixes, .prefixes,
            "The bundles to mirror, as identifiers or what they begin with before a dot; all by default."),
        Setting(
            "mirror.token", \.mirror.token, .optional(.token, refusesEmptyText: true), isSecret: true,
            "A token for reading, if that registry wants one."),
        Setting(
            "mirror.interval", \.mirror.interval, .duration(.milliseconds(100) ... .seconds(3_600)),
            "How often that registry is asked for changes."),
    ]

    /// The settings for the common commands, with the storage that these say.
    func server() -> Settings {
        var settings = base
        if let url = mirror.url {
            settings.mirror = MirrorChoice(url) {
                [mirror] registry, data, logger, world, policy throws(MirrorRefusal) in
                try mirror.follower(registry, data, logger, world, policy)
            }
        } else {
            settings.storage = ClusterStorage(self).choice
        }
        return settings
    }
}
