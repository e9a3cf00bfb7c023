package import Files

/// A store that is open to have its catalog replaced, whatever the state of the catalog there is.
package protocol CatalogReplacement {
    var blobs: any BlobStore { get }
    /// The catalog there is, as far as it can be read.
    var former: (any CatalogReader)? { get }
    /// The tag of the last change that was ever told here; `nil` when that is not known.
    var shownTag: Int64? { get }

    /// An empty catalog that no reader sees.
    func makeCatalog() throws(RegistryError) -> any CatalogDraft
    /// The catalog of a backup, if it is whole and not newer than this program.
    func openCatalog(_ file: consuming StagedFile) throws(RegistryError) -> any CatalogDraft
}

/// A catalog in the making.
package protocol CatalogDraft: AnyObject {
    var reader: any CatalogReader { get }
    /// Changes it; what `body` throws undoes all that it did.
    func write<Value>(_ body: (any CatalogEditor) throws(RegistryError) -> Value) throws(RegistryError) -> Value
    func complaints() throws(RegistryError) -> [String]
    /// Puts it in the place of the store's catalog, of which a copy stays. Cut short, that is said at the next start, and
    /// doing it again finishes it. What it does not know is not collected for the time of one collection.
    ///
    /// - Parameters:
    ///   - time: now, in seconds since 1970, which tells people when the copy was replaced.
    ///   - command: what replaces it.
    func install(at time: Int64, for command: String) throws(RegistryError)
}
