import LocalStore
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetLogging
package import WidgetRegistry
import WidgetSockets
import WidgetSurroundings

/// The place where a server keeps its registry, as its program chooses it.
package struct StorageChoice: Equatable, Sendable {
    /// - data: the directory of this process.
    /// - holder: the description of this process in the error that others get while it uses the directory.
    package typealias Open =
        @Sendable (_ data: String, _ holder: String, Registry.Options) throws(RegistryError) -> Registry

    package typealias Replacement =
        @Sendable (_ data: String, _ holder: String) throws(RegistryError) -> any CatalogReplacement

    /// The place, in words and without secrets; two choices are equal if these are.
    package let name: String
    /// The settings that the servers of one registry have in common, as a document for them to compare; `nil` for a server
    /// that is alone.
    let noted: String?
    /// True when a registry may be there.
    let exists: @Sendable (_ data: String) -> Bool
    let open: Open
    /// Opens it to have its catalog replaced.
    let replacement: Replacement

    package init(
        _ name: String, noted: String? = nil, exists: @escaping @Sendable (String) -> Bool, open: @escaping Open,
        replacement: @escaping Replacement
    ) {
        self.name = name
        self.noted = noted
        self.exists = exists
        self.open = open
        self.replacement = replacement
    }

    package static func == (left: StorageChoice, right: StorageChoice) -> Bool { left.name == right.name }

    /// The data directory, which one process has for itself.
    package static let directory = StorageChoice(
        "directory", exists: { StoreDirectory.exists(at: $0) },
        open: { data, holder, options throws(RegistryError) in
            try Registry(opening: data, options: options, holder: holder)
        },
        replacement: { data, holder throws(RegistryError) in try LocalReplacement(data, holder: holder) })
}

/// Opens the server's store.
enum ServerStore {
    /// True when the storage has held a registry before.
    static func exists(_ settings: Settings) -> Bool { settings.storage.exists(settings.data) }

    /// True when the data directory has archives, even without a catalog.
    static func hasArchives(_ settings: Settings) -> Bool { StoreDirectory.hasArchives(at: settings.data) }

    /// The description of this process in the error that others get while it uses the data directory.
    static var holder: String { "widgetd, process \(ProcessNumber.current)" }

    static func options(_ settings: Settings, in world: World) -> Registry.Options {
        var options = Registry.Options(in: world)
        options.snapshotChannels = settings.retention.snapshotChannels
        // The origin of a mirror decides which snapshots there are.
        options.snapshotsKept = settings.mirror == nil ? settings.retention.snapshots : .max
        options.withdrawnSeconds = settings.retention.withdrawn.components.seconds
        options.auditSeconds = settings.retention.audit.components.seconds
        options.channels = { settings.channels }
        options.retention = { settings.retentionPolicy }
        options.quotas = { settings.quotaPolicy }
        return options
    }

    /// - Parameters:
    ///   - logger: takes the remarks about the opening.
    ///   - present: the settings at present, of which a registry follows some; those given unless there is one.
    static func open(
        _ settings: Settings, in world: World, logger: Logger? = nil, present: (@Sendable () -> Settings)? = nil
    ) throws(StartFailure) -> Registry {
        var options = options(settings, in: world)
        if let logger { options.remark = { StartRemarks.opening($0, logger) } }
        if let present {
            options.channels = { present().channels }
            options.retention = { present().retentionPolicy }
            options.quotas = { present().quotaPolicy }
        }
        do throws(RegistryError) {
            return try settings.storage.open(settings.data, holder, options)
        } catch {
            throw StartFailure(error, data: settings.data)
        }
    }
}

extension StartFailure {
    /// A data directory that cannot be used.
    init(_ error: RegistryError, data: String) {
        switch error {
        case .locked(let holder):
            self.init(
                "the data directory \(data) is in use by \(holder)",
                hints: ["one server at a time: stop the other, or choose another directory with --data DIR"],
                isInUse: true)
        case .damaged(let detail):
            self.init(
                "the data directory \(data) is damaged: \(detail)",
                hints: [
                    "keep a copy of it, then make the catalog anew with: widgetd reindex --data \(data)",
                    "or go back to a backup with: widgetd restore FILE --data \(data)",
                ], code: .damagedStore)
        case .staleCatalog(let latest, let shown):
            self.init(
                "the catalog in \(data) is an old one: it ends with change \(latest), and \(shown) was shown already",
                hints: [
                    "take in what was published since with: widgetd reindex --data \(data)",
                    "or go back to a backup with: widgetd restore FILE --data \(data)",
                ], code: .damagedStore)
        case .unfinished("migrate"):
            self.init(
                "the registry in \(data) was moved to a database, and what was published since is there",
                hints: [
                    "serve it with widgetd-cluster; to go back, restore a backup of that in another directory",
                    "to use this directory in spite of that, remove \(data)/\(StoreNames.unfinished)",
                ], code: .damagedStore)
        case .unfinished(let command):
            self.init(
                "widgetd \(command) was cut short in \(data) while it replaced the catalog",
                hints: ["run it again, or make the catalog anew with: widgetd reindex --data \(data)"],
                code: .damagedStore)
        case .invalidBackup(let detail):
            self.init("the backup cannot be used: \(detail)", hints: ["nothing was changed; try an earlier backup"])
        case .underWay(let task):
            self.init("work on the whole store is under way (\(task.rawValue))", hints: ["try again when it is done"])
        case .outOfSpace:
            self.init(
                "the disk of \(data) is full: there is no room for this", hints: ["make room, then run it again"])
        case .newerStore(let version):
            self.init(
                "the data directory \(data) was written by a newer version (its catalog has version \(version))",
                hints: ["run that version again, or restore a backup made by this one"])
        case .storage(let error):
            let owner = DataDirectory.owner(data).map { "user \($0.user)" } ?? "whom the data directory belongs to"
            self.init(
                error.description,
                hints: error.isPermissionDenied ? ["run this as \(owner), as the server is run, or as root"] : [])
        case .unreachable(let reason):
            self.init("the store of archives does not answer: \(reason)", hints: ["run it again when it does"])
        case .storeRefused(let reason):
            self.init(
                reason,
                hints: [
                    "nothing was changed there; see that the key, the region and the bucket, or the rights in the folder, are "
                        + "those of the other replicas, and that the clock is right"
                ])
        case .otherStore(let reason):
            self.init(
                reason,
                hints: [
                    "nothing was changed there; see that the database, the bucket and the prefix, or the folder and its mount, "
                        + "are those of the other replicas",
                    "only where the archives of this catalog were moved there: widgetd-cluster check --connect --adopt-store",
                ])
        case .database(let error):
            self.init(
                "the catalog in \(data) cannot be used: \(error)",
                hints: ["check its owner, its rights and the disk"])
        case .unavailable(let error):
            self.init(
                "the catalog cannot be reached: \(error)",
                hints: ["nothing was changed; see that its server runs and accepts this program, then run it again"])
        case .interrupted:
            self.init("it was interrupted before it was done", hints: ["run it again; what was done stays done"])
        case .outOfMemory:
            self.init("there is not enough memory for this")
        case .invalidValue(let name, let reason):
            self.init("\(name): \(reason)")
        case .noSuchBundle, .noSuchWidget, .noSuchRelease, .noSuchChannel, .noCompatibleRelease, .withdrawn,
            .expired, .keyExpired, .quotaExceeded, .nothingLeft,
            .pinMismatch, .identityMismatch, .identifierCaseConflict, .releaseExists, .keyWithdrawn,
            .invalidChannelName, .channelCaseConflict, .invalidRollout, .channelNotGranted, .withdrawalNotGranted,
            .promotionNeeded,
            .tooManyChannels,
            .noEarlierRelease, .neverShown, .restoreTooLate, .notWithdrawn, .preconditionFailed, .preconditionRequired,
            .noSuchBlob, .damagedBlob, .noSuchToken, .tokenExists, .ambiguousToken, .expiredToken,
            .rotatedToken:
            // Refusals of single requests, which opening a store does not make.
            self.init("\(error)", hints: ["the data directory is \(data)"])
        }
    }
}

/// The reason why the server could not start, in words for the operator.
struct StartFailure: Error {
    let message: String
    let hints: [String]
    let code: ExitCode
    /// True when the only reason is that another process has the store open.
    let isInUse: Bool

    init(_ message: String, hints: [String] = [], code: ExitCode = .failed, isInUse: Bool = false) {
        self.message = message
        self.hints = hints
        self.code = code
        self.isInUse = isInUse
    }

    /// A problem that a server, or one of its parts, answered with.
    init(_ detail: String, status: Int, hints: [String] = []) {
        self.init(detail, hints: hints, code: status == 400 ? .misuse : .failed)
    }

    /// A server that could not be asked through its control socket.
    init(asking error: SystemError, data: String) {
        guard error.isPermissionDenied else {
            self.init("the server did not answer: \(error)", hints: ["is it stuck? its log may tell"])
            return
        }
        let owner = DataDirectory.owner(data).map { "user \($0.user)" } ?? "another user"
        self.init(
            "the data directory \(data) belongs to \(owner), who alone may ask its server",
            hints: ["run this as \(owner), as the server is run, or as root"])
    }

    /// A listener that could not be opened.
    init(_ error: SystemError) {
        if error.isAddressInUse, error.subject.hasSuffix("/\(StoreNames.controlSocket)") {
            self.init(
                "\(error.subject) is something else than the socket of a server that is gone",
                hints: ["move it away; the server makes its own"])
        } else if error.isAddressInUse {
            self.init(
                "\(error.subject) is in use: another server listens there",
                hints: ["choose another address with --listen HOST:PORT, or stop the other server"])
        } else if error.isPermissionDenied {
            self.init(
                "no permission to listen on \(error.subject)",
                hints: ["ports below 1024 need a privilege; choose a higher one with --listen HOST:PORT"])
        } else if error.isDescriptorShortage {
            self.init(
                "too few file descriptors to start (\(error.operation))",
                hints: ["raise the limit, for example with: ulimit -n 1024"])
        } else {
            self.init("cannot listen: \(error)", hints: ["check the address given with --listen"])
        }
    }
}
