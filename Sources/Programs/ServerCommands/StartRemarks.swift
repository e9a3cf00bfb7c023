import LocalStore
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetFiles
import WidgetHosting
import WidgetLogging
import WidgetRegistry
import WidgetSockets

/// Lines of the log about a start, for an operator to look at.
enum StartRemarks {
    /// - Parameter obstacle: the error of a full disk.
    static func fullDisk(_ obstacle: FileError, _ settings: Settings, _ logger: Logger) {
        logger.log(
            .error, "disk.full",
            "nothing can be written: reads are served, and writes are refused with 507 until there is room",
            [
                LogField("data", settings.data), LogField("reason", obstacle.reason),
                LogField("hint", "make room on its disk, or raise its quota; no restart is needed"),
            ])
    }

    /// A disk on which uploads find too little room.
    static func lowDisk(_ settings: Settings, _ logger: Logger) {
        let reserve = settings.publishPolicy.diskReserve
        guard let shortage = DataDirectory.shortage(settings.data, reserve: reserve) else { return }
        logger.log(
            .warning, "disk.low", "publishing and making tokens are refused with 507 until there is more room",
            [
                LogField("data", settings.data), LogField("reason", shortage),
                LogField("hint", "make room on its disk, or lower limits.diskReserve; no restart is needed"),
            ])
    }

    /// The same of the disk on which a shared store is.
    static func lowStore(_ registry: Registry, _ settings: Settings, _ logger: Logger) {
        let reserve = settings.publishPolicy.diskReserve
        guard DataDirectory.shortage(settings.data, reserve: reserve) == nil,
            let free = try? registry.availableByteCount, free < reserve
        else { return }
        logger.log(
            .warning, "disk.low", "publishing is refused with 507 until there is more room where archives are kept",
            [LogField("free", free), LogField("reserve", reserve)])
    }

    static func foreignOwner(_ settings: Settings, _ logger: Logger) {
        guard let owner = DataDirectory.foreignOwner(settings.data) else { return }
        logger.log(
            .warning, "data.owner",
            "the server runs as root and the data directory belongs to another, who will not be able to run it",
            [LogField("data", settings.data), LogField("owner", Int(owner.user))])
    }

    /// A catalog that came without its archives.
    static func missingArchives(_ registry: Registry, _ settings: Settings, _ logger: Logger) {
        guard (try? registry.hasArchives) == false, let bundles = try? registry.bundles(BundleQuery(limit: 1)),
            !bundles.items.isEmpty
        else { return }
        logger.log(
            .error, "archives.gone",
            "the catalog has releases, and there is not one archive: restore a backup, or publish the bundles again",
            [LogField("data", settings.data)])
    }

    /// A catalog of an earlier version, before it is changed: that can take minutes where there are very many releases.
    static func upgrade(_ settings: Settings, _ logger: Logger) -> CatalogUpgrade? {
        guard let upgrade = CatalogUpgrade(at: settings.data) else { return nil }
        logger.log(
            .notice, "catalog.upgrading", "the tables of the catalog are changed; nothing is served until that is done",
            [
                LogField("from", Int(clamping: upgrade.from)), LogField("to", Int(clamping: upgrade.to)),
                LogField("bytes", upgrade.byteCount),
            ])
        return upgrade
    }

    static func upgraded(_ upgrade: CatalogUpgrade?, _ logger: Logger) {
        guard let upgrade else { return }
        logger.log(.notice, "catalog.upgraded", "the catalog is of version \(upgrade.to)")
    }

    /// A database whose tables are to be changed, or whose indexes are not finished.
    static func opening(_ remark: OpeningRemark, _ logger: Logger) {
        switch remark {
        case .waiting(let seconds, let reason):
            logger.log(
                .warning, "catalog.waiting",
                "a transaction holds tables that are to be changed: nothing is served here until it has ended",
                [
                    LogField("seconds", seconds), LogField("reason", reason),
                    LogField("hint", "pg_stat_activity shows long questions and copies of the database"),
                ])
        case .unfinished(let indexes, let reason):
            logger.log(
                .warning, "catalog.indexes", "questions take longer until the next start makes these indexes",
                [LogField("indexes", indexes.joined(separator: " ")), LogField("reason", reason)])
        }
    }

    /// The engine that browsers run, which a server can do without.
    static func engine(_ finding: EngineFile.Finding, _ logger: Logger) {
        switch finding {
        case .found(let file):
            logger.log(.info, "engine.found", "", [LogField("path", file.path), LogField("digest", file.digest.hex)])
        case .missing:
            logger.log(
                .notice, "engine.missing", "browsers get no engine, and pages show stills",
                [LogField("hint", "make wasm builds engine.wasm, and pages.engine names it")])
        case .unusable(let path, let reason):
            logger.log(
                .warning, "engine.unusable",
                "the engine is not used, and pages show stills",
                [
                    LogField("path", path), LogField("reason", reason),
                    LogField("hint", "make wasm builds one of this program's revision"),
                ])
        }
    }

    /// Keys of earlier versions, which this one ignores.
    static func removedSettings(_ loaded: LoadedSettings<Settings>, _ logger: Logger) {
        for use in loaded.removed { logger.log(.warning, "setting.removed", use.text) }
    }

    /// Widgets that pages of any origin may hold.
    static func anyAncestor(_ settings: Settings, _ logger: Logger) {
        guard FrameAncestors(settings.frameAncestors).areAll else { return }
        logger.log(
            .warning, "frames.any", "every page of the internet may hold the widgets of this registry in a frame",
            [LogField("hint", "name the origins of your own pages in pages.frameAncestors")])
    }

    static func missingToken(_ welcome: Welcome, _ settings: Settings, _ logger: Logger) {
        guard welcome.token == .missing, settings.mirror == nil else { return }
        logger.log(
            .warning, "tokens.none", "publishing and administration are impossible: no token is valid",
            [LogField("hint", Welcome.makingToken(settings.data))])
    }

    static func plainListeners(_ endpoints: [Endpoint], _ settings: Settings, _ logger: Logger) {
        let plain = settings.plainListeners(among: endpoints)
        guard !plain.isEmpty else { return }
        logger.log(
            .warning, "listen.plain", "tokens and bundles cross the network unencrypted",
            [
                LogField("listen", plain.map(\.description).joined(separator: " ")),
                LogField(
                    "hint",
                    "put a proxy with TLS in front, and set publicURL to its https:// address and proxy.trusted to its own; "
                        + "or listen on 127.0.0.1"),
            ])
    }
}
