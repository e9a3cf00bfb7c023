import Configuration
import Console
import Files
import Glibc
import Registry
import Sockets

/// Opens what the server keeps.
enum Store {
    /// What a snapshot channel is, until it can be chosen.
    static let snapshotChannels = ["dev"]

    /// Whether a registry has been kept there before.
    static func exists(_ settings: Settings) -> Bool {
        (try? Directory(opening: settings.data).status(of: "catalog.sqlite")) != nil
    }

    static func open(_ settings: Settings) throws(StartFailure) -> Registry {
        var options = Registry.Options(now: { WallClock.now().seconds })
        options.snapshotChannels = snapshotChannels
        options.holder = "widgetd, process \(getpid())"
        do throws(RegistryError) {
            return try Registry(opening: settings.data, options: options)
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
                hints: ["one server at a time: stop the other, or choose another directory with --data DIR"])
        case .damaged(let detail):
            self.init(
                "the data directory \(data) is damaged: \(detail)",
                hints: ["keep a copy of it, then restore a backup"], code: .damagedStore)
        case .newerStore(let version):
            self.init(
                "the data directory \(data) was written by a newer version (its catalog has version \(version))",
                hints: ["run that version again, or restore a backup made by this one"])
        default:
            self.init(
                "the data directory \(data) cannot be used: \(error)",
                hints: ["check its owner, its rights and the room on its disk"])
        }
    }
}
