/// Something that was accepted, and that its publisher should know.
package struct BundleWarning: Equatable, Sendable {
    package enum Code: String, Equatable, Sendable {
        case versionDefaulted = "version-defaulted"
        case buildDefaulted = "build-defaulted"
        case nameDefaulted = "name-defaulted"
        case separatorsReplaced = "separators-replaced"
        case nameNormalized = "name-normalized"
    }

    package var code: Code
    package var path: String
    package var detail: String

    init(_ code: Code, path: String, detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }
}
