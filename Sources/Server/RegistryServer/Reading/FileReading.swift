internal import HTTPWire
internal import RegistryContract
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetZip

/// The route that reads a single file of a release.
struct FileReading: Sendable {
    let answers: ResponseCache
    /// Files that are small, and the others: those never keep these from being sent.
    private let small: SharedContents
    private let large: SharedContents

    /// Files of at most so many bytes are small.
    static let smallByteCount = 64 << 10

    /// - Parameter byteCount: memory for large files that are being sent apart from their archives; small ones have a
    ///   quarter of that for themselves.
    init(_ answers: ResponseCache, byteCount: Int) {
        self.answers = answers
        small = SharedContents(budget: byteCount / 4)
        large = SharedContents(budget: byteCount)
    }

    /// `GET /v1/bundles/{id}/releases/{key}/files/{path...}`
    func file(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey, _ path: String
    ) throws -> Answer {
        let reader = try answers.reader(request)
        let client = request.client.client
        guard reader.sees(bundle.text) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(bundle.text, spelling: nil))
        }
        return answers.work.answer { [self] () throws(Problem) in
            let (release, files) = try ReleaseReading.files(answers.registry, bundle, key, for: reader)
            guard let file = files.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) else {
                throw ProblemCatalogue.problem(
                    .noSuchFile,
                    "\(bundle.text) \(key.text) has no file \(ProblemCatalogue.quoted(path)); "
                        + "\(RegistryPath.release(bundle.text, key.text))/files lists those it has.")
            }
            return .resource(try resource(file, of: release, for: reader, at: client))
        }
    }

    private func resource(
        _ file: ReleaseFile, of release: Release, for reader: Reader, at client: IPAddress
    ) throws(Problem) -> Resource {
        let caching: Document.Caching = reader.isAnyone ? .forever : .privately
        func resource(_ content: Resource.Content) -> Resource {
            FileReading.resource(file, content, release.published, caching)
        }
        guard file.method != "stored" else {
            let blob = try answers.archives.opened(release.digest, for: reader).blob
            return resource(
                .file(OpenFile(blob.file.descriptor.number, of: blob.file), offset: file.offset, count: file.byteCount))
        }
        let contents = file.byteCount <= FileReading.smallByteCount ? small : large
        let key = SharedContents.Key(digest: file.digest, path: file.path, caching: caching)
        if let resource = contents.share(key, with: client, resource) { return resource }
        let claim = try contents.claim(file.byteCount, for: client)
        defer { contents.release(claim) }
        let open = try answers.archives.opened(release.digest, for: reader)
        let bytes = try FileReading.expand(file, of: release, from: open.blob)
        let made = resource(.bytes(bytes))
        contents.hold(made, of: bytes.capacity, for: key, at: client)
        return made
    }

    private static func resource(
        _ file: ReleaseFile, _ content: Resource.Content, _ published: Int64, _ caching: Document.Caching
    ) -> Resource {
        let type = MediaType(path: file.path)
        var fields = Document.commonFields(caching)
        fields.add("Repr-Digest", "sha-256=:\(file.digest.base64):")
        // The author of the bundle wrote the file; a browser shows it without letting it do anything.
        fields.add("Content-Security-Policy", "default-src 'none'; sandbox")
        if !type.isImage {
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            fields.add("Content-Disposition", ContentDisposition.attachment(fileName: name))
        }
        return Resource(
            mediaType: type.text, content: content,
            validators: Validators(entityTag: "\"sha256-\(file.digest.hex)\"", lastModified: published),
            fields: fields, rangePolicy: .always)
    }

    /// Extracts a file from its archive, and compares it with its checksum.
    static func expand(
        _ file: ReleaseFile, of release: Release, from blob: Blob
    ) throws(Problem) -> [UInt8] {
        // The archive was written by this server and compared with its digest; its size is that of the accepted upload.
        var limits = ZipLimits()
        limits.archiveByteCount = blob.byteCount
        limits.entryByteCount = max(limits.entryByteCount, file.byteCount)
        limits.expandedByteCount = .max
        limits.entryCount = max(limits.entryCount, blob.byteCount / 100)
        limits.ratio = .max
        limits.pathByteCount = 4_096
        limits.pathDepth = 256
        do throws(ZipError) {
            let directory = try ZipDirectory(reading: blob.file.descriptor, limits: limits)
            let name = "\(release.name).bundle/\(file.path)"
            guard let entry = directory.entries.first(where: { $0.name.text == name }),
                entry.byteCount == file.byteCount
            else { throw ZipError(.changedWhileRead, entry: name) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(file.byteCount)
            var reader = try ZipEntryReader()
            _ = try reader.read(entry, from: blob.file.descriptor) { piece throws(FileError) in
                bytes.append(copying: piece)
            }
            return bytes
        } catch {
            var problem = ProblemCatalogue.problem(Refusal.internalFailure)
            problem.reason = "\(release.digest.hex): \(error)"
            throw problem
        }
    }
}

/// The type a file of a bundle is sent as, from the ending of its name; its content was judged when it came in.
struct MediaType: Sendable {
    let text: String
    /// True if browsers show it, rather than offer to save it.
    let isImage: Bool

    init(path: String) {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        text = MediaType.byEnding[ending] ?? "application/octet-stream"
        isImage = text.hasPrefix("image/")
    }

    private static let byEnding = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "json": "application/json", "plist": "application/x-plist",
        "strings": "text/plain; charset=utf-8", "ttf": "font/ttf", "otf": "font/otf",
    ]
}

/// Files that were taken out of their archives and are being sent.
///
/// While one is being read, all requests for it share its bytes. What slow readers of different files hold in memory
/// together has a limit, and what the readers at one address hold has a smaller one.
final class SharedContents: Sendable {
    struct Key: Hashable, Sendable {
        let digest: Digest
        let path: String
        let caching: Document.Caching
        /// Two that were asked for in the same moment may both have been taken out.
        fileprivate var copy = 0

        init(digest: Digest, path: String, caching: Document.Caching) {
            self.digest = digest
            self.path = path
            self.caching = caching
        }
    }

    /// Memory that was promised to a file that is being taken out of its archive.
    struct Claim: Sendable {
        fileprivate let number: Int
    }

    /// A file that is being sent: one resource for each address, all of the same bytes.
    private struct Content {
        struct Held {
            weak var resource: Resource?
        }

        let byteCount: Int
        var readers: [IPAddress: Held]
    }

    private struct State {
        var contents: [Key: Content] = [:]
        var claims: [Int: (client: IPAddress, byteCount: Int)] = [:]
        var next = 0

        /// Forgets what was sent.
        mutating func sweep() {
            for (key, content) in contents {
                let readers = content.readers.filter { $0.value.resource != nil }
                if readers.count < content.readers.count {
                    contents[key] = readers.isEmpty ? nil : Content(byteCount: content.byteCount, readers: readers)
                }
            }
        }

        var used: Int {
            contents.values.reduce(0) { $0 + $1.byteCount } + claims.values.reduce(0) { $0 + $1.byteCount }
        }

        func used(by client: IPAddress) -> Int {
            contents.values.reduce(0) { $1.readers[client] == nil ? $0 : $0 + $1.byteCount }
                + claims.values.reduce(0) { $1.client == client ? $0 + $1.byteCount : $0 }
        }
    }

    private let state = Guarded(State())
    private let budget: Int
    /// The part of the budget for the readers at one address.
    private let share: Int

    /// - Parameter budget: bytes of all that is being sent; one file alone may have more.
    init(budget: Int) {
        self.budget = budget
        share = budget / 8
    }

    /// A file that is being sent to others, for one more reader; `nil` if it is not being sent.
    func share(_ key: Key, with client: IPAddress, _ make: (Resource.Content) -> Resource) -> Resource? {
        state.withLock { state in
            guard let content = state.contents[key] else { return nil }
            if let own = content.readers[client]?.resource { return own }
            guard let other = content.readers.values.lazy.compactMap(\.resource).first else { return nil }
            let made = make(other.content)
            state.contents[key]?.readers[client] = Content.Held(resource: made)
            return made
        }
    }

    /// Claims room for another file until the claim is released; throws the reason for a refusal.
    ///
    /// An address that is being sent nothing may have one file of any size that fits into the rest of the budget.
    func claim(_ byteCount: Int, for client: IPAddress) throws(Problem) -> Claim {
        try state.withLock { state throws(Problem) in
            state.sweep()
            let used = state.used
            guard used == 0 || byteCount <= budget - min(used, budget) else {
                throw SharedContents.busy("Files of many bytes are being sent to others")
            }
            let own = state.used(by: client)
            guard own == 0 || byteCount <= share - min(own, share) else {
                throw SharedContents.busy("As many bytes of files as one address may have are being sent to yours")
            }
            state.next += 1
            state.claims[state.next] = (client, byteCount)
            return Claim(number: state.next)
        }
    }

    func release(_ claim: Claim) {
        state.withLock { _ = $0.claims.removeValue(forKey: claim.number) }
    }

    /// Counts what is about to be sent.
    ///
    /// - Parameter byteCount: the memory that it takes.
    func hold(_ resource: Resource, of byteCount: Int, for key: Key, at client: IPAddress) {
        state.withLock { state in
            var key = key
            while state.contents[key]?.readers.values.contains(where: { $0.resource != nil }) ?? false { key.copy += 1 }
            state.contents[key] = Content(
                byteCount: byteCount, readers: [client: Content.Held(resource: resource)])
        }
    }

    private static func busy(_ what: String) -> Problem {
        var problem = ProblemCatalogue.problem(
            .overloaded, "\(what); try again shortly, or fetch the whole archive.")
        problem.fields.add("Retry-After", 2)
        return problem
    }
}
