internal import Bytes
import Configuration
import Console
import Files
import Logging
import Registry
import WidgetBundles
import WidgetIntake

/// Publishes the bundles of a folder: archives, bundle folders, sources, and folders that hold an archive or a bundle.
///
/// A bundle that is refused is named in the log, and does not keep the server from starting.
struct Seeding {
    let registry: Registry
    let settings: Settings
    let logger: Logger

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
                // A folder with a property list of its own is the source of a bundle.
                return try publish(item.name) { () throws(SourceError) in
                    try BundleSource(compiling: path, in: settings.data)
                }
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
            let publication = try registry.publish(taken, archive: staged, PublishRequest(by: "seed"))
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
