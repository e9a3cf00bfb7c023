internal import WidgetBundles
internal import WidgetBytes
package import WidgetCore
package import WidgetDatabase
package import WidgetIntake
package import WidgetRunning

extension BundleReading {
    /// Takes in the folder, archive or document at a path as a registry would, and reads what a host shows of it.
    ///
    /// - Parameter isInstalled: true for a folder that a registry's bundle was unpacked into.
    package static func bundle(
        at path: String, identifier: String? = nil, entryPoint: String = "Main", locale: String = "",
        isInstalled: Bool = false
    ) throws(WidgetError) -> ShownBundle {
        let taken = try rethrowing(as: { (error: SourceError) in WidgetError(error) }) { () throws(SourceError) in
            if BundleSource.isDocument(path), !isInstalled { return try BundleSource(document: path).take() }
            return try BundleSource(opening: path, isInstalled: isInstalled).take()
        }
        return ShownBundle(
            program: try program(
                of: taken.opened, identifier: identifier, entryPoint: entryPoint, locale: locale),
            pictures: try BundlePictures(of: taken.opened), content: taken.bundle.contentDigest.hex,
            identifier: taken.bundle.manifest.identifier)
    }

    /// The program of a path alone.
    ///
    /// - Returns: the program, and the digest of its files.
    package static func program(
        at path: String, identifier: String? = nil, locale: String = "", isInstalled: Bool = false
    ) throws(WidgetError) -> (Program, content: String) {
        let bundle = try bundle(at: path, identifier: identifier, locale: locale, isInstalled: isInstalled)
        return (bundle.program, bundle.content)
    }
}

/// A bundle as a host shows it.
package struct ShownBundle: Sendable {
    package var program: Program
    package let pictures: BundlePictures
    /// The digest of its files.
    package let content: String
    /// The identifier in its manifest, which that of a widget continues.
    package let identifier: String
}

extension WidgetError {
    /// The path does not lead to a bundle.
    package init(_ error: SourceError) {
        switch error {
        case .file(let error): self = .source(error)
        case .build(let failure): self = .build("\(failure)")
        case .bundle(let error): self = .bundle(error)
        }
    }

    package init(_ error: DatabaseError) { self = .store("\(error)") }
}
