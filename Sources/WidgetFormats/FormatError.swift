package import Nib
package import ObjectModel

/// Why no program can be made of a bundle. What is wrong with a part of it is a diagnostic of the program instead.
package enum FormatError: Error, Equatable, Sendable, CustomStringConvertible {
    case missingStoryboard(String)
    case noInitialViewController(storyboard: String)
    case interface(NibError, path: String)
    case model(ModelError, path: String)

    package var description: String {
        switch self {
        case .missingStoryboard(let name):
            "the bundle has no \(name).storyboardc, neither at its top nor in Base.lproj or a language's folder"
        case .noInitialViewController(let name): "\(name).storyboardc names no screen to begin with"
        case .interface(let error, let path): "\(path): \(error)"
        case .model(let error, let path): "\(path): \(error)"
        }
    }
}
