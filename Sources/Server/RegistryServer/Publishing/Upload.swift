internal import HTTPWire
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetHTTPServer
internal import WidgetRegistry

/// One archive on its way in: written to the staging folder as it arrives, then taken in and published.
///
/// Sendable because one queue, which no other upload uses, makes every call after the first.
final class Upload: BodyConsumer, @unchecked Sendable {
    private let registry: Registry
    private let audit: Audit
    /// The audit's note of the write; `nil` once it was made.
    private let write: PendingWrite?
    private let place: UploadPlace?
    /// The sender once more: the token may have been revoked while the body was on its way.
    private let confirm: @Sendable () throws(Problem) -> Caller
    private let policy: PublishPolicy
    private let review: any BundleReview
    private var request: PublishRequest
    private let expected: ExpectedDigests
    private let prefersText: Bool
    /// The page whose form it came by; `nil` for a program, which publishes at once.
    private let page: UploadPage?

    private var form: FormReader?
    private var staged: StagedFile?
    private var byteCount = 0
    /// The bytes of the whole body so far.
    private var receivedCount = 0
    /// The first bytes, while they are too few to be known for a zip archive's.
    private var opening: [UInt8]? = []
    /// True if it came with a media type with which curl may have removed the line ends, and none was seen.
    private var lacksLineEnds: Bool
    private var archiveDigest: SHA256? = SHA256()
    /// The digest of a form's whole body, if the request expects one.
    private var bodyDigest: SHA256?

    init(
        registry: Registry, audit: Audit, write: PendingWrite?, place: UploadPlace?,
        confirm: @escaping @Sendable () throws(Problem) -> Caller, policy: PublishPolicy, review: any BundleReview,
        request: PublishRequest, form: FormReader?, mayHaveLostLineEnds: Bool, expected: ExpectedDigests,
        prefersText: Bool = false, page: UploadPage? = nil
    ) {
        self.registry = registry
        self.audit = audit
        self.write = write
        self.place = place
        self.confirm = confirm
        self.page = page
        self.policy = policy
        self.review = review
        self.request = request
        self.form = form
        self.expected = expected
        self.prefersText = prefersText
        lacksLineEnds = mayHaveLostLineEnds
        bodyDigest = form == nil || expected.isEmpty ? nil : SHA256()
    }

    // MARK: The body

    func consume(_ bytes: [UInt8]) -> Answer? {
        do {
            // A caller that has lost the right to publish must not keep holding a place.
            _ = try confirm()
            try place?.confirm()
            bodyDigest?.update(bytes)
            guard form != nil else {
                try write(bytes)
                return nil
            }
            var pieces: [[UInt8]] = []
            try readForm { (form) throws(FormReader.Mistake) in try form.take(bytes) { pieces.append($0) } }
            receivedCount += bytes.count
            try page?.check(received: receivedCount, hasFile: form?.hasFile ?? false)
            for piece in pieces { try write(piece) }
            return nil
        } catch {
            staged = nil
            write?.record(error.code)
            return refusal(error)
        }
    }

    private func refusal(_ problem: Problem) -> Answer {
        page?.refused(problem, SentFields(parts: form?.fields ?? [])) ?? .problem(problem)
    }

    func abandon() {
        staged = nil
    }

    private func readForm(
        _ body: (inout FormReader) throws(FormReader.Mistake) -> Void
    ) throws(Problem) {
        guard var reader = form else { return }
        // The fields that were read before a mistake are kept, for the page that shows them again.
        defer { form = reader }
        do throws(FormReader.Mistake) {
            try body(&reader)
        } catch {
            throw page == nil ? ProblemCatalogue.problem(error) : UploadForm.problem(error)
        }
    }

    private func write(_ bytes: [UInt8]) throws(Problem) {
        let limit = policy.bundles.limits.archiveByteCount
        guard bytes.count <= limit - byteCount else {
            throw page?.tooLarge ?? ProblemCatalogue.problem(Refusal.contentTooLarge(limit: limit))
        }
        try checkOpening(bytes)
        if lacksLineEnds { lacksLineEnds = !bytes.contains { $0 == 0x0A || $0 == 0x0D } }
        if staged == nil { staged = try stage() }
        try rethrowing(as: { ProblemCatalogue.problem(RegistryError.storage($0)) }) { () throws(FileError) in
            try staged?.file.write(bytes, at: byteCount)
        }
        archiveDigest?.update(bytes)
        byteCount += bytes.count
        place?.wrote(bytes.count)
    }

    private var advice: ForeignUpload.Advice { page == nil ? .typing : .choosing }

    /// Refuses content that does not begin like a zip archive as soon as that shows, and names what it is instead.
    private func checkOpening(_ bytes: [UInt8]) throws(Problem) {
        guard let begun = opening else { return }
        let head = begun + bytes.prefix(ForeignUpload.byteCount)
        guard ForeignUpload.mayBeZip(head) else { throw ForeignUpload.problem(head, advice) }
        opening = head.count < ForeignUpload.markByteCount ? head : nil
    }

    // MARK: The bundle

    func complete() -> Answer {
        do {
            try place?.confirm()
            place?.complete()
            return try publish()
        } catch {
            write?.record(error.code)
            return refusal(error)
        }
    }

    private func publish() throws(Problem) -> Answer {
        defer { staged = nil }
        try readForm { (form) throws(FormReader.Mistake) in try form.finish() }
        guard let archiveDigest = archiveDigest.take(), let digest = archiveDigest.finish() else {
            throw ProblemCatalogue.problem(RegistryError.outOfMemory)
        }
        var whole = digest
        if let body = bodyDigest.take(), let found = body.finish() { whole = found }
        try expected.check(whole)
        guard let source = staged.take() else { throw ForeignUpload.problem(opening ?? [], advice) }
        let caller = try confirm()
        if let page { request = try page.request(SentFields(parts: form?.fields ?? []), caller) }
        let archive = try stage()
        let taken = try take(source, digest, into: archive)
        write?.add("bundle", taken.bundle.manifest.identifier)
        write?.add("release", taken.bundle.manifest.releaseKey)
        write?.add("channel", request.channel)
        write?.add("sha256", taken.bundle.digest.hex)
        write?.add("contentSha256", taken.bundle.contentDigest.hex)
        try caller.require(.publish, of: taken.bundle.manifest.identifier)
        // Screens take the most work, so they are looked at for those alone who may publish them.
        let (reviewed, parts) = try check.reviewed(taken, in: archive, for: caller)
        if let page { return try show(reviewed, parts, source, digest, on: page, for: caller) }
        return try conclude(reviewed, archive, parts, for: caller)
    }

    private var check: BundleCheck { BundleCheck(policy, review, for: request) }

    private func stage() throws(Problem) -> StagedFile {
        return try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try registry.stage() }
    }

    private func take(
        _ source: borrowing StagedFile, _ digest: Digest, into archive: borrowing StagedFile
    ) throws(Problem) -> BundleIntake.Taken {
        do throws(BundleError) {
            return try check.take(source.file, digest, into: archive)
        } catch {
            throw ForeignUpload.explaining(
                ProblemCatalogue.problem(error), byteCount, lostLineEnds: lacksLineEnds)
        }
    }

    /// Keeps what was sent until its sender says what to do with it.
    private func show(
        _ taken: BundleIntake.Taken, _ parts: [ReleasePart], _ source: borrowing StagedFile, _ digest: Digest,
        on page: UploadPage, for caller: Caller
    ) throws(Problem) -> Answer {
        var request = request
        request.rights = caller.channelRights(earlier: .publish)
        request.sees = { caller.covers($0) }
        let publication = try rethrowing(as: caller.pageProblem) { () throws(RegistryError) in
            try registry.judge(taken, request)
        }
        let checked = CheckedUpload(report: taken.report, parts: parts, request: request, publication: publication)
        let answer = try page.keep(checked, source, digest)
        write?.record("dry-run")
        return answer
    }

    private func conclude(
        _ taken: BundleIntake.Taken, _ archive: consuming StagedFile, _ parts: [ReleasePart], for caller: Caller
    ) throws(Problem) -> Answer {
        let isDryRun = request.options.isDryRun
        var request = request
        request.rights = caller.channelRights(earlier: .publish)
        request.sees = { caller.covers($0) }
        do throws(RegistryError) {
            let publication =
                isDryRun
                ? try registry.judge(taken, request)
                : try registry.publish(taken, archive: archive, request, parts: parts)
            if !isDryRun, publication.outcome == .created { audit.countStripped(taken.report) }
            write?.record(isDryRun ? "dry-run" : publication.outcome == .created ? "created" : "unchanged")
            return WrittenDocument.answer(
                publication, taken.report, isDryRun: isDryRun, asText: prefersText, publicURL: policy.publicURL)
        } catch {
            throw caller.problem(error)
        }
    }
}
