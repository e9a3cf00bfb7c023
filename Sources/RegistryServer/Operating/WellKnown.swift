internal import HTTPServer
internal import HTTPWire
internal import JSONText
internal import Locks
internal import Sockets

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
        return Document.json(.briefly) { writer in
            writer.key("api")
            writer.array { $0.string("v1") }
            writer.member("server", description.server)
            writer.member("time", Timestamp.text(second))
            writer.key("limits")
            writer.object { writer in
                for (name, value) in description.limits { writer.member(name, value) }
            }
            writer.key("policy")
            writer.object { writer in
                writer.key("kept")
                writer.array { writer in for pattern in description.keptFiles { writer.string(pattern) } }
                writer.member("strict", description.isStrict)
                writer.key("snapshotChannels")
                writer.array { writer in for channel in description.snapshotChannels { writer.string(channel) } }
            }
            writer.member("reads", description.reads)
        }
    }
}
