package import Bytes

/// The places of a registry, as paths that clients follow. They are relative, so that they hold behind any proxy.
package enum RegistryPath {
    package static let wellKnown = "/.well-known/widget-registry"
    package static let bundles = "/v1/bundles"
    package static let changes = "/v1/changes"
    package static let audit = "/v1/audit"
    package static let tokens = "/v1/tokens"

    package static func blob(_ digest: Digest) -> String { blob(hex: digest.hex) }

    package static func blob(hex: String) -> String { "/v1/blobs/sha256/\(hex)" }

    package static func bundle(_ identifier: String) -> String { "\(bundles)/\(PercentEncoding.segment(identifier))" }

    package static func releases(_ bundle: String) -> String { "\(RegistryPath.bundle(bundle))/releases" }

    package static func release(_ bundle: String, _ key: String) -> String {
        "\(releases(bundle))/\(PercentEncoding.segment(key))"
    }

    package static func restore(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/restore" }

    package static func report(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/report" }

    package static func difference(_ bundle: String, from old: String, to new: String) -> String {
        "\(release(bundle, old))/diff/\(PercentEncoding.segment(new))"
    }

    package static func channel(_ bundle: String, _ name: String) -> String {
        "\(RegistryPath.bundle(bundle))/channels/\(PercentEncoding.segment(name))"
    }

    package static func rollback(_ bundle: String, _ name: String) -> String { "\(channel(bundle, name))/rollback" }

    package static func widget(_ identifier: String) -> String { "/v1/widgets/\(PercentEncoding.segment(identifier))" }

    package static func token(_ name: String) -> String { "\(tokens)/\(PercentEncoding.segment(name))" }
}
