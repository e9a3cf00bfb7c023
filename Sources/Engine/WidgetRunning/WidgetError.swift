package import WidgetBundles
internal import WidgetDocuments
package import WidgetFiles
package import WidgetFormats
package import WidgetZip

/// The reason why a widget could not be loaded, kept or driven.
package enum WidgetError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The identifier of a widget begins with its bundle's: one bundle may be several widgets.
    case identifierMismatch(expectedPrefix: String, found: String)
    /// The path could not be opened, or there was no room for work in progress.
    case source(FileError)
    /// The bundle was refused.
    case bundle(BundleError)
    /// The bundle's source could not be compiled, for that reason.
    case build(String)
    case archive(ZipError)
    case program(FormatError)
    /// The files of the program have more than `limit` bytes together.
    case tooLarge(limit: Int)
    /// The database of its data has failed, for that reason.
    case store(String)
    /// The store belongs to another process, or to another widget of this one.
    case storeInUse(path: String, holder: String)
    /// The store belongs to a widget from elsewhere with the same identifier.
    case storeOfAnother(path: String, origin: String)
    case file(FileError)
    /// The last view is too large to be kept.
    case viewTooLarge(byteCount: Int, limit: Int)
    /// The system's library has failed to compute a digest.
    case noDigest
    case script(String)

    /// True if the bundle has no screen to begin with where one is looked for.
    package var lacksFirstScreen: Bool {
        guard case .program(let error) = self else { return false }
        switch error {
        case .missingStoryboard, .noInitialViewController: return true
        case .interface, .model, .document: return false
        }
    }

    /// True if the bundle is at fault, and would be at any other time and on any other machine.
    package var isFaultOfBundle: Bool {
        switch self {
        case .bundle(let error): error.isRefusal
        case .build, .program, .tooLarge: true
        case .archive(let error): error.isRefusal
        case .source, .identifierMismatch, .store, .storeInUse, .storeOfAnother, .file, .viewTooLarge, .noDigest,
            .script:
            false
        }
    }

    /// True if the documents of the bundle are at fault.
    package var isAboutDocuments: Bool {
        if case .program(.document) = self { true } else { false }
    }

    /// The first document, if the bundle has documents and does not have that one.
    package var missingDocument: String? {
        if case .program(.document(.missing(let name))) = self { name } else { nil }
    }

    package var description: String {
        switch self {
        case .identifierMismatch(let prefix, let found):
            "the widget's identifier must begin with the bundle's, \(prefix), and is \(found)"
        case .source(let error): "\(error)"
        case .bundle(let error): "\(error)"
        case .build(let reason): reason
        case .archive(let error): "\(error)"
        case .program(let error): "\(error)"
        case .tooLarge(let limit): "the files that say what the widget is exceed \(limit) bytes"
        case .store(let reason): reason
        case .storeInUse(let path, let holder):
            "the store \(path) is in use by \(holder); end that first, or keep this widget elsewhere"
        case .storeOfAnother(let path, let origin):
            "the store \(path) belongs to a widget from elsewhere that has the same identifier: \(origin)"
        case .file(let error): "\(error)"
        case .viewTooLarge(let byteCount, let limit):
            "the last view has \(byteCount) bytes, and is not kept; the limit is \(limit)"
        case .noDigest: "the system's library could not compute a digest"
        case .script(let sentence): sentence
        }
    }
}
