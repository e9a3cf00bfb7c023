internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Locks
package import Registry

/// Answers everything that can be read, without waiting for a disk on an event loop.
///
/// What was answered once is kept and sent again from memory until a change touches it. What has to be looked up is
/// answered later, from a queue. A reader who sees only part of the registry shares nothing: those answers are made
/// anew each time, and say that nobody else may keep them.
package final class Reading: Sendable {
    package struct Options: Sendable {
        /// What kept documents may take in memory.
        package var documentBytes = 64 << 20
        /// How many archives are held open.
        package var openArchives = 256
        /// What files that are being sent apart from their archives may take in memory.
        package var expandedBytes = 128 << 20
        package var eventStream = EventStreamOptions()

        package init() {}
    }

    let registry: Registry
    let access: any ReadAccess
    let work: WorkQueue
    let documents: ReadCache<DocumentKey, KeptAnswer>
    let archives: ReadCache<Digest, OpenArchive>
    let damaged = DamagedArchives()
    let contents: SharedContents
    let feed: ChangeFeed
    let page: StartPage

    /// - Parameters:
    ///   - work: where lookups are done; writing should have another, so that reading never waits for it.
    ///   - address: where clients reach the server, for lines that people paste.
    package init(
        registry: Registry, access: any ReadAccess = OpenReading(), work: WorkQueue, options: Options = Options(),
        address: @escaping @Sendable () -> String
    ) {
        self.registry = registry
        self.access = access
        self.work = work
        documents = ReadCache(budget: options.documentBytes, queue: work)
        contents = SharedContents(budget: options.expandedBytes)
        archives = ReadCache(budget: options.openArchives, shardCount: 1, queue: work)
        // A queue of its own: many who catch up at once must not keep everybody else waiting.
        feed = ChangeFeed(work: WorkQueue("widgetd.feed", width: 1), options: options.eventStream)
        page = StartPage(address: address)
        // The registry keeps its observer, so the observer must not keep the registry: none of these does.
        registry.observe { [documents, archives, damaged, feed] change in
            damaged.forget(about: change.bundleIdentifier)
            Reading.forget(change, documents, archives)
            feed.publish(change)
        }
    }

    /// What a kept answer takes besides its bytes: heads of both representations, keys and tables.
    static let overhead = 4_096

    /// The subject of answers that are about the registry as a whole.
    static let everything = ""

    private static func forget(
        _ change: RegistryChange, _ documents: ReadCache<DocumentKey, KeptAnswer>,
        _ archives: ReadCache<Digest, OpenArchive>
    ) {
        documents.forget(about: change.bundleIdentifier)
        documents.forget(about: everything)
        if change.isNewBundle { documents.forget { $0.mayMatch(change.bundleIdentifier) } }
        // Nothing else takes an archive out of sight.
        if change.kind == .withdraw { archives.forget(about: change.bundleIdentifier) }
    }

    // MARK: Answering

    /// A document about one bundle, or about everything, as everybody or as one reader sees it.
    func document(
        _ request: borrowing Request, _ key: DocumentKey, about subject: String = everything,
        _ draft: @escaping @Sendable (Registry, Reader) throws(Problem) -> Draft
    ) throws(Problem) -> Answer {
        let reader = try access.reader(request)
        guard subject == Reading.everything || reader.sees(subject) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(subject, spelling: nil))
        }
        guard reader.isAnyone else {
            return work.answer { [registry] () throws(Problem) in
                .resource(try draft(registry, reader).resource(.privately))
            }
        }
        return kept(key) { [registry] () throws(Problem) in
            let draft = try draft(registry, reader)
            return ReadCache.Made(
                value: .document(draft.resource(draft.caching)), subject: subject,
                cost: Reading.overhead + draft.bytes.count * 2 + key.text.utf8.count * 2)
        }
    }

    /// What is kept under a key, or will be.
    private func kept(
        _ key: DocumentKey, _ make: @escaping @Sendable () throws(Problem) -> ReadCache<DocumentKey, KeptAnswer>.Made
    ) -> Answer {
        atHand(key, Wanted()) ?? later(key, Wanted(), make)
    }

    /// What is kept under a key.
    func atHand(_ key: DocumentKey, _ wanted: Wanted) -> Answer? {
        documents[key].map { answer($0, wanted) }
    }

    /// What will be kept under a key. Asked only when nothing is at hand: what it needs to know has to be gathered.
    func later(
        _ key: DocumentKey, _ wanted: Wanted,
        _ make: @escaping @Sendable () throws(Problem) -> ReadCache<DocumentKey, KeptAnswer>.Made
    ) -> Answer {
        .later { [self] responder in
            documents.make(key, make) { result in
                switch result {
                case .success(let value): responder.answer(self.answer(value, wanted))
                case .failure(let problem): responder.answer(.problem(problem))
                }
            }
        }
    }

    /// What a request wants of a kept answer.
    struct Wanted: Sendable {
        var have: Digest?
        var bucket = ResolveParameters.defaultBucket
        /// The name that the archive's folder must have.
        var name: String?
    }

    private func answer(_ value: KeptAnswer, _ wanted: Wanted) -> Answer {
        switch value {
        case .document(let resource): return .resource(resource)
        case .resolution(let resolution):
            if let resource = resolution.resource(have: wanted.have) { return .resource(resource) }
            return work.answer { .resource(resolution.makeTwin()) }
        case .archives(let choice):
            do throws(Problem) {
                let part = try choice.part(of: wanted.bucket)
                try Reading.require(part.name, is: wanted.name, digest: part.digest)
                return archive(part.digest, isNamed: true, for: .anyone)
            } catch {
                return .problem(error)
            }
        }
    }

    /// What the registry says, with its refusals as problems that tell a reader of nothing they may not know of.
    static func ask<Value>(
        _ reader: Reader, _ question: () throws(RegistryError) -> Value
    ) throws(Problem) -> Value {
        do throws(RegistryError) {
            return try question()
        } catch {
            if case .noSuchBundle(let identifier, let spelling?) = error, !reader.sees(spelling) {
                throw ProblemCatalogue.problem(RegistryError.noSuchBundle(identifier, spelling: nil))
            }
            throw ProblemCatalogue.problem(error)
        }
    }
}

/// A document before anybody has decided who may keep it.
struct Draft: Sendable {
    var mediaType = "application/json"
    var bytes: [UInt8]
    var caching = Document.Caching.briefly
    var fields = FieldBlock()
    var variesByType = false
    var isCompressible = true

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func resource(_ caching: Document.Caching) -> Resource {
        Document.resource(
            mediaType, bytes, caching, fields: fields, variesByType: variesByType, isCompressible: isCompressible)
    }
}
