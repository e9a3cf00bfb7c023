extension Setting {
    /// The table of settings: key, place, kind with range, and meaning; defaults stand in `Settings`.
    ///
    /// The help, `config/README.md` and `config/widgetd.json5` are made from it. "Reloadable" keys follow SIGHUP.
    package static let all: [Setting] =
        server + logging + bundlePolicy + housekeeping + bundleLimits + requestLimits + clientLimits

    private static let server: [Setting] = [
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
            "publicURL", \.publicURL, .optional(.url),
            "The URL under which clients reach the server, for absolute links."),
        Setting(
            "proxy.trusted", \.proxy.trusted, .addressRanges,
            "Proxies whose Forwarded and X-Forwarded-For headers are believed, as addresses or CIDR ranges."),
        Setting(
            "access.read", \.access.read, .choice, isReloadable: true,
            "Who may read: everyone (public), or holders of a token with the read scope (token)."),
        Setting(
            "rateLimit", \.isRateLimited, .toggle, isReloadable: true,
            "Whether writes and failed authentications are counted per address and refused past their limits."),
        Setting(
            "adminToken", \.adminToken, .optional(.token, refusesEmptyText: true), isReloadable: true, isSecret: true,
            "A token with every right, instead of the one made at the first start."),
        Setting(
            "shutdown.delay", \.shutdown.delay, .duration(.seconds(0) ... .seconds(3_600)), isReloadable: true,
            "How long to keep accepting connections after SIGTERM, while /readyz already fails."),
        Setting(
            "shutdown.grace", \.shutdown.grace, .duration(.seconds(0) ... .seconds(3_600)), isReloadable: true,
            "How long requests in flight may take to finish after that."),
    ]

    private static let logging: [Setting] = [
        Setting("log.level", \.log.level, .logLevel, isReloadable: true, "The least important events that are logged."),
        Setting(
            "log.format", \.log.format, .logFormat, flag: "log-format", flagValue: "FORMAT",
            "How log lines are written; auto is text on a terminal, else JSON."),
        Setting("log.requests", \.log.logsRequests, .toggle, isReloadable: true, "Whether each request is logged."),
        Setting(
            "log.writes", \.log.logsWrites, .toggle, isReloadable: true,
            "Whether each write leaves a line for the audit, whatever the level."),
    ]

    private static let bundlePolicy: [Setting] = [
        Setting(
            "policy.kept", \.policy.kept, .patterns, isReloadable: true,
            "The files a bundle may keep, by the ends of their paths; everything else is stripped, and code always."),
        Setting(
            "policy.strict", \.policy.isStrict, .toggle, isReloadable: true,
            "Whether publishing refuses what it would strip or warn about, when the publisher does not say."),
    ]

    private static let housekeeping: [Setting] = [
        Setting(
            "retention.withdrawn", \.retention.withdrawn, .duration(.seconds(0) ... .seconds(10_000 * 86_400)),
            "How long a withdrawn release can be restored; then gc removes its files."),
        Setting(
            "retention.snapshots", \.retention.snapshots, .count(1...100_000),
            "How many releases a snapshot channel keeps; gc retires those before, unless something shows them."),
        Setting(
            "retention.snapshotChannels", \.retention.snapshotChannels, .channels,
            "The channels whose releases are snapshots: their keys hold the content's digest, so that versions need not rise."
        ),
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

    private static let bundleLimits: [Setting] = [
        Setting(
            "limits.upload", \.limits.upload, .size((1 << 10)...(4 << 30)), isReloadable: true,
            "The most bytes of an uploaded archive."),
        Setting(
            "limits.expanded", \.limits.expanded, .size((1 << 10)...(64 << 30)), isReloadable: true,
            "The most bytes of all files of an archive together, expanded."),
        Setting(
            "limits.file", \.limits.file, .size((1 << 10)...(4 << 30)), isReloadable: true,
            "The most bytes of one file of an archive, expanded."),
        Setting(
            "limits.entries", \.limits.entries, .count(1...1_000_000), isReloadable: true,
            "The most entries of an archive."),
        Setting(
            "limits.pathDepth", \.limits.pathDepth, .count(1...64), isReloadable: true,
            "The most parts of a path in an archive."),
        Setting(
            "limits.pathLength", \.limits.pathLength, .size(16...4_096), isReloadable: true,
            "The most bytes of a path in an archive."),
        Setting(
            "limits.parsedFile", \.limits.parsedFile, .size((1 << 10)...(64 << 20)), isReloadable: true,
            "The most bytes of a file that is read for meaning: JSON, property list, strings, nib, model."),
        Setting(
            "limits.ratio", \.limits.ratio, .count(2...10_000), isReloadable: true,
            "How many times larger an entry over 1 MiB may be expanded than compressed."),
        Setting(
            "limits.pixels", \.limits.pixels, .count(1...(1 << 30)), isReloadable: true,
            "The most pixels of one image."),
    ]

    private static let requestLimits: [Setting] = [
        Setting(
            "limits.requestLine", \.limits.requestLine, .size(256...(64 << 10)), isReloadable: true,
            "The most bytes of a request line."),
        Setting(
            "limits.header", \.limits.header, .size(256...(64 << 10)), isReloadable: true,
            "The most bytes of one header field."),
        Setting(
            "limits.headers", \.limits.headers, .size((1 << 10)...(256 << 10)), isReloadable: true,
            "The most bytes of all header fields together."),
        Setting(
            "limits.headerCount", \.limits.headerCount, .count(8...1_000), isReloadable: true,
            "The most header fields of a request."),
    ]

    private static let clientLimits: [Setting] = [
        Setting(
            "limits.headTimeout", \.limits.headTimeout, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "How long a request head may take to arrive."),
        Setting(
            "limits.bodyRate", \.limits.bodyRate, .size(1...(1 << 30)), isReloadable: true,
            "The least bytes per second at which a body must move, in either direction."),
        Setting(
            "limits.rateWindow", \.limits.rateWindow, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "The time over which that rate is averaged."),
        Setting(
            "limits.idleTimeout", \.limits.idleTimeout, .duration(.seconds(1) ... .seconds(3_600)), isReloadable: true,
            "How long a connection may wait for its next request."),
        Setting(
            "limits.writesPerMinute", \.limits.writesPerMinute, .count(1...1_000_000), isReloadable: true,
            "The most writes per address and minute."),
        Setting(
            "limits.failedAuthenticationsPerMinute", \.limits.failedAuthenticationsPerMinute, .count(1...1_000_000),
            isReloadable: true, "The most failed authentications per address and minute."),
        Setting(
            "limits.diskReserve", \.limits.diskReserve, .size(0...(1 << 40)), isReloadable: true,
            "The least bytes of disk to leave free; uploads are refused below it."),
        Setting(
            "limits.connections", \.limits.connections, .count(1...1_048_576), isReloadable: true,
            "The most open connections; lowered to what the descriptor limit allows."),
        Setting(
            "limits.connectionsPerAddress", \.limits.connectionsPerAddress, .count(1...1_048_576), isReloadable: true,
            "The most open connections of one address; loopback and trusted proxies are exempt."),
        Setting(
            "limits.concurrentUploads", \.limits.concurrentUploads, .count(1...4_096), isReloadable: true,
            "The most uploads at the same time; further ones are asked to come back."),
        Setting(
            "limits.channels", \.limits.channels, .count(1...100_000), isReloadable: true,
            "The most channels of one bundle."),
    ]
}
