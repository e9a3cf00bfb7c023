/// Why a file could not be read.
package enum FileFailure: Error, Equatable, Sendable {
    case notFound
    case notPermitted
    case isDirectory
    case tooLarge(byteLimit: Int)
    case unreadable

    var sentence: String {
        switch self {
        case .notFound: "there is no such file"
        case .notPermitted: "reading the file is not permitted"
        case .isDirectory: "this is a directory, not a file"
        case .tooLarge: "the file is too large"
        case .unreadable: "the file cannot be read"
        }
    }
}
