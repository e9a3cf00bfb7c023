package import WidgetBundles
internal import WidgetConsole
package import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// A registry that this server is a mirror of, as its program follows it.
package struct MirrorChoice: Equatable, Sendable {
    /// - data: the directory of this process.
    /// - policy: the rules that archives have to keep, at present.
    package typealias Open =
        @Sendable (
            _ registry: Registry, _ data: String, _ logger: Logger, _ world: World,
            _ policy: @escaping @Sendable () -> BundlePolicy
        )
        throws(MirrorRefusal) -> any RegistryFollowing

    /// The address of that registry; two choices are equal if these are.
    package let origin: String
    let open: Open

    package init(_ origin: String, open: @escaping Open) {
        self.origin = origin
        self.open = open
    }

    package static func == (left: MirrorChoice, right: MirrorChoice) -> Bool { left.origin == right.origin }
}

/// The reason why a directory or an address cannot be used for a mirror, in words for the operator.
package struct MirrorRefusal: Error {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// Keeps a registry as another one is.
package protocol RegistryFollowing: Sendable {
    /// Begins to follow; called once.
    func start()
    /// Ends what is under way.
    func stop()
    /// The state in words; `nil` while the copy follows its origin.
    var trouble: String? { get }
    func write(to text: inout MetricsText)
}

extension MirrorChoice {
    /// Prepares to follow, or says why that cannot be.
    func follower(
        _ registry: Registry, _ data: String, _ logger: Logger, in world: World,
        _ policy: @escaping @Sendable () -> BundlePolicy
    ) throws(StartFailure) -> any RegistryFollowing {
        do throws(MirrorRefusal) {
            return try open(registry, data, logger, world, policy)
        } catch {
            throw StartFailure(error.reason, code: .misuse)
        }
    }
}
