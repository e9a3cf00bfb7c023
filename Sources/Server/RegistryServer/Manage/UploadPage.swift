internal import HTTPWire
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetFindings
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry
internal import WidgetSurroundings

/// The part of an upload that differs when a page's form has sent it: what was asked for is in its fields, and a bundle
/// that was checked waits for a person's word.
struct UploadPage: Sendable {
    /// Reads the fields, with the rights of their sender.
    let request: @Sendable (SentFields, Caller) throws(Problem) -> PublishRequest
    /// Keeps the archive as it was sent, with its digest, and leads to the page about it.
    let keep: @Sendable (CheckedUpload, borrowing StagedFile, Digest) throws(Problem) -> Answer
    /// Shows the form again, with the reason why it is refused and the fields that have arrived.
    let refused: @Sendable (Problem, SentFields) -> Answer
    /// The problem of a file that is too large.
    let tooLarge: Problem
    /// The most bytes of the form, and those that it announces.
    let limit: Int
    let announced: Int?

    /// Refuses a form that is too large: as soon as its file begins, so that the fields before it are known.
    func check(received: Int, hasFile: Bool) throws(Problem) {
        if received > limit || hasFile && announced ?? 0 > limit { throw tooLarge }
    }
}

/// A bundle that a page has sent and that was checked.
struct CheckedUpload: Sendable {
    let report: BundleReport
    let parts: [ReleasePart]
    let request: PublishRequest
    /// The outcome that publishing it would have.
    let publication: Publication
}

/// The routes by which people publish from a page: a form, the report of a dry run, and the word that publishes.
struct UploadRoutes: Sendable {
    let publish: PublishRoutes
    let pages: ManagePages
    private let chance: any Chance

    init(publish: PublishRoutes, pages: ManagePages, in world: World) {
        chance = world.chance
        self.publish = publish
        self.pages = pages
    }

    private var access: Access { publish.access }

    func add(to routes: inout Routes) {
        routes.on(.post, UploadForm.path, upload)
        routes.get("/manage/publish/{upload}", show)
        routes.on(.post, "/manage/publish/{upload}", carryOut)
    }

    // MARK: Sending

    /// `POST /manage/publish`
    private func upload(_ request: borrowing Request) -> Answer {
        let entry = AuditEntry(.publish, request)
        do throws(Problem) {
            let person = try access.person(changing: request, .publish, noting: entry)
            return try upload(request, from: person, entry)
        } catch {
            return pages.refusal(error, request) { [publish] problem, fields, person in
                publish.form(for: person, fields).refusal(problem, for: person)
            }
        }
    }

    private func upload(
        _ request: borrowing Request, from person: Person, _ entry: AuditEntry
    ) throws(Problem) -> Answer {
        var entry = entry
        entry.identify(person.caller)
        let author = entry.author
        let policy = publish.policy()
        let contentType = request.value(.contentType) ?? ""
        let form = try rethrowing(as: ProblemCatalogue.problem) { () throws(FormReader.Mistake) in
            try FormReader(contentType: contentType, takesFields: true)
        }
        let limit = policy.bundles.limits.archiveByteCount
        let refused: @Sendable (Problem, SentFields) -> Answer = { [publish] in
            publish.form(for: person, $1).refusal($0, for: person)
        }
        let place = try publish.place(
            UploadShare(person.caller), policy, byteCount: min(request.contentLength ?? limit, limit))
        let page = UploadPage(
            request: { fields, caller throws(Problem) in
                PublishRequest(try UploadForm(caller: caller, limit: limit).options(fields), by: author)
            },
            keep: { [registry = publish.registry, chance] upload, archive, digest throws(Problem) in
                let name = String(chance.next(), radix: 36) + String(chance.next(), radix: 36)
                try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
                    try registry.keepUpload(
                        try UploadRoutes.key(name), of: person.token, prefix: person.caller.prefix, archive,
                        digest: digest, request: UploadRoutes.text(upload.request.options),
                        report: UploadRoutes.report(upload, name, person.caller))
                }
                return GalleryAnswer.go(to: "\(UploadForm.path)/\(name)")
            }, refused: refused, tooLarge: publish.form(for: person).tooLarge,
            limit: limit + PublishRoutes.formOverhead, announced: request.contentLength)
        // A browser is shown a page. To have the fields for it, the beginning of a form that is too large is read.
        let isBrowser = request.accepts(naming: "text/html")
        let explain: @Sendable (Refusal) -> Answer = { refused(ProblemCatalogue.problem($0), SentFields()) }
        let upload = Upload(
            registry: publish.registry, audit: publish.audit, write: PendingWrite(publish.audit, entry), place: place,
            confirm: { [access] () throws(Problem) in try ManagePages.confirmed(person, access).caller },
            policy: policy, review: publish.review, request: PublishRequest(by: author), form: form,
            mayHaveLostLineEnds: false, expected: try ExpectedDigests(request), page: page)
        return .readBody(
            BodyReceipt(
                limit: isBrowser ? Int.max : page.limit, mediaTypes: [PublishRoutes.formType],
                explain: isBrowser ? explain : nil,
                sink: QueuedBody(queue: publish.makeQueue(), consumer: upload)))
    }

    /// The options as a form would send them.
    private static func text(_ options: PublishOptions) -> String {
        options.query.map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }
            .joined(separator: "&")
    }

    private static func key(_ name: String) throws(RegistryError) -> Digest {
        guard let key = Digest.sha256(Array(name.utf8)) else { throw .outOfMemory }
        return key
    }

    private func find(_ name: String, of person: Person) throws(Problem) -> (upload: WaitingUpload, report: [UInt8]) {
        let found = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try publish.registry.upload(try UploadRoutes.key(name), of: person.token)
        }
        guard let found else { throw UploadRoutes.isGone }
        return found
    }

    // MARK: The report

    /// `GET /manage/publish/{upload}`
    private func show(_ request: borrowing Request, _ name: String) -> Answer {
        pages.answer(
            request, refusing: { [publish] in publish.form(for: $1).refusal($0, for: $1) }
        ) { person throws(Problem) in
            let (upload, report) = try find(name, of: person)
            return upload.outcome.map { UploadRoutes.published($0, person.caller) } ?? report
        }
    }

    private static let isGone = ProblemCatalogue.problem(
        .notFound,
        "This upload was discarded, or has waited longer than a quarter of an hour. Send it again where that is meant.")

    /// The page of an upload that is published already.
    private static func published(_ place: String, _ caller: Caller) -> [UInt8] {
        var html = ManagePages.begin("Published", for: caller)
        html.crumbs([("/manage", "Manage")])
        html.element(.h1, text: "It is published")
        html.box(class: "note good") { html in
            html.element(.p) { $0.link(place, "To the bundle") }
        }
        return GalleryFrame.end(&html)
    }

    /// - Parameter problem: the reason why it was not published.
    private static func report(
        _ upload: CheckedUpload, _ name: String, _ caller: Caller, _ problem: Problem? = nil
    ) -> [UInt8] {
        let (publication, report) = (upload.publication, upload.report)
        let release = publication.release
        let doubt = PublishDoubt(report, upload.parts)
        var html = ManagePages.begin("Publish \(release.name) \(release.key)", for: caller)
        html.crumbs([("/manage", "Manage")], here: release.bundleIdentifier)
        html.element(.h1, text: "\(release.name) \(release.key)")
        if let problem { RefusedTask.reason(problem, to: &html) }
        html.box(class: publication.outcome == .created ? "note" : "note warn") { html in
            html.element(.p) { html in
                html.element(.strong, text: "Nothing is published yet. ")
                html.text(
                    publication.outcome == .created
                        ? "Publishing makes the release \(release.key) of \(release.bundleIdentifier)."
                        : "The same content is published already as \(release.key).")
            }
            let channel = upload.request.channel
            if publication.movesChannel, let shown = publication.channel {
                html.paragraph("Afterwards, channel \(channel) shows \(GalleryText.shown(shown)).")
            } else {
                html.paragraph("Channel \(channel) shows what it shows now.")
            }
            for warning in publication.warnings { html.paragraph(warning.detail) }
        }
        if let doubt {
            html.box(class: "note bad") { html in
                html.element(.p) { $0.element(.strong, text: doubt.sentence) }
            }
        }
        html.section("Report", id: "report") { html in
            html.element(.p) { $0.reportLine(report) }
            for line in FindingLine.of(report.findings).prefix(50) { html.finding(line) }
            for warning in report.warnings.prefix(50) { html.paragraph(warning.sentence) }
            if !report.stripped.isEmpty {
                html.element(.details) { html in
                    html.element(.summary, text: "Left out (\(report.stripped.count))")
                    html.element(.ul) { html in
                        for file in report.stripped.prefix(200) {
                            html.element(.li) { html in
                                html.code(file.path)
                                html.text(" \(file.kind.rawValue)")
                            }
                        }
                    }
                }
            }
        }
        word(publication, upload.request, doubt, "\(UploadForm.path)/\(name)", to: &html)
        return GalleryFrame.end(&html)
    }

    /// The buttons that publish and discard. One that needs a second thought has another look, and a box beside it.
    private static func word(
        _ publication: Publication, _ request: PublishRequest, _ doubt: PublishDoubt?, _ address: String,
        to html: inout HTMLWriter
    ) {
        let label = label(publication, request)
        html.element(.form) {
            $0.set(.method, "post")
            $0.set(.action, address)
            $0.set(.id, "word")
        } content: { html in
            ManageForm.hidden("word", "publish", to: &html)
            if let doubt {
                ManageForm.check(
                    PublishDoubt.field, "Yes, publish it \(doubt.end)", isChecked: false, isRequired: true, to: &html)
            }
            html.element(.button, text: doubt.map { "\(label) \($0.end)" } ?? label) {
                $0.set(.class, doubt == nil ? nil : "danger")
            }
        }
        ManageForm.button(address, "Discard", [("word", "discard")], class: "quiet", to: &html)
    }

    /// The outcome of the button that publishes.
    private static func label(_ publication: Publication, _ request: PublishRequest) -> String {
        let (key, verb) = (publication.release.key, publication.outcome == .created ? "Publish" : "Show")
        guard publication.movesChannel, let shown = publication.channel else {
            return publication.outcome == .created ? "Publish \(key), not shown on \(request.channel)" : "Apply"
        }
        let share = shown.rollout
        return "\(verb) \(key) on \(request.channel) to "
            + (share == Rollout.bucketCount ? "all hosts" : "\(GalleryText.percent(share)) of the hosts")
    }

    /// `POST /manage/publish/{upload}`
    private func carryOut(_ request: borrowing Request, _ name: String) -> Answer {
        pages.change(
            request, .publish, .publish, refusing: { [publish] in publish.form(for: $2).refusal($0, for: $2) }
        ) { fields, person, write throws(Problem) in
            let (upload, _) = try find(name, of: person)
            // Sent once more, since the first answer was lost.
            if let place = upload.outcome { return GalleryAnswer.go(to: place) }
            guard fields["word"] == "publish" else {
                try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
                    try publish.registry.discardUpload(upload)
                }
                write.record("discarded")
                return GalleryAnswer.go(to: "/manage")
            }
            let options = try rethrowing(
                try PublishOptions(SentFields(Array(upload.request.utf8))), as: ProblemCatalogue.unreadable)
            do throws(Problem) {
                return try carryOut(upload, name, options, for: person, fields[PublishDoubt.field] != nil, write)
            } catch {
                write.record(error.code)
                return publish.form(for: person, SentFields(options)).refusal(error, for: person)
            }
        }
    }

    /// Publishes an upload: what was sent is checked again, since any server may have kept it, by its rules.
    ///
    /// - Parameter isMeant: true if a bundle is wanted that a person would rather not publish.
    private func carryOut(
        _ upload: WaitingUpload, _ name: String, _ options: PublishOptions, for person: Person, _ isMeant: Bool,
        _ write: PendingWrite
    ) throws(Problem) -> Answer {
        let (caller, registry) = (person.caller, publish.registry)
        let request = PublishRequest(
            options, by: write.author(for: .publish), rights: caller.channelRights(earlier: .publish))
        let check = BundleCheck(publish.policy(), publish.review, for: request)
        let source = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try registry.archive(of: upload)
        }
        let archive = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try registry.stage() }
        let taken = try rethrowing(
            try check.take(source.descriptor, upload.digest, into: archive),
            as: { (error: BundleError) in ProblemCatalogue.problem(error) })
        let manifest = taken.bundle.manifest
        write.add("bundle", manifest.identifier)
        write.add("release", manifest.releaseKey)
        write.add("channel", request.channel)
        try caller.require(.publish, of: manifest.identifier)
        try caller.requireOnPage(channel: request.channel)
        let (reviewed, parts) = try check.reviewed(taken, in: archive, for: caller)
        do throws(RegistryError) {
            if !isMeant, PublishDoubt(reviewed.report, parts) != nil {
                let publication = try registry.judge(reviewed, request)
                write.record(ProblemCode.malformedRequest.rawValue)
                return UploadRoutes.unconfirmed(
                    CheckedUpload(report: reviewed.report, parts: parts, request: request, publication: publication),
                    name, caller)
            }
            let publication: Publication = try registry.publish(reviewed, archive: archive, request, parts: parts)
            if publication.outcome == .created { publish.audit.countStripped(taken.report) }
            var place = ManagePages.done("stored", manifest.identifier)
            if publication.movesChannel, let channel = publication.channel {
                place = ManagePages.done("publish", manifest.identifier, channel)
            }
            try registry.finishUpload(upload, at: place)
            return GalleryAnswer.go(to: place)
        } catch {
            throw caller.pageProblem(error)
        }
    }

    private static func unconfirmed(_ upload: CheckedUpload, _ name: String, _ caller: Caller) -> Answer {
        let problem = ProblemCatalogue.problem(
            .malformedRequest, "Nothing was published. Tick the box above the button if it is meant.")
        return GalleryAnswer.response(report(upload, name, caller, problem), problem.status, .script)
    }
}

extension PublishRoutes {
    /// The form of pages, for a person who has signed in.
    func form(for person: Person, _ typed: SentFields? = nil) -> UploadForm {
        UploadForm(caller: person.caller, limit: policy().bundles.limits.archiveByteCount, typed: typed)
    }
}

extension SentFields {
    /// The fields by which a form asks for these options.
    fileprivate init(_ options: PublishOptions) {
        self.init(parts: [
            ("channel", options.channel ?? ""), ("share", options.rollout.map(ManageForm.percent) ?? ""),
            ("note", options.remarks.note ?? ""), ("force", options.forcesPromotion ? "true" : ""),
        ])
    }
}
