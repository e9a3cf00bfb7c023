internal import Bytes
internal import HTTPServer
internal import Locks
internal import Registry

/// What is kept between requests.
enum KeptAnswer: Sendable {
    case document(Resource)
    case resolution(KeptResolution)
    /// Which archive each bucket is sent.
    case archives(ArchiveChoice)
}

/// The archives that a widget identifier leads to.
struct ArchiveChoice: Sendable {
    struct Part: Sendable {
        let buckets: Range<Int>
        let digest: Digest
        let name: String
    }

    let bundleIdentifier: String
    let channel: String
    let parts: [Part]

    init(_ resolution: Resolution) {
        bundleIdentifier = resolution.bundleIdentifier
        channel = resolution.channel
        parts = resolution.candidates.map {
            Part(buckets: $0.buckets, digest: $0.release.digest, name: $0.release.name)
        }
    }

    func part(of bucket: Int) throws(Problem) -> Part {
        guard let part = parts.first(where: { $0.buckets.contains(bucket) }) else {
            throw ProblemCatalogue.problem(
                RegistryError.noCompatibleRelease(bundle: bundleIdentifier, channel: channel))
        }
        return part
    }
}

/// A resolution's document, and the same for a host that has it all, made when the first one asks.
final class KeptResolution: Sendable {
    let document: Resource
    /// The digest by which a host is up to date; `nil` while several archives are rolled out.
    let digest: Digest?
    private let write: @Sendable () -> Resource
    private let twin = Guarded<Resource?>(nil)

    init(document: Resource, digest: Digest?, upToDate write: @escaping @Sendable () -> Resource) {
        self.document = document
        self.digest = digest
        self.write = write
    }

    /// What is at hand for a host that has an archive; `nil` when it has to be made.
    func resource(have: Digest?) -> Resource? {
        guard let have, have == digest else { return document }
        return twin.withLock { $0 }
    }

    /// The document for a host that is up to date. Takes the time to compress one.
    func makeTwin() -> Resource {
        if let made = twin.withLock({ $0 }) { return made }
        let made = write()
        twin.withLock { $0 = made }
        return made
    }
}
