internal import Bytes
internal import Dispatch
internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import RegistryContract
internal import WidgetBundles

/// The routes by which bundles come in. Everything that can be known from the head is decided before a byte of
/// the body is read, so that `Expect: 100-continue` means something.
struct PublishRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let policy: @Sendable () -> PublishPolicy
    let gate = UploadGate()

    /// What curl and others call a zip, or what they think they send instead; content decides.
    private static let archiveTypes = [
        "application/zip", "application/octet-stream", "application/x-zip-compressed", "application/x-zip",
        dataType, "application/x-ios-app", "application/x-itunes-ipa",
        "binary/octet-stream", "application/gzip", "application/x-gzip", "application/x-tar",
    ]
    /// What curl says of a body given with `-d`, from which it has taken the line ends, and with `--data-binary`.
    private static let dataType = "application/x-www-form-urlencoded"
    private static let formType = "multipart/form-data"
    /// What a form may have around its file.
    private static let formOverhead = 64 << 10

    /// `POST /v1/bundles`, and `PUT` for `curl -T` without a name to put there.
    func post(_ request: borrowing Request) throws -> Answer {
        try receive(request)
    }

    /// `PUT /v1/bundles/{id}`, as `curl -T` makes it of the folder of bundles and a file: the name is the publisher's own
    /// business, and so is its ending.
    func putFile(_ request: borrowing Request, _ name: String) throws -> Answer {
        try receive(request)
    }

    /// `PUT /v1/bundles/{id}/releases/{key}`
    func putRelease(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try receive(request, identifier: bundle.text, key: key.text)
    }

    private func receive(
        _ request: borrowing Request, identifier: String? = nil, key: String? = nil
    ) throws(Problem) -> Answer {
        let caller = try access.writer(request, .publish, of: identifier, taking: .publishing)
        let entry = AuditEntry(.publish, request, by: caller)
        do throws(Problem) {
            return try receive(request, from: caller, entry, identifier: identifier, key: key)
        } catch {
            audit.record(entry, error)
            throw error
        }
    }

    /// - Parameter entry: what to note; whoever is refused by an error has not been noted.
    private func receive(
        _ request: borrowing Request, from caller: Caller, _ entry: AuditEntry, identifier: String?, key: String?
    ) throws(Problem) -> Answer {
        let options = try rethrowing(try PublishOptions(request), as: ProblemCatalogue.unreadable)
        let wanted = PublishRequest(options, by: entry.author, assertedIdentifier: identifier, assertedKey: key)
        try caller.require(channel: wanted.channel)
        let policy = policy()
        let contentType = request.value(.contentType) ?? ""
        let mediaType = FieldParameters(contentType)?.word
        let isForm = mediaType == PublishRoutes.formType
        let expectations = try ExpectedDigests(request)
        let limit = policy.bundles.limits.archiveByteCount
        let form = try isForm ? PublishRoutes.form(contentType) : nil
        var obstacle: Problem?
        var place: UploadPlace?
        do throws(Problem) {
            place = try self.place(UploadShare(caller), policy, byteCount: min(request.contentLength ?? limit, limit))
        } catch {
            obstacle = error
            audit.record(entry, error)
        }
        let upload = Upload(
            registry: registry, access: access, audit: audit,
            write: obstacle == nil ? PendingWrite(audit, entry) : nil, place: place,
            credential: Credential(request), policy: policy, request: wanted, form: form,
            mayHaveLostLineEnds: mediaType == PublishRoutes.dataType, expected: expectations,
            prefersText: request.prefersText)
        return .readBody(
            BodyReceipt(
                limit: isForm ? limit + PublishRoutes.formOverhead : limit,
                mediaTypes: PublishRoutes.archiveTypes + [PublishRoutes.formType],
                obstacle: obstacle,
                sink: QueuedBody(
                    queue: DispatchQueue(label: "widgetd.upload", qos: .userInitiated), consumer: upload)))
    }

    private static func form(_ contentType: String) throws(Problem) -> FormReader {
        return try rethrowing(as: ProblemCatalogue.problem) { () throws(FormReader.Mistake) in
            try FormReader(contentType: contentType)
        }
    }

    /// A place among the uploads under way, with room for what was sent and for what is made of it.
    private func place(_ share: UploadShare, _ policy: PublishPolicy, byteCount: Int) throws(Problem) -> UploadPlace {
        let available = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try registry.availableByteCount
        }
        return try gate.enter(
            share, limit: policy.concurrentUploads, byteCount: min(byteCount, .max / 2) * 2,
            room: available - policy.diskReserve)
    }
}
