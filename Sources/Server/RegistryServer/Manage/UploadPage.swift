internal import Bytes
internal import Files
internal import HTTPServer
internal import HTTPWire
internal import Markup
internal import Registry
internal import RegistryContract
internal import Surroundings
internal import WidgetBundles

/// The part of an upload that differs when a page's form has sent it: what was asked for is in its fields, and a bundle
/// that was checked waits for a person's word.
struct UploadPage: Sendable {
    /// Reads the fields, with the rights of their sender.
    let request: @Sendable (SentFields, Caller) throws(Problem) -> PublishRequest
    /// Keeps the archive as it was sent, with its digest, and leads to the page about it.
    let keep: @Sendable (CheckedUpload, borrowing StagedFile, Digest) throws(Problem) -> Answer
}

/// A bundle that a page has sent and that was checked.
struct CheckedUpload: Sendable {
    let report: BundleReport
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
    private static let path = "/manage/publish"

    func add(to routes: inout Routes) {
        routes.on(.post, UploadRoutes.path, upload)
        routes.get("/manage/publish/{upload}", show)
        routes.on(.post, "/manage/publish/{upload}", carryOut)
    }

    // MARK: The form

    /// The form by which bundles are sent, for a caller that may publish.
    static func form(for caller: Caller, limit: Int, to html: inout HTMLWriter) {
        html.section("Publish a bundle", id: "publish") { html in
            html.element(.p) {
                $0.set(.class, "soft")
            } content: {
                $0.text("The archive is checked first, and you see the report. Nothing is stored before you say so.")
            }
            html.element(.form) {
                $0.set(.method, "post")
                $0.set(.action, path)
                $0.set(.enctype, PublishRoutes.formType)
            } content: { html in
                html.box(class: "row") { html in
                    ManageForm.field(
                        "channel", "Channel", caller.channels.first ?? ChannelName.standard, "text", to: &html)
                    ManageForm.share("Share of hosts, in per cent", to: &html)
                }
                ManageForm.field("note", "Note, shown wherever the release is (optional)", "", "text", to: &html)
                if caller.has(.promote) {
                    ManageForm.check(
                        "force", "Put it on the channel even if that shows a higher version", isChecked: false,
                        to: &html)
                }
                html.box(class: "drop") { html in
                    html.element(.label, text: "Archive of the bundle (.zip), chosen or dropped here") {
                        $0.set(.for, "bundle")
                    }
                    html.begin(.input) {
                        $0.set(.type, "file")
                        $0.set(.id, "bundle")
                        $0.set(.name, "bundle")
                        $0.set(.required, if: true)
                        $0.set(.accept, ".zip,.ipa,application/zip")
                    }
                    html.paragraph("\(ByteCountText.of(limit)) at most.", class: "small soft")
                }
                html.element(.button, text: "Check it")
            }
            html.element(.p, text: "") {
                $0.set(.id, "said")
                $0.set(.role, "status")
            }
        }
    }

    /// `POST /manage/publish`
    private func upload(_ request: borrowing Request) -> Answer {
        let entry = AuditEntry(.publish, request)
        do throws(Problem) {
            let person = try access.person(changing: request, .publish, noting: entry)
            return try upload(request, from: person, entry)
        } catch {
            return pages.refusal(error, request)
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
        let place = try publish.place(
            UploadShare(person.caller), policy, byteCount: min(request.contentLength ?? limit, limit))
        let page = UploadPage(
            request: { fields, caller throws(Problem) in
                let wanted = PublishRequest(try UploadRoutes.options(fields), by: author)
                try caller.require(channel: wanted.channel)
                return wanted
            },
            keep: { [registry = publish.registry, chance] upload, archive, digest throws(Problem) in
                let name = String(chance.next(), radix: 36) + String(chance.next(), radix: 36)
                try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
                    try registry.keepUpload(
                        try UploadRoutes.key(name), of: person.token, prefix: person.caller.prefix, archive,
                        digest: digest, request: UploadRoutes.text(upload.request.options),
                        report: UploadRoutes.report(upload, name))
                }
                return GalleryAnswer.go(to: "\(UploadRoutes.path)/\(name)")
            })
        let upload = Upload(
            registry: publish.registry, audit: publish.audit, write: PendingWrite(publish.audit, entry), place: place,
            confirm: { [access] () throws(Problem) in try ManagePages.confirmed(person, access).caller },
            policy: policy, review: publish.review, request: PublishRequest(by: author), form: form,
            mayHaveLostLineEnds: false, expected: try ExpectedDigests(request), page: page)
        return .readBody(
            BodyReceipt(
                limit: limit + PublishRoutes.formOverhead, mediaTypes: [PublishRoutes.formType],
                sink: QueuedBody(queue: publish.makeQueue(), consumer: upload)))
    }

    private static func options(_ fields: SentFields) throws(Problem) -> PublishOptions {
        var named = fields
        if let share = fields["share"] {
            named.set("\(PublishOptions.rollout.name)", "\(try ManageForm.basisPoints(share))")
        }
        if fields["force"] != nil { named.set("\(PublishOptions.promote.name)", "force") }
        return try rethrowing(try PublishOptions(named), as: ProblemCatalogue.unreadable)
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
        pages.answer(request) { person throws(Problem) in
            let (upload, report) = try find(name, of: person)
            return upload.outcome.map(UploadRoutes.published) ?? report
        }
    }

    private static let isGone = ProblemCatalogue.problem(
        .notFound,
        "This upload was discarded, or has waited longer than a quarter of an hour. Send it again.")

    /// The page of an upload that is published already.
    private static func published(_ place: String) -> [UInt8] {
        var html = ManagePages.begin("Published")
        html.element(.h1, text: "It is published")
        html.box(class: "note good") { html in
            html.element(.p) { $0.link(place, "To the bundle") }
        }
        return GalleryFrame.end(&html)
    }

    private static func report(_ upload: CheckedUpload, _ name: String) -> [UInt8] {
        let (publication, report) = (upload.publication, upload.report)
        let release = publication.release
        var html = ManagePages.begin("Publish \(release.name) \(release.key)")
        html.element(.h1, text: "\(release.name) \(release.key)")
        html.box(class: publication.outcome == .created ? "note" : "note warn") { html in
            html.element(.p) { html in
                html.element(.strong, text: "Nothing is stored yet. ")
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
        html.section("Report", id: "report") { html in
            html.element(.p) { $0.reportLine(report) }
            for finding in report.findings.prefix(50) { html.finding(finding) }
            for warning in report.warnings.prefix(50) { html.paragraph("\(warning.path): \(warning.detail)") }
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
        html.box(class: "row") { html in
            ManageForm.button(
                "\(path)/\(name)", publication.outcome == .created ? "Publish" : "Apply", [("word", "publish")],
                to: &html)
            ManageForm.button("\(path)/\(name)", "Discard", [("word", "discard")], class: "quiet", to: &html)
        }
        return GalleryFrame.end(&html)
    }

    /// `POST /manage/publish/{upload}`
    private func carryOut(_ request: borrowing Request, _ name: String) -> Answer {
        pages.change(request, .publish, .publish) { fields, person, write throws(Problem) in
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
            return GalleryAnswer.go(to: try carryOut(upload, for: person.caller, write))
        }
    }

    /// Publishes an upload: what was sent is checked again, since any server may have kept it, by its rules.
    ///
    /// - Returns: the page that follows.
    private func carryOut(
        _ upload: WaitingUpload, for caller: Caller, _ write: PendingWrite
    ) throws(Problem) -> String {
        let options = try rethrowing(
            try PublishOptions(SentFields(Array(upload.request.utf8))), as: ProblemCatalogue.unreadable)
        let request = PublishRequest(
            options, by: write.author(for: .publish), rights: caller.channelRights(earlier: .publish))
        let check = BundleCheck(publish.policy(), publish.review, for: request)
        let source = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try publish.registry.archive(of: upload)
        }
        let archive = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try publish.registry.stage()
        }
        let taken = try rethrowing(
            try check.take(source.descriptor, upload.digest, into: archive),
            as: { (error: BundleError) in ProblemCatalogue.problem(error) })
        let manifest = taken.bundle.manifest
        write.add("bundle", manifest.identifier)
        write.add("release", manifest.releaseKey)
        write.add("channel", request.channel)
        try caller.require(.publish, of: manifest.identifier)
        try caller.require(channel: request.channel)
        let (reviewed, parts) = try check.reviewed(taken, in: archive)
        do throws(RegistryError) {
            let publication: Publication = try publish.registry.publish(
                reviewed, archive: archive, request, parts: parts)
            if publication.outcome == .created { publish.audit.countStripped(taken.report) }
            let place = ManagePages.done("publish", manifest.identifier, request.channel)
            try publish.registry.finishUpload(upload, at: place)
            return place
        } catch {
            throw caller.problem(error)
        }
    }
}
