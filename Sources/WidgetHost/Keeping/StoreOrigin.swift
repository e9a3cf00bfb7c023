internal import Files
package import RegistryClient

/// Whose a store is: identifiers are what bundles call themselves, so anybody's bundle could ask for anybody's store.
package struct StoreOrigin: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// A bundle's folder or archive.
    package init(path: String) { description = resolvedPath(path) }

    /// What a registry offers under a bundle's identifier.
    package init(_ registry: RegistryAddress, bundle: String) { description = "\(bundle) of \(registry)" }

    init(kept: String) { description = kept }
}
