internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// The document by which a registry introduces itself, made anew when its clock has moved on.
final class WellKnown: Sendable {
    private struct Edition {
        var second: Int64 = -1
        var resource: Resource?
    }

    private let description: @Sendable () -> RegistryDescription
    private let edition = Guarded(Edition())

    init(_ description: @escaping @Sendable () -> RegistryDescription) {
        self.description = description
    }

    func answer(_ request: borrowing Request) -> Answer {
        let second = WallClock.now().seconds
        let resource = edition.withLock { edition in
            if let resource = edition.resource, edition.second == second { return resource }
            let resource = write(second)
            edition = Edition(second: second, resource: resource)
            return resource
        }
        return .resource(resource)
    }

    private func write(_ second: Int64) -> Resource {
        let description = description()
        var document = WellKnownDocument()
        document.versions = ["v1"]
        document.server = description.server
        document.time = Timestamp.text(second)
        document.limits = Record(description.limits.map { ($0.name, $0.value) })
        document.policy.keptFiles = description.keptFiles
        document.policy.isStrict = description.isStrict
        document.policy.snapshotChannels = description.snapshotChannels
        document.policy.protectedChannels = description.protectedChannels
        document.reads = description.reads
        return Document.resource("application/json", document.bytes, .briefly)
    }
}

/// What a registry tells strangers about itself at `/.well-known/widget-registry`.
package struct RegistryDescription: Sendable {
    package var server: String
    /// Names and values, in the order they are to be listed.
    package var limits: [(name: String, value: Int)]
    /// Patterns of the files a bundle may keep.
    package var keptFiles: [String]
    /// Whether publishing is strict when nobody says.
    package var isStrict: Bool
    package var snapshotChannels: [String]
    package var protectedChannels: [String]
    package var reads: String

    package init(
        server: String, limits: [(name: String, value: Int)], keptFiles: [String], isStrict: Bool = false,
        snapshotChannels: [String], protectedChannels: [String] = [], reads: String
    ) {
        self.server = server
        self.limits = limits
        self.keptFiles = keptFiles
        self.isStrict = isStrict
        self.snapshotChannels = snapshotChannels
        self.protectedChannels = protectedChannels
        self.reads = reads
    }
}
