internal import Files

/// The owner of a store. Bundles choose their identifiers themselves, so an identifier alone opens no store.
package struct StoreOrigin: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// A bundle's folder or archive.
    package init(path: String) { description = resolvedPath(path) }

    /// A release of a bundle, by the registry's address.
    package init(registry: String, bundle: String) { description = "\(bundle) of \(registry)" }

    init(kept: String) { description = kept }

    private var isFile: Bool { description.hasPrefix("/") }

    /// Whether what this one has kept is another's too. Somebody builds a bundle again and gives it another name, or
    /// moves it; what a registry's widget keeps, secrets of a service among it, is for nobody who only calls himself so.
    func shares(with other: StoreOrigin) -> Bool { isFile || self == other }
}
