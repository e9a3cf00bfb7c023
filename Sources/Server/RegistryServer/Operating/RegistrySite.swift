internal import RegistryContract
package import StaticSite
package import WidgetBytes
package import WidgetFiles
package import WidgetRegistry

/// A registry that this process has open, as the source of a site.
package struct RegistrySite: SiteSource {
    private let registry: Registry

    /// Bundles that are read at once.
    private static let pageCount = 200

    package init(_ registry: Registry) {
        self.registry = registry
    }

    package func bundles(after last: String?) throws(SiteError) -> (identifiers: [String], next: String?) {
        try ask { () throws(RegistryError) in
            let page = try registry.bundles(BundleQuery(limit: RegistrySite.pageCount, after: last))
            return (page.items.map(\.identifier), page.next)
        }
    }

    package func resolution(of widget: String, channel: String) throws(SiteError) -> [UInt8]? {
        do throws(RegistryError) {
            let resolution = try registry.resolve(ResolveQuery(widgetIdentifier: widget, channel: channel))
            return ResolutionDocument(resolution, for: widget, isUpToDate: false).bytes
        } catch {
            switch error {
            case .noSuchWidget, .noSuchChannel, .noCompatibleRelease, .withdrawn: return nil
            default: throw RegistrySite.failure(error)
            }
        }
    }

    package func offers(_ digest: Digest) throws(SiteError) -> Bool {
        do throws(RegistryError) {
            return try registry.releaseOfBlob(digest).lastGone == nil
        } catch {
            if case .noSuchBlob = error { return false }
            throw RegistrySite.failure(error)
        }
    }

    package func copy(_ digest: Digest, into file: borrowing StagedFile) throws(SiteError) -> Bool {
        let blob: Blob
        do throws(RegistryError) {
            blob = try registry.openBlob(digest)
        } catch {
            switch error {
            case .noSuchBlob, .damagedBlob, .damaged: return false
            default: throw RegistrySite.failure(error)
            }
        }
        var window = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        do throws(FileError) {
            try blob.file.descriptor.forEachPiece(of: 0..<blob.byteCount, through: &window) { piece throws(FileError) in
                try file.file.write(piece, at: offset)
                offset += piece.count
            }
        } catch {
            throw .file(error)
        }
        return true
    }

    private func ask<Value>(_ question: () throws(RegistryError) -> Value) throws(SiteError) -> Value {
        try rethrowing(try question(), as: RegistrySite.failure)
    }

    private static func failure(_ error: RegistryError) -> SiteError {
        switch error {
        case .storage(let error): .file(error)
        case .outOfMemory: .outOfMemory
        default: .source("the registry could not be asked: \(error)")
        }
    }
}
