internal import Bytes
package import HTTPServer
package import RegistryContract

// The names of the contract as segments of a path, with the problem of a segment that is none.

extension WidgetIdentifier: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = WidgetIdentifier(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchWidget, "This is no widget identifier: \(WidgetIdentifier.law)")
        }
        self = name
    }
}

extension BundleIdentifier: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = BundleIdentifier(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchBundle, "This is no bundle identifier: \(BundleIdentifier.law)")
        }
        self = name
    }
}

extension ReleaseKey: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = ReleaseKey(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchRelease, "This is no release key: \(ReleaseKey.law)")
        }
        self = name
    }
}

extension ChannelName: PathParameter {
    package init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let name = ChannelName(bytes: pathSegment) else {
            throw ProblemCatalogue.problem(.noSuchChannel, "This is no channel's name: \(ChannelName.law)")
        }
        self = name
    }
}

extension ProblemCode: PathParameter {
    package init?(pathSegment: Span<UInt8>) {
        guard let text = String(pathSegment: pathSegment) else { return nil }
        self.init(rawValue: text)
    }
}

/// The digest of an archive.
struct BlobDigest: PathParameter, Sendable {
    let digest: Digest

    init(pathSegment: Span<UInt8>) throws(Problem) {
        guard let digest = Digest(hex: pathSegment) else {
            throw ProblemCatalogue.problem(
                .noSuchBlob, "This is no digest: 64 lower-case hexadecimal digits are.")
        }
        self.digest = digest
    }
}

/// The last segment of a path that names an archive: `WidgetDemo.zip`.
struct ArchiveName: PathParameter, Sendable {
    /// Without the ending.
    private let text: String

    init?(pathSegment: Span<UInt8>) {
        guard let text = String(pathSegment: pathSegment), text.utf8.count > 4, text.lowercased().hasSuffix(".zip")
        else {
            return nil
        }
        self.text = String(text.dropLast(4))
    }

    /// What the archive's top folder is called, without its ending.
    var folderName: String {
        let ending = ".bundle"
        return text.hasSuffix(ending) && text.utf8.count > ending.utf8.count
            ? String(text.dropLast(ending.utf8.count)) : text
    }
}

// MARK: Queries

extension Request: QuerySource {
    package func parameter(_ name: StaticString) -> String? { query(name) }
}

extension Request {
    /// A parameter that stands alone; the problem names the values it takes.
    borrowing func query<Value>(_ parameter: QueryParameter<Value>) throws(Problem) -> Value? {
        try rethrowing(try parameter.value(in: self), as: ProblemCatalogue.unreadable)
    }
}
