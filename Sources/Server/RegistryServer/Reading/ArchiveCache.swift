internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The archives that are held open for sending.
final class ArchiveCache: Sendable {
    private let registry: Registry
    private let work: WorkQueue
    private let archives: ReadCache<Digest, OpenArchive>
    private let damaged = DamagedArchives()

    init(_ registry: Registry, work: WorkQueue, count: Int) {
        self.registry = registry
        self.work = work
        archives = ReadCache(budget: count, shardCount: 1, queue: work)
    }

    var lookups: (hits: UInt64, misses: UInt64) { archives.lookups }
    var damagedCount: Int { damaged.count }

    /// Closes the archives that a change makes unavailable.
    func forget(_ change: RegistryChange) {
        damaged.forget(about: change.bundleIdentifier)
        // Only these changes make an archive unavailable.
        if [.withdraw, .expire].contains(change.kind) { archives.forget(about: change.bundleIdentifier) }
    }

    /// An archive by its digest. A hidden archive and a missing one are looked up and answered in the same way.
    func answer(_ digest: Digest, for reader: Reader, mayRedirect: Bool) -> Answer {
        guard !reader.isAnyone else {
            return answer(digest, isNamed: false, for: reader, mayRedirect: mayRedirect)
        }
        return work.answer { [self] () throws(Problem) in
            let owner = try ResponseCache.ask(reader) { () throws(RegistryError) in try registry.bundle(ofBlob: digest)
            }
            let isSeen = reader.sees(owner.identifier)
            guard owner.isFound, isSeen else { throw ProblemCatalogue.problem(RegistryError.noSuchBlob(digest)) }
            if mayRedirect, let redirect = redirect(digest, isNamed: false, for: reader) { return .resource(redirect) }
            return .resource(try opened(digest, for: reader).resource(isNamed: false, for: reader))
        }
    }

    /// An archive from the store, if clients may be sent there, else from here.
    func answer(_ digest: Digest, isNamed: Bool, for reader: Reader, mayRedirect: Bool) -> Answer {
        guard mayRedirect, registry.redirects else { return answer(digest, isNamed: isNamed, for: reader) }
        return .later { [self] responder in
            work.run { [self] in
                let redirect = redirect(digest, isNamed: isNamed, for: reader)
                responder.answer(redirect.map { .resource($0) } ?? answer(digest, isNamed: isNamed, for: reader))
            }
        }
    }

    /// The way to an archive that may be read, at the store; `nil`: it is sent from here, or it is said here why not.
    private func redirect(_ digest: Digest, isNamed: Bool, for reader: Reader) -> Resource? {
        guard registry.redirects, let owner = try? readable(digest, for: reader),
            let redirect = try? registry.redirect(toBlob: digest, as: OpenArchive.disposition(OpenArchive.name(owner)))
        else { return nil }
        let caching: Document.Caching = reader.isAnyone ? isNamed ? .whileNamed : .whileItLeads : .never
        var fields = Document.commonFields(caching)
        fields.add("Location", redirect.address)
        return OpenArchive.resource(
            digest, OpenArchive.name(owner), .bytes([]), modified: redirect.published,
            reader.caching(isNamed ? .briefly : .forever), isNamed: isNamed,
            redirect: Response(.temporaryRedirect, fields: fields))
    }

    /// An archive from its open file, or once it has been opened.
    private func answer(_ digest: Digest, isNamed: Bool, for reader: Reader) -> Answer {
        guard reader.isAnyone, registry.mayGiveCached else {
            return work.answer { [self] () throws(Problem) in
                .resource(try opened(digest, for: reader).resource(isNamed: isNamed, for: reader))
            }
        }
        if registry.mayGiveCached, let open = archives[digest] {
            if open.isIntact { return .resource(open.resource(isNamed: isNamed, for: reader)) }
            // The file was touched: it is compared with its digest again before another byte of it is sent.
            archives.forget(digest)
        }
        return .later { [self] responder in
            archives.load(digest) { [self] () throws(Problem) in
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
        if registry.mayGiveCached, let open = archives[digest], open.isIntact {
            guard reader.sees(open.bundleIdentifier) else {
                throw ProblemCatalogue.problem(RegistryError.noSuchBlob(digest))
            }
            return open
        }
        guard registry.mayGiveCached else { return try open(digest, for: reader).value }
        return try archives.keep(digest) { () throws(Problem) in try open(digest, for: reader) }
    }

    /// Opens an archive, if it may be read and is what it was. Blocks, for as long as reading all of it takes if
    /// it was not compared with its digest before.
    private func open(_ digest: Digest, for reader: Reader) throws(Problem) -> ReadCache<Digest, OpenArchive>.Loaded {
        let owner = try readable(digest, for: reader)
        let blob: Blob
        do throws(Problem) {
            blob = try ResponseCache.ask(reader) { () throws(RegistryError) in try registry.openBlob(digest) }
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
            blob, bundleIdentifier: owner.bundleIdentifier, name: OpenArchive.name(owner))
        return (open, owner.bundleIdentifier, 1)
    }

    /// The releases of an archive, if it may be read.
    private func readable(_ digest: Digest, for reader: Reader) throws(Problem) -> BlobOwner {
        let owner = try ResponseCache.ask(reader) { () throws(RegistryError) in try registry.releaseOfBlob(digest) }
        guard reader.sees(owner.bundleIdentifier) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBlob(digest))
        }
        if let release = owner.lastGone, let problem = ProblemCatalogue.gone(release) { throw problem }
        return owner
    }
}

/// An archive that is open for sending, with the answers that send it.
struct OpenArchive: Sendable {
    let blob: Blob
    let bundleIdentifier: String
    /// The file name it is offered under, without the ending.
    let name: String
    /// The answer at the archive's own address, which never changes.
    let immutable: Resource
    /// The answer under a widget's name, which may be another tomorrow.
    let named: Resource

    init(_ blob: Blob, bundleIdentifier: String, name: String) {
        self.blob = blob
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        immutable = OpenArchive.resource(blob, name, .forever, isNamed: false)
        named = OpenArchive.resource(blob, name, .briefly, isNamed: true)
    }

    /// True if the file is still the one whose bytes were compared with the digest. Asks the system, not the disk.
    var isIntact: Bool {
        (try? blob.file.descriptor.status()) == blob.status
    }

    static func disposition(_ name: String) -> String { ContentDisposition.attachment(fileName: "\(name).zip") }

    static func name(_ owner: BlobOwner) -> String { owner.releases.first?.name ?? owner.digest.hex }

    func resource(isNamed: Bool, for reader: Reader) -> Resource {
        guard reader.isAnyone else { return OpenArchive.resource(blob, name, .privately, isNamed: isNamed) }
        return isNamed ? named : immutable
    }

    private static func resource(_ blob: Blob, _ name: String, _ caching: Document.Caching, isNamed: Bool) -> Resource {
        resource(
            blob.digest, name,
            .file(OpenFile(blob.file.descriptor.number, of: blob.file), offset: 0, count: blob.byteCount),
            modified: blob.modified, caching, isNamed: isNamed)
    }

    /// - Parameter redirect: the answer in place of the content.
    fileprivate static func resource(
        _ digest: Digest, _ name: String, _ content: Resource.Content, modified: Int64, _ caching: Document.Caching,
        isNamed: Bool, redirect: Response? = nil
    ) -> Resource {
        var fields = Document.commonFields(caching)
        fields.add("Repr-Digest", "sha-256=:\(digest.base64):")
        fields.add("Content-Disposition", disposition(name))
        if isNamed { fields.add("Content-Location", RegistryPath.blob(digest)) }
        return Resource(
            mediaType: "application/zip", content: content,
            validators: Validators(entityTag: "\"sha256-\(digest.hex)\"", lastModified: modified), fields: fields,
            // A resume under a changing name must prove that it continues with the same bytes.
            rangePolicy: isNamed ? .onlyWithIfRange : .always, redirect: redirect)
    }
}

/// Archives that readers asked for and that are not what was stored, until one reads them whole again or their bundle
/// changes.
private final class DamagedArchives: Sendable {
    private let bundles = Guarded<[Digest: String]>([:])

    var count: Int { bundles.withLock { $0.count } }

    func note(_ digest: Digest, of bundle: String) {
        bundles.withLock { $0[digest] = bundle }
    }

    func forget(_ digest: Digest) {
        bundles.withLock { _ = $0.removeValue(forKey: digest) }
    }

    func forget(about bundle: String) {
        bundles.withLock { bundles in
            if !bundles.isEmpty { bundles = bundles.filter { $0.value != bundle } }
        }
    }
}
