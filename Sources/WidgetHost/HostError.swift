package import Database
package import Files
package import RegistryClient
package import WidgetBundles
package import WidgetFormats
package import Zip

/// Why a widget could not be loaded, kept or driven.
package enum HostError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The identifier of a widget begins with its bundle's: one bundle may be several widgets.
    case identifierMismatch(expectedPrefix: String, found: String)
    case bundle(BundleError)
    case archive(ZipError)
    case program(FormatError)
    /// Bytes of the files a program is made of.
    case tooLarge(limit: Int)
    case store(DatabaseError)
    case storeDamaged(String)
    /// Another process, or another widget of this one.
    case storeInUse(path: String, holder: String)
    /// A widget from elsewhere calls itself the same.
    case storeOfAnother(path: String, origin: StoreOrigin)
    case file(FileError)
    case script(String)
    case registry(FetchError)
    case loadedAlready(String)
    case notLoaded(String)

    package var description: String {
        switch self {
        case .identifierMismatch(let prefix, let found):
            "the widget's identifier must begin with the bundle's, \(prefix), and is \(found)"
        case .bundle(let error): "\(error)"
        case .archive(let error): "\(error)"
        case .program(let error): "\(error)"
        case .tooLarge(let limit): "the files that say what the widget is exceed \(limit) bytes"
        case .store(let error): "\(error)"
        case .storeDamaged(let what): "the widget's store is damaged: \(what)"
        case .storeInUse(let path, let holder):
            "the store \(path) is in use by \(holder); end that first, or keep this widget elsewhere"
        case .storeOfAnother(let path, let origin):
            "the store \(path) belongs to a widget from elsewhere that has the same identifier: \(origin)"
        case .file(let error): "\(error)"
        case .script(let what): what
        case .registry(let error): "\(error)"
        case .loadedAlready(let identifier):
            "a widget \(identifier) is loaded already; another one needs another identifier"
        case .notLoaded(let identifier): "no widget \(identifier) is loaded"
        }
    }
}
