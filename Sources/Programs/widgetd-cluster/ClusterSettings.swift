import Bytes
import Configuration
import Console
import Logging
import ServerCommands

/// The choices of an operator of replicas: those of a server, and where replicas keep what they share.
struct ClusterSettings: ConfigurableSettings {
    var base = Settings()
    var catalog = Catalog()
    var blobs = Blobs()
    var reads = Reads()

    struct Catalog: Equatable, Sendable {
        var url: String?
        var password: Secret?
        var connections = 4
    }

    struct Blobs: Equatable, Sendable {
        var url: String?
        var key: Secret?
        var cacheByteLimit = 4 << 30
    }

    struct Reads: Equatable, Sendable {
        var staleFor = Duration.seconds(600)
    }

    init() {}

    var contradictions: [(key: String, reason: SettingProblem.Reason)] { base.contradictions }

    static let table: [Setting<ClusterSettings>] = own + Settings.table.map { Setting($0, within: \.base) }

    /// Those that a server with one directory does not have.
    static let own: [Setting<ClusterSettings>] = [
        Setting(
            "catalog.url", \.catalog.url, .optional(.serviceURL), flag: "catalog", flagValue: "URL",
            "The database that replicas share: postgres://USER@HOST:PORT/NAME?sslrootcert=/PATH, without a password."),
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
            "reads.staleFor", \.reads.staleFor, .duration(.seconds(1) ... .seconds(86_400)),
            "How long answers from memory are given while the database cannot be asked."),
    ]

    /// The settings for the common commands, with the storage that these say.
    func server() -> Settings {
        var settings = base
        settings.storage = ClusterStorage(self).choice
        return settings
    }
}
