internal import Bytes
internal import HTTPServer
internal import Registry

extension Reading {
    /// `GET /v1/blobs/sha256/{hex}`
    func blob(_ request: borrowing Request, _ blob: BlobDigest) throws -> Answer {
        archive(blob.digest, isNamed: false, for: try access.reader(request))
    }

    /// An archive from its open file, or once it has been opened.
    func archive(_ digest: Digest, isNamed: Bool, for reader: Reader) -> Answer {
        guard reader.isAnyone else {
            return work.answer { [self] () throws(Problem) in
                .resource(try opened(digest, for: reader).resource(isNamed: isNamed, for: reader))
            }
        }
        if let open = archives[digest] {
            if open.isIntact { return .resource(open.resource(isNamed: isNamed, for: reader)) }
            // Somebody touched the file: it is compared with its digest again before another byte of it is sent.
            archives.forget(digest)
        }
        return .later { [self] responder in
            archives.make(digest) { [self] () throws(Problem) in
                try open(digest, for: reader)
            } then: { result in
                switch result {
                case .success(let open): responder.answer(.resource(open.resource(isNamed: isNamed, for: reader)))
                case .failure(let problem): responder.answer(.problem(problem))
                }
            }
        }
    }

    /// An archive that is open and intact already, or is opened and stays so for others. Blocks.
    func opened(_ digest: Digest, for reader: Reader) throws(Problem) -> OpenArchive {
        if let open = archives[digest], open.isIntact {
            guard reader.sees(open.bundleIdentifier) else {
                throw ProblemCatalogue.problem(RegistryError.noSuchBlob(digest))
            }
            return open
        }
        return try archives.keep(digest) { () throws(Problem) in try open(digest, for: reader) }
    }

    /// Opens an archive, if it may be read and is what it was. Blocks, for as long as reading all of it takes if
    /// nobody has compared it with its digest before.
    func open(_ digest: Digest, for reader: Reader) throws(Problem) -> ReadCache<Digest, OpenArchive>.Made {
        let owner = try Reading.ask(reader) { () throws(RegistryError) in try registry.releaseOfBlob(digest) }
        guard reader.sees(owner.bundleIdentifier) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBlob(digest))
        }
        if let (key, withdrawal) = owner.withdrawal {
            throw ProblemCatalogue.withdrawn(owner.bundleIdentifier, key, withdrawal)
        }
        let blob: Blob
        do throws(Problem) {
            blob = try Reading.ask(reader) { () throws(RegistryError) in try registry.openBlob(digest) }
        } catch {
            guard error.code == ProblemCode.blobDamaged.rawValue else { throw error }
            damaged.note(digest, of: owner.bundleIdentifier)
            var error = error
            let keys = owner.releases.map(\.key).joined(separator: ", ")
            error.reason = "\(owner.bundleIdentifier) \(keys): \(error.reason ?? digest.hex)"
            throw error
        }
        damaged.forget(digest)
        let open = OpenArchive(
            blob, bundleIdentifier: owner.bundleIdentifier, name: owner.releases.first?.name ?? digest.hex)
        return ReadCache.Made(value: open, subject: owner.bundleIdentifier, cost: 1)
    }
}
