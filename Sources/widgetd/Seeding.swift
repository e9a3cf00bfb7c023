import Configuration
import Console
import Files
import Logging
import Registry
import WidgetBuild
import WidgetBundles

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
        do throws(FileError) { _ = try items(Directory(opening: path)) } catch {
            throw unreadable(path, error, .misuse)
        }
    }

    func publish(_ path: String) throws(StartFailure) {
        do throws(FileError) {
            let folder = try Directory(opening: path)
            for item in try Seeding.items(folder) { try publish(item, in: folder) }
        } catch {
            throw Seeding.unreadable(path, error, .failed)
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
        if item.status.kind == .file, item.name.hasSuffix(".zip") {
            let archive = try folder.openFile(item.name)
            take(item.name) { (intake, target) throws(BundleError) in try intake.take(archive, into: target) }
        } else if item.status.kind == .directory, isBundle(item.name) {
            try publish(bundle: item.name, in: folder)
        } else if item.status.kind == .directory {
            let inner = try folder.openDirectory(item.name)
            let items = try Seeding.items(inner)
            if items.contains(where: { $0.status.kind == .file && $0.name == "Info.plist" }) {
                return try publish(source: inner, named: item.name)
            }
            for item in items {
                if item.status.kind == .directory, isBundle(item.name) {
                    try publish(bundle: item.name, in: inner)
                } else if item.status.kind == .file, item.name.hasSuffix(".zip") {
                    try publish(item, in: inner)
                }
            }
        }
    }

    private func isBundle(_ name: String) -> Bool {
        name.hasSuffix(".bundle") || name.hasSuffix(".app")
    }

    /// A folder with a property list of its own is the source of a bundle.
    private func publish(source: borrowing Directory, named name: String) throws(FileError) {
        let compiled: BundleCompiler
        do throws(BuildError) {
            compiled = try BundleCompiler(try SourceFolder.read(source), folder: name)
        } catch {
            return refuse(name, "\(error)")
        }
        let scratch = try ScratchDirectory(in: settings.data)
        let bundle = "\(compiled.name).bundle"
        try SourceFolder.write(compiled.files, to: "\(scratch.path)/\(bundle)")
        try publish(bundle: bundle, in: scratch.directory)
    }

    private func publish(bundle name: String, in folder: borrowing Directory) throws(FileError) {
        let bundle = try folder.openDirectory(name)
        let packed = try FileDescriptor.unnamed(inDirectory: settings.data)
        let archive = try FileDescriptor.unnamed(inDirectory: settings.data)
        var scratch: FileDescriptor? = consume packed
        take(name) { (intake, target) throws(BundleError) in
            guard let packed = scratch.take() else { return nil }
            return try intake.take(folder: bundle, named: name, packed: packed, archive: archive, into: target)
        }
    }

    private func take(
        _ name: String,
        _ body: (BundleIntake, borrowing FileDescriptor) throws(BundleError) -> BundleIntake.Taken?
    ) {
        do {
            let staged = try registry.stage()
            guard let taken = try body(BundleIntake(policy: settings.bundlePolicy), staged.file) else { return }
            let publication = try registry.publish(taken, archive: staged, PublishRequest(by: "seed"))
            logger.log(
                .notice, "bundle.seeded", "",
                [
                    LogField("bundle", publication.release.bundleIdentifier),
                    LogField("release", publication.release.key), LogField("from", name),
                ])
        } catch {
            refuse(name, "\(error)")
        }
    }

    private func refuse(_ name: String, _ reason: String) {
        logger.log(
            .warning, "bundle.refused", "a bundle of the seed was not published",
            [LogField("from", name), LogField("reason", reason)])
    }
}
