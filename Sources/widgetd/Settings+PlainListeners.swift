import Addresses
import HTTPServer
import RegistryServer
import Sockets

extension Settings {
    /// The listeners on which tokens would cross a network as they are: neither this server nor, by these settings, a proxy
    /// in front of it speaks TLS.
    func plainListeners(among endpoints: [Endpoint]) -> [Endpoint] {
        let isBehindTLS = publishPolicy.publicURL?.hasPrefix("https://") == true && !server.trustedProxies.isEmpty
        guard !isBehindTLS else { return [] }
        return endpoints.filter { endpoint in
            switch endpoint {
            case .ip(let address, _): !address.isLoopback
            case .unix: false
            }
        }
    }
}
