internal import Bytes
internal import Files
internal import HTTPServer
internal import HTTPWire
internal import Registry

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

    /// Whether the file is still the one whose bytes were compared with the digest. Asks the system, not the disk.
    var isIntact: Bool {
        (try? blob.file.descriptor.status()) == blob.status
    }

    func resource(isNamed: Bool, for reader: Reader) -> Resource {
        guard reader.isAnyone else { return OpenArchive.resource(blob, name, .privately, isNamed: isNamed) }
        return isNamed ? named : immutable
    }

    private static func resource(_ blob: Blob, _ name: String, _ caching: Document.Caching, isNamed: Bool) -> Resource {
        var fields = Document.commonFields(caching)
        fields.add("Repr-Digest", "sha-256=:\(blob.digest.base64):")
        fields.add("Content-Disposition", ContentDisposition.attachment(fileName: "\(name).zip"))
        if isNamed { fields.add("Content-Location", Place.blob(blob.digest)) }
        return Resource(
            mediaType: "application/zip",
            content: .file(OpenFile(blob.file.descriptor.number, of: blob.file), offset: 0, count: blob.byteCount),
            validators: Validators(entityTag: "\"sha256-\(blob.digest.hex)\"", lastModified: blob.modified),
            fields: fields,
            // A resume under a changing name must prove that it goes on with the same bytes.
            rangePolicy: isNamed ? .onlyWithIfRange : .always)
    }
}
