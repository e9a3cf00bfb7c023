package import Files
package import Registry
package import WidgetBundles

extension Registry {
    /// Opens the registry of a data directory, which is made if need be. Nothing in it is walked, so this is quick however
    /// much there is.
    ///
    /// - Parameters:
    ///   - holder: what others are told who find the data directory in use, "widgetd, process 17".
    ///   - readers: connections for reading that are kept open; as many as threads that read.
    package convenience init(
        opening path: String, options: Options, holder: String = "another process", readers: Int = 4
    ) throws(RegistryError) {
        let figures = StoreFigures()
        let directory = try StoreDirectory(path, holder: holder)
        let catalog = try LocalCatalog(directory, readers: readers, figures: figures)
        try self.init(
            catalog: catalog, blobs: DirectoryBlobs(directory, figures: figures), copier: catalog, figures: figures,
            options: options)
    }

    /// Makes the catalog of a data directory anew: ``CatalogReplacement/rebuild(_:policy:progress:)``.
    package static func rebuild(
        _ path: String, options: Options, holder: String = "another process", policy: BundlePolicy,
        progress: HousekeepingProgress
    ) throws(RegistryError) -> RebuildReport {
        try LocalReplacement(StoreDirectory(path, holder: holder, for: .repairing)).rebuild(
            options, policy: policy, progress: progress)
    }

    /// Takes a data directory back to what a backup holds: ``CatalogReplacement/restore(from:_:progress:)``.
    package static func restore(
        _ path: String, from backup: consuming FileDescriptor, options: Options, holder: String = "another process",
        progress: HousekeepingProgress
    ) throws(RegistryError) -> RestoreReport {
        let store = LocalReplacement(try StoreDirectory(path, holder: holder, for: .repairing))
        let file: StoredFile
        do { file = try StoredFile(backup) } catch { throw RegistryError(error) }
        return try store.restore(from: file, options, progress: progress)
    }
}
