import Bytes
import Configuration
import Console
import Files
import Glibc
import LocalStore
import Registry

/// Opens what the server keeps.
enum Store {
    /// Whether a registry has been kept there before.
    static func exists(_ settings: Settings) -> Bool { StoreDirectory.exists(at: settings.data) }

    /// Whether archives are there, whatever has become of the catalog.
    static func hasArchives(_ settings: Settings) -> Bool { StoreDirectory.hasArchives(at: settings.data) }

    /// What others are told who find the data directory in use.
    static var holder: String { "widgetd, process \(getpid())" }

    static func options(_ settings: Settings) -> Registry.Options {
        var options = Registry.Options(now: { WallClock.now().seconds })
        options.snapshotChannels = settings.retention.snapshotChannels
        options.snapshotsKept = settings.retention.snapshots
        options.withdrawnSeconds = settings.retention.withdrawn.components.seconds
        options.auditSeconds = settings.retention.audit.components.seconds
        options.channels = { settings.channels }
        return options
    }

    /// - Parameter channels: the rules for channels at present; those of the settings unless given.
    static func open(
        _ settings: Settings, channels: (@Sendable () -> ChannelPolicy)? = nil
    ) throws(StartFailure) -> Registry {
        var options = options(settings)
        if let channels { options.channels = channels }
        do throws(RegistryError) {
            return try Registry(opening: settings.data, options: options, holder: holder)
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
        case .database(let error):
            self.init(
                "the catalog in \(data) cannot be used: \(error)",
                hints: ["check its owner, its rights and the disk"])
        case .interrupted:
            self.init("it was interrupted before it was done", hints: ["run it again; what was done stays done"])
        case .outOfMemory:
            self.init("there is not enough memory for this")
        case .noSuchBundle, .noSuchWidget, .noSuchRelease, .noSuchChannel, .noCompatibleRelease, .withdrawn,
            .pinMismatch, .identityMismatch, .identifierCaseConflict, .releaseExists, .keyWithdrawn,
            .invalidChannelName, .invalidRollout, .channelNotGranted, .promotionNeeded, .tooManyChannels,
            .noEarlierRelease, .restoreTooLate, .notWithdrawn, .preconditionFailed, .preconditionRequired,
            .noSuchBlob, .damagedBlob, .noSuchToken, .tokenExists, .ambiguousToken,
            .invalidValue:
            // Refusals of single requests, which opening a store does not make.
            self.init("\(error)", hints: ["the data directory is \(data)"])
        }
    }
}
