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

    /// True if the data of this origin is for another origin too. Authors build bundles again, rename and move them, so
    /// files share their data; a registry's widget may keep secrets of a service, so its data is for itself alone.
    func shares(with other: StoreOrigin) -> Bool { isFile || self == other }
}
