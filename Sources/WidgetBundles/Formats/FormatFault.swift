/// What is wrong with a file that has the right name, and where in it.
package struct FormatFault: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case wrongMagic
        case truncated
        case invalidHeader
        case invalidPart
        case partOutOfBounds
        case tableOutOfBounds
        case tablesOverlap
        case hiddenData
        case noPicture
        case tooManyPixels(limit: Int)
        case checksumMismatch
        case dataAfterEnd
        case notAnArchive
        case unknownVersion
    }

    package var reason: Reason
    package var offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension FormatFault.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongMagic: "it does not begin as such a file does"
        case .truncated: "it ends too early"
        case .invalidHeader: "its header makes no sense"
        case .invalidPart: "one of its parts makes no sense"
        case .partOutOfBounds: "one of its parts reaches beyond the end of the file"
        case .tableOutOfBounds: "one of its tables reaches beyond the end of the file"
        case .tablesOverlap: "one of its tables reaches into another"
        case .hiddenData: "something lies between its tables that belongs to none of them"
        case .noPicture: "it holds no picture"
        case .tooManyPixels(let limit): "it holds a picture of more than \(limit) pixels"
        case .checksumMismatch: "a checksum inside it does not match"
        case .dataAfterEnd: "something follows its end"
        case .notAnArchive: "it is a property list, but not a keyed archive"
        case .unknownVersion: "its version is unknown"
        }
    }
}
