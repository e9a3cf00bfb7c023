internal import Addresses
internal import Bytes
internal import Files
internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import RegistryContract
internal import Zip

/// The route that reads a single file of a release.
struct FileReading: Sendable {
    let answers: AnswerCache
    /// Files that are small, and the others: those never keep these from being sent.
    private let small: SharedContents
    private let large: SharedContents

    /// Files of at most so many bytes are small.
    static let smallByteCount = 64 << 10

    /// - Parameter byteCount: memory for large files that are being sent apart from their archives; small ones have a
    ///   quarter of that for themselves.
    init(_ answers: AnswerCache, byteCount: Int) {
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

    /// Takes a file out of its archive, and proves it on the way.
    private static func expand(
        _ file: ReleaseFile, of release: Release, from blob: Blob
    ) throws(Problem) -> [UInt8] {
        // The archive is one we wrote and have compared with its digest; it has the size of what was let in then.
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
    /// Shown where it is, rather than offered for keeping.
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
