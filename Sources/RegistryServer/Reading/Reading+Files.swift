internal import Bytes
internal import Files
internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import Zip

extension Reading {
    /// `GET /v1/bundles/{id}/releases/{key}/files/{path...}`
    func file(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey, _ path: String
    ) throws -> Answer {
        let reader = try access.reader(request)
        guard reader.sees(bundle.text) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(bundle.text, spelling: nil))
        }
        return work.answer { [self] () throws(Problem) in
            let (release, files) = try Reading.files(registry, bundle, key, for: reader)
            guard let file = files.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) else {
                throw ProblemCatalogue.problem(
                    .noSuchFile,
                    "\(bundle.text) \(key.text) has no file \(ProblemCatalogue.quoted(path)); "
                        + "\(Place.release(bundle.text, key.text))/files lists those it has.")
            }
            return .resource(try resource(file, of: release, for: reader))
        }
    }

    private func resource(_ file: ReleaseFile, of release: Release, for reader: Reader) throws(Problem) -> Resource {
        let caching: Document.Caching = reader.isAnyone ? .forever : .privately
        let shared = SharedContents.Key(digest: file.digest, path: file.path, caching: caching)
        if let resource = contents[shared] { return resource }
        let open = try opened(release.digest, for: reader)
        let content: Resource.Content
        let isStored = file.method == "stored"
        if isStored {
            content = .file(
                OpenFile(open.blob.file.descriptor.number, of: open.blob.file), offset: file.offset,
                count: file.byteCount)
        } else {
            guard contents.hasRoom(for: file.byteCount) else { throw Reading.busy }
            content = .bytes(try Reading.expand(file, of: release, from: open.blob))
        }
        let resource = Reading.resource(file, content, release.published, caching)
        contents.hold(resource, for: shared, byteCount: isStored ? 0 : file.byteCount)
        return resource
    }

    private static var busy: Problem {
        var problem = ProblemCatalogue.problem(
            .overloaded, "Files of many bytes are being sent to others; try again shortly, or fetch the whole archive.")
        problem.fields.add("Retry-After", 2)
        return problem
    }

    private static func resource(
        _ file: ReleaseFile, _ content: Resource.Content, _ published: Int64, _ caching: Document.Caching
    ) -> Resource {
        let type = MediaType(path: file.path)
        var fields = Document.commonFields(caching)
        fields.add("Repr-Digest", "sha-256=:\(file.digest.base64):")
        // Whoever made the bundle wrote the file; a browser shows it without letting it do anything.
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
