import LocalStore
import RegistryServer
import WidgetBundles
internal import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetIntake
import WidgetLogging
import WidgetRegistry

/// The first start of a server, done once: it makes a token for its owner, and publishes the bundles of the seed.
enum FirstStart {
    /// The token's name, which also signs publications at the first start.
    private static let adminName = "admin"

    /// - Parameter now: seconds since 1970.
    /// - Returns: the token that was made; `nil` when this is not a first start, or the settings have a token.
    static func run(
        _ registry: Registry, _ settings: Settings, _ review: ScreenReview, _ logger: Logger, now: Int64
    ) throws(StartFailure) -> Secret? {
        // A mirror is administered at its origin.
        guard settings.mirror == nil else { return nil }
        var token: Secret?
        do throws(RegistryError) {
            guard try registry.isEmpty else { return nil }
        } catch {
            throw StartFailure(error, data: settings.data)
        }
        if let seed = settings.seed { try Seeding.check(seed) }
        try rethrowing(as: { StartFailure($0, data: settings.data) }) { () throws(RegistryError) in
            // The token first: without it the registry could not be administered. Bundles can be published again.
            if settings.accessPolicy.adminToken == nil { token = try makeAdminToken(registry, settings.data, now) }
        }
        if let seed = settings.seed {
            try Seeding(registry: registry, settings: settings, review: review, logger: logger).publish(seed)
        }
        return token
    }

    private static func makeAdminToken(
        _ registry: Registry, _ data: String, _ now: Int64
    ) throws(RegistryError) -> Secret? {
        let secret = TokenText.make()
        guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
        // On the disk before it is valid: in the other order, a crash would leave a valid token whose secret is lost.
        try StoreDirectory.storeAdminToken(Array("\(secret.exposedText)\n".utf8), at: data)
        do throws(RegistryError) {
            try registry.createToken(
                Token(name: adminName, prefix: "", scopes: [.admin], created: now), digest: digest,
                by: "owner")
        } catch .tokenExists {
            // Another replica has made it a moment ago.
            try StoreDirectory.removeAdminToken(at: data)
            return nil
        }
        return secret
    }
}

/// Publishes the bundles of a folder: archives, bundle folders, sources, and folders that hold an archive or a bundle.
///
/// A bundle that is refused is named in the log, and does not keep the server from starting. So is a package of Swift,
/// which is skipped: its program would have to be built and run here.
struct Seeding {
    let registry: Registry
    let settings: Settings
    let review: ScreenReview
    let logger: Logger

    /// Signs what is published.
    private static let author = "seed"
    /// More than this in one folder is not a folder of bundles.
    private static let itemLimit = 1_000

    /// Sees that there is such a folder, before a start makes anything.
    static func check(_ path: String) throws(StartFailure) {
        _ = try rethrowing(as: { unreadable(path, $0, .misuse) }) { () throws(FileError) in
            try items(Directory(opening: path))
        }
    }

    func publish(_ path: String) throws(StartFailure) {
        try rethrowing(as: { Seeding.unreadable(path, $0, .failed) }) { () throws(FileError) in
            let folder = try Directory(opening: path)
            for item in try Seeding.items(folder) { try publish(item, in: folder) }
        }
    }

    private static func unreadable(_ path: String, _ error: FileError, _ code: ExitCode) -> StartFailure {
        StartFailure(
            "the bundles of \(path) cannot be read: \(error.reason)",
            hints: ["name a directory of bundles with --seed DIR, or leave it out"], code: code)
    }

    private static func items(_ folder: borrowing Directory) throws(FileError) -> [Directory.Item] {
        try folder.items(limit: Seeding.itemLimit) ?? []
    }

    private func publish(_ item: Directory.Item, in folder: borrowing Directory) throws(FileError) {
        let path = "\(folder.path)/\(item.name)"
        if Seeding.isBundle(item) {
            try publish(item.name) { () throws(SourceError) in try BundleSource(opening: path) }
        } else if item.status.kind == .directory {
            let inner = try folder.openDirectory(item.name)
            let items = try Seeding.items(inner)
            if items.contains(where: { $0.status.kind == .file && $0.name == "Info.plist" }) {
                // A folder with a property list is the source of a bundle.
                return try publish(item.name) { () throws(SourceError) in
                    try BundleSource(compiling: path, in: settings.data)
                }
            }
            guard !items.contains(where: { $0.status.kind == .file && $0.name == "Package.swift" }) else {
                return logger.log(
                    .notice, "bundle.skipped", "a package of Swift is built before it is published: widget export",
                    [LogField("from", item.name)])
            }
            for item in items where Seeding.isBundle(item) { try publish(item, in: inner) }
        }
    }

    /// True for an archive and for a bundle's folder.
    private static func isBundle(_ item: Directory.Item) -> Bool {
        switch item.status.kind {
        case .file: item.name.hasSuffix(".zip")
        case .directory: item.name.hasSuffix(".bundle") || item.name.hasSuffix(".app")
        default: false
        }
    }

    /// - Throws: when a file cannot be opened or there is no room; a bundle that is refused is logged.
    private func publish(_ name: String, _ open: () throws(SourceError) -> BundleSource) throws(FileError) {
        do {
            let source = try open()
            let staged = try registry.stage()
            let intake = BundleIntake(policy: settings.bundlePolicy)
            let taken = try source.take(by: intake, into: staged.file, in: settings.data)
            let found =
                settings.publishPolicy.reviewsScreens
                ? review.findings(of: taken, in: staged.file, for: UploadShare(prefix: "", token: Seeding.author))
                : ReviewFindings()
            let publication = try registry.publish(
                taken.adding(first: found.faults).adding(last: found.remarks), archive: staged,
                PublishRequest(by: Author(Seeding.author)), parts: found.parts)
            logger.log(
                .notice, "bundle.seeded", "",
                [
                    LogField("bundle", publication.release.bundleIdentifier),
                    LogField("release", publication.release.key), LogField("from", name),
                ])
        } catch SourceError.file(let error) {
            throw error
        } catch {
            logger.log(
                .warning, "bundle.refused", "a bundle of the seed was not published",
                [LogField("from", name), LogField("reason", "\(error)")])
        }
    }
}
