internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The answers to reads: cached ones are sent at once, others are loaded on a queue.
///
/// A reader who sees only part of the registry shares nothing: those answers are loaded each time, and forbid
/// shared caches to keep them.
final class ResponseCache: Sendable {
    /// The parts of an entry that a request wants.
    struct Variant: Sendable {
        /// The archive that the host has.
        var have: Digest?
        var bucket = Rollout.lastBucket
        /// The name that the archive's folder must have.
        var name: String?
        /// True if the archive may be sent by the store that has it.
        var mayRedirect = false
    }

    typealias Load = @Sendable (Registry, Digest?) throws(Problem) -> ReadCache<CacheKey, CacheEntry>.Loaded

    let registry: Registry
    let work: WorkQueue
    let archives: ArchiveCache
    private let access: any ReadAccess
    private let entries: ReadCache<CacheKey, CacheEntry>

    /// Memory that an entry takes besides its bytes: heads of both representations, keys and tables.
    static let overhead = 4_096

    /// The subject of answers that are about the registry as a whole.
    static let everything = ""

    init(_ registry: Registry, access: any ReadAccess, work: WorkQueue, archives: ArchiveCache, byteCount: Int) {
        self.registry = registry
        self.access = access
        self.work = work
        self.archives = archives
        entries = ReadCache(budget: byteCount, queue: work)
    }

    var lookups: (hits: UInt64, misses: UInt64) { entries.lookups }

    /// Evicts the answers that a change makes stale.
    func forget(_ change: RegistryChange) {
        entries.forget(about: change.bundleIdentifier)
        entries.forget(about: ResponseCache.everything)
        if change.isNewBundle { entries.forget { $0.mayMatch(change.bundleIdentifier) } }
    }

    /// Evicts the pages that show parts of releases: those about one bundle, or all.
    func forgetParts(of bundle: String?) {
        guard let bundle else { return entries.forget { $0.showsParts } }
        entries.forget(about: bundle)
        entries.forget(about: ResponseCache.everything)
    }

    func reader(_ request: borrowing Request) throws(Problem) -> Reader { try access.reader(request) }

    /// The cached answer, for a reader that sees the whole registry.
    func cached(_ key: CacheKey, _ variant: Variant, for reader: Reader) -> Answer? {
        guard reader.isAnyone, registry.mayGiveCached, let entry = entries[key] else { return nil }
        return answer(entry, key, variant, for: reader)
    }

    /// An answer that is loaded: once and cached for readers of the whole registry, each time for another reader.
    ///
    /// - Parameters:
    ///   - refuse: makes the answer of a problem.
    ///   - load: makes the entry; given the archive that a host has, the one for hosts that are up to date.
    func load(
        _ key: CacheKey, _ variant: Variant, for reader: Reader,
        refusing refuse: @escaping @Sendable (Problem) -> Answer = { .problem($0) }, _ load: @escaping Load
    ) -> Answer {
        .later { [self] responder in
            @Sendable func respond(_ result: Result<CacheEntry, Problem>, _ key: CacheKey) {
                switch result {
                case .success(let entry):
                    if let answer = answer(entry, key, variant, for: reader) { return responder.answer(answer) }
                    // The host is up to date, and the first to ask since something changed.
                    let other = key.upToDate
                    entries.load(other, { () throws(Problem) in try load(self.registry, variant.have) }) {
                        respond($0, other)
                    }
                case .failure(let problem): responder.answer(refuse(problem))
                }
            }
            guard reader.isAnyone, registry.mayGiveCached else {
                work.run { [self] in
                    do throws(Problem) {
                        respond(.success(try load(registry, variant.have).value), key.upToDate)
                    } catch {
                        respond(.failure(error), key)
                    }
                }
                return
            }
            entries.load(key, { () throws(Problem) in try load(self.registry, nil) }) { respond($0, key) }
        }
    }

    /// A document about one bundle, or about the whole registry, as the reader sees it.
    ///
    /// - Parameters:
    ///   - refuse: makes the answer of a problem that comes while the document is made.
    ///   - make: makes the document with the caching that the reader's view allows.
    func document(
        _ request: borrowing Request, _ key: CacheKey, about subject: String = everything,
        refusing refuse: @escaping @Sendable (Problem) -> Answer = { .problem($0) },
        _ make: @escaping @Sendable (Registry, Reader) throws(Problem) -> Resource
    ) throws(Problem) -> Answer {
        let reader = try reader(request)
        guard subject == ResponseCache.everything || reader.sees(subject) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(subject, spelling: nil))
        }
        if let answer = cached(key, Variant(), for: reader) { return answer }
        return load(key, Variant(), for: reader, refusing: refuse) { registry, _ throws(Problem) in
            let resource = try make(registry, reader)
            return (
                .document(resource, archive: nil), subject,
                ResponseCache.overhead + resource.byteCount * 2 + key.text.utf8.count * 2
            )
        }
    }

    /// - Returns: `nil` when the entry leads to another that is not cached.
    private func answer(_ entry: CacheEntry, _ key: CacheKey, _ variant: Variant, for reader: Reader) -> Answer? {
        switch entry {
        case .document(let resource, let archive):
            guard let have = variant.have, have == archive, key.kind == .resolution else { return .resource(resource) }
            // Read before a change that the resolution was read after, it may be for hosts with another archive.
            guard case .document(let other, have)? = entries[key.upToDate] else { return nil }
            return .resource(other)
        case .archives(let bundle, let channel, let parts):
            guard let part = parts.first(where: { $0.buckets.contains(variant.bucket) }) else {
                return .problem(
                    ProblemCatalogue.problem(RegistryError.noCompatibleRelease(bundle: bundle, channel: channel)))
            }
            if let name = variant.name, name != part.name {
                return .problem(ResponseCache.anotherName(part.name, name, part.digest))
            }
            return archives.answer(part.digest, isNamed: true, for: reader, mayRedirect: variant.mayRedirect)
        }
    }

    /// A host that makes a folder's name of the address must not get another folder.
    private static func anotherName(_ name: String, _ wanted: String, _ digest: Digest) -> Problem {
        ProblemCatalogue.problem(
            .notFound,
            "The archive's folder is \(name).bundle, not \(wanted).bundle: ask for \(name).zip here, or for bundle to get "
                + "it under any name. It is also at \(RegistryPath.blob(digest)).")
    }

    /// Asks the registry; its refusals become problems that reveal nothing hidden from the reader.
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

/// A cached answer.
enum CacheEntry: Sendable {
    /// - archive: for a resolution, the archive that every host gets if all buckets get the same. A host that has it is up
    ///   to date; the answer to those hosts is another entry.
    case document(Resource, archive: Digest?)
    /// The archive that each bucket is sent.
    case archives(bundle: String, channel: String, parts: [(buckets: Range<Int>, digest: Digest, name: String)])
}

/// The question that a cached answer answers.
struct CacheKey: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case resolution, upToDate, archive, bundles, bundle, channels, channel, releases, release, report,
            reportText, files, diff, changes, catalogue, bundlePage, releasePage, alonePage, comparePage, filePage,
            part, feed, embedPage
    }

    let kind: Kind
    /// The parameters that decide, in one text. Only sets of them that nothing answers to can have the same.
    let text: String

    /// - Parameter parts: in the order the kind has them. A line end can stand only in what lists of bundles are narrowed
    ///   by, and no bundle has one in its identifier or name's search text, so the lists that share a key are all empty.
    init(_ kind: Kind, _ parts: String?...) {
        self.kind = kind
        text = parts.map { $0 ?? "" }.joined(separator: "\n")
    }

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The key of a widget's answer. Neither the archive that a host has nor its bucket is part of it.
    init(_ kind: Kind, _ widget: WidgetIdentifier, _ parameters: ResolveParameters) {
        let channel = parameters.channel ?? ChannelName.standard
        if parameters.os == nil, parameters.host == nil, parameters.pin == nil {
            if channel == ChannelName.standard {
                self.init(kind, widget.text)
            } else {
                self.init(kind, widget.text, channel)
            }
        } else {
            self.init(kind, widget.text, channel, parameters.os, parameters.host, parameters.pin)
        }
    }

    /// The key of the same resolution for hosts that have the one archive it leads to.
    var upToDate: CacheKey { CacheKey(.upToDate, text) }

    /// True for pages that show parts of releases, and for parts.
    var showsParts: Bool {
        switch kind {
        case .catalogue, .bundlePage, .releasePage, .alonePage, .comparePage, .filePage, .part, .embedPage: true
        case .resolution, .upToDate, .archive, .bundles, .bundle, .channels, .channel, .releases, .release, .report,
            .reportText, .files, .diff, .changes, .feed:
            false
        }
    }

    /// True if publishing the first release of a bundle may change the answer: a longer identifier matches better.
    func mayMatch(_ bundleIdentifier: String) -> Bool {
        switch kind {
        case .resolution, .upToDate, .archive, .embedPage: text.utf8.starts(with: bundleIdentifier.utf8)
        case .bundles, .bundle, .channels, .channel, .releases, .release, .report, .reportText, .files, .diff, .changes,
            .catalogue, .bundlePage, .releasePage, .alonePage, .comparePage, .filePage, .part, .feed:
            false
        }
    }
}
