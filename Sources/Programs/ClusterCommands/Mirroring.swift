import RegistryClient
import RegistryMirror
import ServerCommands
import WidgetBundles
import WidgetBytes
package import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTransfers

extension ClusterSettings.Mirror {
    /// Prepares to follow the registry at the URL.
    func follower(
        _ registry: Registry, _ data: String, _ logger: Logger, _ world: World,
        _ policy: @escaping @Sendable () -> BundlePolicy
    ) throws(MirrorRefusal) -> any RegistryFollowing {
        var options = MirrorFollower.Options(prefixes: prefixes, interval: interval, policy: policy)
        options.interval = interval
        do {
            let address = try RegistryAddress(url ?? "")
            return try MirrorFollower(
                registry,
                of: RemoteRegistry(address, token: token?.exposedText, client: TransferClient(in: world)), data: data,
                logger: logger, in: world, options)
        } catch let error as MirrorError {
            throw MirrorRefusal("\(error)")
        } catch {
            throw MirrorRefusal("mirror.url: \(error)")
        }
    }
}

extension MirrorFollower: RegistryFollowing {
    package var trouble: String? { figures.trouble }

    package func write(to text: inout MetricsText) { figures.write(to: &text) }
}
