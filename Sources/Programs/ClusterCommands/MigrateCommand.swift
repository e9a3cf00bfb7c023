import CatalogSQL
import ClusterStore
import LocalStore
import ServerCommands
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings

/// `widgetd-cluster migrate`: moves a registry of one process to a database and a store of archives that replicas share.
///
/// The archives go first, and those that are there already are left out, so that it continues where it was cut short. The
/// catalog goes in one transaction. Then the directory is marked, and `widgetd` does not serve it any more.
enum MigrateCommand {
    static let command = Command(
        "migrate", "move the registry of a data directory to the database; its server must be stopped",
        example: "widgetd-cluster migrate --from /var/lib/widgetd --catalog postgres://widgetd@db/widgetd "
            + "--blobs file:///srv/widgetd",
        options: [Option("from", value: "DIR", help: "the data directory of the registry")]
            + ClusterSettings.options.filter { ["config", "data"].contains($0.name) }
            + ClusterSettings.own.compactMap(\.flag))

    private static let holder = "widgetd-cluster migrate"

    static func run(_ invocation: Invocation, _ settings: ClusterSettings) -> ExitCode {
        guard let source = invocation.value("from") else {
            invocation.terminal.complain(
                "--from is missing", hints: ["name the data directory of the registry: --from DIR"])
            return .misuse
        }
        do throws(RegistryError) {
            return invocation.terminal.print(try move(source, settings))
        } catch .unfinished {
            invocation.terminal.complain(
                "the registry in \(source) was moved already, or a command was cut short in it")
        } catch .locked(let holder) {
            invocation.terminal.complain(
                "\(source) or the replica's own directory is in use by \(holder)", hints: ["stop it first"])
        } catch .invalidValue(let name, let reason) {
            invocation.terminal.complain("\(name): \(reason)")
            return .misuse
        } catch .storeRefused(let reason) {
            invocation.terminal.complain(reason, hints: ["nothing more was copied; mend it, and run it again"])
        } catch .otherStore(let reason) {
            invocation.terminal.complain(reason, hints: ["nothing was copied; choose another place with --blobs"])
        } catch {
            invocation.terminal.complain("\(error)", hints: ["run it again; the archives that were copied stay copied"])
        }
        return .failed
    }

    private static func move(_ path: String, _ settings: ClusterSettings) throws(RegistryError) -> String {
        guard StoreDirectory.exists(at: path) else {
            throw .invalidValue("--from", reason: "there is not a registry in \(path)")
        }
        let figures = StoreFigures()
        let directory = try StoreDirectory(path, holder: holder)
        let catalog = try LocalCatalog(directory, readers: 1, figures: figures)
        let storage = ClusterStorage(settings)
        let parts = try storage.openParts(replica: settings.base.data, holder, figures, in: .machine)
        try parts.proof.taking(storage.place) { proof throws(StoreProofError) in try proof.requireFree() }
        let (database, target) = (parts.catalog, try parts.opened())
        var copying = ArchiveCopying(from: DirectoryBlobs(directory, figures: figures), to: target)
        try copying.run()
        try catalog.read { reader throws(RegistryError) in
            guard let all = reader as? SQLCatalog else { throw .damaged("the catalog cannot be read") }
            try database.fill(from: all)
        }
        try parts.proof.taking(storage.place) { proof throws(StoreProofError) in try proof.take() }
        try directory.retire(for: "migrate")
        return copying.summary + "the catalog is in the database; \(path) is not served any more\n"
    }
}

/// Copies archives and the notes beside them, each archive compared with its digest.
private struct ArchiveCopying {
    private let source: any BlobStore
    private let target: any BlobStore
    private var archives = 0
    private var present = 0
    private var notes = 0
    /// The digests of archives that the source has lost or damaged.
    private var missing: [String] = []

    init(from source: any BlobStore, to target: any BlobStore) {
        self.source = source
        self.target = target
    }

    var summary: String {
        var text = "\(archives) archives and \(notes) notes were copied, \(present) archives were there already\n"
        for digest in missing { text += "archive \(digest) has other bytes than were stored, and was left out\n" }
        return text
    }

    mutating func run() throws(RegistryError) {
        for byte in UInt8.min...UInt8.max {
            for listed in try source.items(beginning: byte) {
                switch listed.item {
                case .blob(let digest): try copy(digest)
                case .sidecar, .tombstone, .expiry:
                    guard let bytes = try source.note(listed.item), try target.note(listed.item) != bytes else {
                        continue
                    }
                    try target.put(StoredNote(listed.item, bytes))
                    notes += 1
                }
            }
        }
    }

    private mutating func copy(_ digest: Digest) throws(RegistryError) {
        // What is there is compared, too: it may be the half of an earlier run on a file system without renaming.
        if case .intact = try target.check(digest) {
            present += 1
            return
        }
        guard let file = try source.open(digest) else {
            missing.append(digest.hex)
            return
        }
        let staged = try target.stage()
        do throws(FileError) {
            var offset = 0
            while offset < file.byteCount {
                let bytes = try file.descriptor.read(at: offset, count: min(1 << 20, file.byteCount - offset))
                guard !bytes.isEmpty else { break }
                try staged.file.write(bytes, at: offset)
                offset += bytes.count
            }
        } catch {
            throw RegistryError(error)
        }
        try target.place(staged, as: digest, with: nil)
        guard case .intact = try target.check(digest) else {
            throw .damaged("archive \(digest.hex) did not arrive as it was sent")
        }
        archives += 1
    }
}
