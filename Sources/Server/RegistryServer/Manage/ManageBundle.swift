internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Markup
internal import Registry
internal import RegistryContract

/// The pages by which people change what hosts get of a bundle. Each act is confirmed on a page that says what will change.
struct ManageBundle: Sendable {
    let pages: ManagePages
    let registry: Registry

    /// The releases that can be chosen from.
    private static let releaseCount = 100

    func add(to routes: inout Routes) {
        routes.get("/manage/w/{id}", show)
        routes.get("/manage/w/{id}/confirm", confirm)
        routes.on(.post, "/manage/w/{id}", perform)
    }

    // MARK: Acts

    /// `GET /manage/w/{id}/confirm`
    private func confirm(_ request: borrowing Request, _ bundle: BundleIdentifier) -> Answer {
        var fields = SentFields()
        if let value = request.query("act") { fields.set("act", value) }
        if let value = request.query("channel") { fields.set("channel", value) }
        if let value = request.query("release") { fields.set("release", value) }
        if let value = request.query("share") { fields.set("share", value) }
        if let value = request.query("mandatory") { fields.set("mandatory", value) }
        if let value = request.words("reason") { fields.set("reason", value) }
        return pages.answer(request) { [registry, fields] person throws(Problem) in
            let plan = try ChannelAct(bundle.text, fields).plan(in: registry, for: person.caller)
            var html = ManagePages.begin(plan.title)
            html.crumbs([("/manage", "Manage"), (PagePath.manage(bundle.text), bundle.text)])
            html.element(.h1, text: plan.title)
            html.box(class: plan.isDangerous ? "note bad" : "note") { html in
                for sentence in plan.sentences { html.paragraph(sentence) }
                html.paragraph(plan.undoing, class: "small")
            }
            html.box(class: "row") { html in
                ManageForm.button(
                    PagePath.manage(bundle.text), plan.button, plan.fields, class: plan.isDangerous ? "danger" : nil,
                    to: &html)
                html.link(PagePath.manage(bundle.text), "Leave it as it is", class: "button quiet")
            }
            return GalleryFrame.end(&html)
        }
    }

    /// `POST /manage/w/{id}`
    private func perform(_ request: borrowing Request, _ bundle: BundleIdentifier) -> Answer {
        // The act is in the form; until it has been read, any right to change something admits.
        let person = pages.access.person(request)
        let scope: Token.Scope = person?.caller.has(.promote, earlier: .withdraw) ?? true ? .promote : .withdraw
        return pages.change(
            request, scope == .promote ? .promote : .withdraw, scope, of: bundle.text, earlier: .withdraw
        ) {
            [registry] fields, person, write throws(Problem) in
            let act = try ChannelAct(bundle.text, fields)
            try person.caller.require(act.scope, earlier: act.earlier, of: bundle.text)
            let channel = try act.perform(
                in: registry, by: write.author(for: act.act), for: person.caller, noting: write)
            return GalleryAnswer.go(to: ManagePages.done(act.kind.rawValue, bundle.text, channel))
        }
    }

    // MARK: The page

    /// `GET /manage/w/{id}`
    private func show(_ request: borrowing Request, _ bundle: BundleIdentifier) -> Answer {
        let done = request.query("done").flatMap(ManageBundle.note)
        let channel = request.query("channel").flatMap { ChannelName.isName($0) ? $0 : nil }
        return pages.answer(request) { [registry] person throws(Problem) in
            let caller = person.caller
            guard caller.covers(bundle.text) else {
                throw caller.problem(.noSuchBundle(bundle.text, spelling: nil))
            }
            let (entry, releases) = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                (
                    try registry.entry(bundle.text),
                    try registry.releases(bundle.text, limit: ManageBundle.releaseCount, after: nil).items
                )
            }
            return ManageBundle.page(entry, releases, caller, done, channel)
        }
    }

    /// The sentence about an act that was carried out.
    private static func note(_ done: String) -> String? {
        switch done {
        case "publish": "It is published. Hosts get it when they ask next."
        case ChannelAct.Kind.promote.rawValue: "The channel was changed. Hosts get the release when they ask next."
        case ChannelAct.Kind.rollback.rawValue: "The channel was rolled back."
        case ChannelAct.Kind.withdraw.rawValue: "The release is withdrawn. No host gets it any more."
        case ChannelAct.Kind.restore.rawValue: "The release is restored."
        case ChannelAct.Kind.delete.rawValue: "The channel is deleted."
        default: nil
        }
    }

    private static func page(
        _ entry: CatalogueEntry, _ releases: [Release], _ caller: Caller, _ done: String?, _ channel: String?
    ) -> [UInt8] {
        let bundle = entry.bundle
        var html = ManagePages.begin("Manage \(bundle.name)")
        html.crumbs([("/manage", "Manage")], here: bundle.identifier)
        html.bundleTitle(entry, to: PagePath.bundle(bundle.identifier), "Its page")
        if let done {
            html.element(.div) {
                $0.set(.class, "note good")
                $0.set(.role, "status")
            } content: { html in
                html.paragraph(done)
                if let channel, caller.has(.promote), bundle.channels.contains(where: { $0.name == channel }) {
                    html.element(.p) {
                        $0.link(
                            address(bundle.identifier, [("act", "rollback"), ("channel", channel)]),
                            "Undo: roll \(channel) back")
                    }
                }
            }
        }
        if caller.has(.promote) {
            let choices = releases.filter { $0.withdrawal == nil }.map { (value: $0.key, label: $0.key) }
            for channel in bundle.channels where caller.channels.isEmpty || caller.channels.contains(channel.name) {
                form(channel, bundle.identifier, choices, to: &html)
            }
            if !choices.isEmpty { newChannel(bundle.identifier, choices, caller, to: &html) }
        }
        table(releases, bundle.identifier, caller, to: &html)
        return GalleryFrame.end(&html)
    }

    private static func address(_ bundle: String, _ fields: [(String, String)]) -> String {
        "\(PagePath.manage(bundle))/confirm?"
            + fields.map { "\($0.0)=\(PercentEncoding.segment($0.1))" }.joined(separator: "&")
    }

    private static func form(
        _ channel: Channel, _ bundle: String, _ choices: [(value: String, label: String)], to html: inout HTMLWriter
    ) {
        html.section("Channel \(channel.name)", id: "channel-\(channel.name)") { html in
            html.paragraph("It shows \(GalleryText.shown(channel)).")
            html.element(.form) {
                $0.set(.action, "\(PagePath.manage(bundle))/confirm")
            } content: { html in
                ManageForm.hidden("act", "promote", to: &html)
                ManageForm.hidden("channel", channel.name, to: &html)
                html.box(class: "row") { html in
                    ManageForm.choice(
                        "release", "Release to show", choices, channel.release, scope: channel.name, to: &html)
                    ManageForm.share("Share of hosts, in per cent", channel.rollout, scope: channel.name, to: &html)
                }
                ManageForm.check(
                    "mandatory", "Mandatory: hosts run nothing older", isChecked: channel.isMandatory,
                    scope: channel.name, to: &html)
                html.element(.button, text: "Promote…")
            }
            html.box(class: "row") { html in
                html.link(
                    address(bundle, [("act", "rollback"), ("channel", channel.name)]), "Roll back…",
                    class: "button quiet")
                html.link(
                    address(bundle, [("act", "delete"), ("channel", channel.name)]), "Delete the channel…",
                    class: "button quiet")
            }
        }
    }

    private static func newChannel(
        _ bundle: String, _ choices: [(value: String, label: String)], _ caller: Caller, to html: inout HTMLWriter
    ) {
        html.section("Another channel", id: "another") { html in
            html.element(.form) {
                $0.set(.action, "\(PagePath.manage(bundle))/confirm")
            } content: { html in
                ManageForm.hidden("act", "promote", to: &html)
                html.box(class: "row") { html in
                    ManageForm.field(
                        "channel", "Name", caller.channels.first ?? "", "text", scope: "new", isRequired: true,
                        to: &html)
                    ManageForm.choice("release", "Release to show", choices, nil, scope: "new", to: &html)
                    ManageForm.share("Share of hosts, in per cent", scope: "new", to: &html)
                }
                html.element(.button, text: "Make it…") { $0.set(.class, "quiet") }
            }
        }
    }

    private static func table(_ releases: [Release], _ bundle: String, _ caller: Caller, to html: inout HTMLWriter) {
        html.section("Releases", id: "releases") { html in
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.tableHead(["Release", "State", "Published", "Change"])
                    html.element(.tbody) { html in
                        for (place, release) in releases.enumerated() {
                            row(release, place, bundle, caller, to: &html)
                        }
                    }
                }
            }
        }
    }

    private static func row(
        _ release: Release, _ place: Int, _ bundle: String, _ caller: Caller, to html: inout HTMLWriter
    ) {
        html.element(.tr) { html in
            html.releaseHead(release)
            html.element(.td) { $0.releaseChips(release) }
            html.element(.td) { $0.time(release.published) }
            html.element(.td) { html in
                if release.withdrawal != nil {
                    if caller.has(.promote, earlier: .withdraw) {
                        html.link(address(bundle, [("act", "restore"), ("release", release.key)]), "Restore…")
                    }
                } else if caller.has(.withdraw) {
                    html.element(.details) { html in
                        html.element(.summary, text: "Withdraw…")
                        html.element(.form) {
                            $0.set(.action, "\(PagePath.manage(bundle))/confirm")
                        } content: { html in
                            ManageForm.hidden("act", "withdraw", to: &html)
                            ManageForm.hidden("release", release.key, to: &html)
                            ManageForm.field(
                                "reason", "Reason, which is shown", "", "text", scope: "withdraw-\(place)",
                                isRequired: true,
                                to: &html)
                            html.element(.button, text: "Withdraw \(release.key)…") { $0.set(.class, "quiet") }
                        }
                    }
                }
            }
        }
    }
}
