package import Files
package import WidgetBuild
package import WidgetBundles

/// Why a path did not lead to a bundle.
package enum SourceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path could not be opened, or there was no room for work in progress.
    case file(FileError)
    /// The bundle's source could not be compiled.
    case build(BuildError)
    /// The bundle was refused.
    case bundle(BundleError)

    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .build(let error): "\(error)"
        case .bundle(let error): "\(error)"
        }
    }
}
