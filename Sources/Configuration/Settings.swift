package import Addresses
package import Logging

/// Everything about the server that can be chosen, with every default.
///
/// A plain value: it is filled by `Settings.load`, and what each property means, how it is written and which
/// values it takes stands in one table, `Setting.all`.
package struct Settings: Equatable, Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8_080)]
    package var adminListen: [ListenAddress] = []
    package var data = "./data"
    package var seed: String?
    package var workers = 0
    package var publicURL: String?
    package var proxy = Proxy()
    package var access = Access()
    package var isRateLimited = true
    package var adminToken: Secret?
    package var log = Log()
    package var shutdown = Shutdown()
    package var policy = Policy()
    package var retention = Retention()
    package var housekeeping = Housekeeping()
    package var limits = Limits()

    package init() {}

    package struct Proxy: Equatable, Sendable {
        package var trusted: [AddressRange] = []
    }

    package struct Access: Equatable, Sendable {
        package var read = ReadAccess.open
    }

    /// Who may read.
    package enum ReadAccess: String, CaseIterable, Sendable {
        case open = "public"
        case token
    }

    package struct Log: Equatable, Sendable {
        package var level = LogLevel.info
        /// `nil` chooses by whether a person is reading.
        package var format: LogFormat?
        package var logsRequests = true
        /// Whatever the level.
        package var logsWrites = true
    }

    /// How long what was taken out of sight is kept.
    package struct Retention: Equatable, Sendable {
        package var withdrawn = Duration.seconds(30 * 86_400)
        package var snapshots = 20
        package var snapshotChannels = ["dev"]
    }

    /// What the server does by itself to stay well.
    package struct Housekeeping: Equatable, Sendable {
        package var collectEvery = Duration.seconds(86_400)
        package var grace = Duration.seconds(3_600)
        package var scrubEvery = Duration.seconds(7 * 86_400)
        package var scrubRate = 16 << 20
    }

    package struct Shutdown: Equatable, Sendable {
        package var delay = Duration.seconds(0)
        package var grace = Duration.seconds(30)
    }
}
