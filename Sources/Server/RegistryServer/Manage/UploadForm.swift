internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The form by which bundles are sent from a page, and the reading of its fields.
///
/// No channel and no share is there before a person has written it: one careless press of a button must not reach all hosts.
struct UploadForm: Sendable {
    let caller: Caller
    /// The most bytes of an archive.
    let limit: Int
    /// The fields of a form that was refused; `nil` for a new one. The file is never among them.
    var typed: SentFields?

    static let path = "/manage/publish"

    // MARK: The form

    func write(to html: inout HTMLWriter) {
        html.section("Publish a bundle", id: "publish") { html in
            html.paragraph(
                "The archive is checked first, and you see the report. Nothing is published before you say so.",
                class: "soft")
            html.element(.form) {
                $0.set(.method, "post")
                $0.set(.action, UploadForm.path)
                $0.set(.enctype, PublishRoutes.formType)
                $0.set(.dataLimit, "\(limit)")
            } content: { html in
                html.box(class: "row") { html in
                    channel(to: &html)
                    ManageForm.share(
                        typed?["share"] ?? "", isRequired: true, hint: "100 is all of them.",
                        isInvalid: isWrong { (fields) throws(Problem) in _ = try UploadForm.share(fields) }, to: &html)
                }
                ManageForm.field(
                    "note", "Note, shown wherever the release is (optional)", typed?["note"] ?? "", "text",
                    isInvalid: isWrong { (fields) throws(Problem) in _ = try UploadForm.remarks(fields) }, to: &html)
                if caller.has(.promote) {
                    ManageForm.check(
                        "force", "Put it on the channel even if that shows a higher version",
                        isChecked: typed?["force"] != nil, to: &html)
                }
                UploadForm.file(limit, to: &html)
                html.element(.button, text: "Check it")
            }
            html.element(.p, text: "") {
                $0.set(.id, "said")
                $0.set(.role, "status")
            }
        }
    }

    private func channel(to html: inout HTMLWriter) {
        let isInvalid = isWrong { (fields) throws(Problem) in _ = try channel(fields) }
        if caller.channels.count > 1 {
            ManageForm.choice(
                "channel", "Channel", caller.channels.map { ($0, $0) }, typed?["channel"], isRequired: true,
                isInvalid: isInvalid, to: &html)
        } else {
            ManageForm.field(
                "channel", "Channel", typed?["channel"] ?? caller.channels.first ?? "", "text", isRequired: true,
                hint: caller.channels.isEmpty ? "Hosts that name none follow \(ChannelName.standard)." : nil,
                isInvalid: isInvalid, to: &html)
        }
    }

    private static func file(_ limit: Int, to html: inout HTMLWriter) {
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
    }

    private func isWrong(_ read: (SentFields) throws(Problem) -> Void) -> Bool {
        guard let typed else { return false }
        do throws(Problem) {
            try read(typed)
            return false
        } catch {
            return true
        }
    }

    // MARK: Refusals

    /// The form once more, under the reason why it was refused.
    func refusal(_ problem: Problem, for person: Person) -> Answer {
        let task = problem.code == ProblemCode.notFound.rawValue ? RefusedTask.ofLostUpload : .ofPublishing
        return task.answer(problem, for: person, again: caller.has(.publish) ? { write(to: &$0) } : nil)
    }

    /// The problem of a file that is larger than archives may be.
    var tooLarge: Problem {
        ProblemCatalogue.problem(
            .tooLarge,
            "The file is larger than \(ByteCountText.of(limit)), the most that this registry takes. Leave out what hosts do "
                + "not need, or ask the operator of this registry for more room.",
            [Problem.Member("limit", limit)])
    }

    /// A form that was not sent as this page sends it.
    static func problem(_ mistake: FormReader.Mistake) -> Problem {
        var problem = ProblemCatalogue.problem(mistake)
        if mistake == .noFile { problem.detail = "No file was sent. Choose the archive of the bundle." }
        return problem
    }

    // MARK: Its fields

    func options(_ fields: SentFields) throws(Problem) -> PublishOptions {
        var options = PublishOptions()
        options.channel = try channel(fields)
        options.rollout = try UploadForm.share(fields)
        options.forcesPromotion = fields["force"] != nil
        options.remarks = try UploadForm.remarks(fields)
        return options
    }

    private func channel(_ fields: SentFields) throws(Problem) -> String {
        guard let channel = fields["channel"] else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "Say which channel is to show it. Hosts that name none follow \(ChannelName.standard).")
        }
        try ManageForm.requireChannelName(channel)
        try caller.requireOnPage(channel: channel)
        return channel
    }

    private static func share(_ fields: SentFields) throws(Problem) -> Int {
        guard let share = fields["share"] else {
            throw ProblemCatalogue.problem(
                .malformedRequest, "Say which share of the hosts is to get it, in per cent: 100 is all of them.")
        }
        return try ManageForm.basisPoints(share)
    }

    private static func remarks(_ fields: SentFields) throws(Problem) -> PublisherRemarks {
        try rethrowing(
            try PublisherRemarks(fields),
            as: { (error: UnreadableParameter) in
                ProblemCatalogue.problem(.malformedRequest, "The \(error.name) has to be \(error.expectation).")
            })
    }
}
