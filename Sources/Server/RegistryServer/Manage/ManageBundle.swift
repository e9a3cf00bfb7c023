internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The pages by which people change what hosts get of a bundle. Each act is confirmed on a page that says what will change.
struct ManageBundle: Sendable {
    let pages: ManagePages
    let registry: Registry

    /// The releases that can be chosen from.
    static let releaseCount = 100

    func add(to routes: inout Routes) {
        routes.get("/manage/w/{id}", show)
        routes.get("/manage/w/{id}/confirm", confirm)
        routes.on(.post, "/manage/w/{id}", perform)
    }

    // MARK: Acts

    /// `GET /manage/w/{id}/confirm`
    private func confirm(_ request: borrowing Request, _ bundle: BundleIdentifier) -> Answer {
        // A browser writes the fields of a form as it does in a body, with a plus sign for a blank.
        let fields = SentFields(request.queryBytes)
        return pages.answer(
            request,
            refusing: { [registry] problem, person in
                RefusedAct(registry: registry, bundle: bundle.text, fields: fields, person: person).answer(problem)
            }
        ) { [registry] person throws(Problem) in
            let plan = try ChannelAct(bundle.text, fields).plan(in: registry, for: person.caller)
            var html = ManagePages.begin(plan.title, for: person.caller)
            html.crumbs([("/manage", "Manage"), (PagePath.manage(bundle.text), bundle.text)])
            html.element(.h1, text: plan.title)
            plan.write(bundle.text, to: &html)
            return GalleryFrame.end(&html)
        }
    }

    /// `POST /manage/w/{id}`
    private func perform(_ request: borrowing Request, _ bundle: BundleIdentifier) -> Answer {
        // The act is in the form; until it has been read, any right to change something admits.
        let person = pages.access.person(request)
        let scope: Token.Scope = person?.caller.has(.promote, earlier: .withdraw) ?? true ? .promote : .withdraw
        return pages.change(
            request, scope == .promote ? .promote : .withdraw, scope, of: bundle.text, earlier: .withdraw,
            refusing: { [registry] problem, fields, person in
                RefusedAct(registry: registry, bundle: bundle.text, fields: fields, person: person).answer(problem)
            }
        ) { [registry] fields, person, write throws(Problem) in
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
        let (channel, sequence) = (request.query("channel"), request.query("sequence"))
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
            var page = ManageBundlePage(entry: entry, releases: releases, caller: caller)
            for shown in entry.bundle.channels where caller.moves(shown.name) {
                page.goals[shown.name] = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                    try goal(of: shown.name, of: bundle.text)
                }
            }
            page.done = done
            page.changed = entry.bundle.channels.first { $0.name == channel && "\($0.sequence)" == sequence }
            return page.bytes()
        }
    }

    /// The outcome of a rollback; `nil` if the channel has none to offer, or has gone meanwhile.
    private func goal(of channel: String, of bundle: String) throws(RegistryError) -> RollbackProspect? {
        do throws(RegistryError) {
            return try registry.judgeRollback(bundle, channel)
        } catch {
            switch error {
            case .noEarlierRelease, .noSuchChannel: return nil
            default: throw error
            }
        }
    }

    /// The sentence about an act that was carried out.
    private static func note(_ done: String) -> String? {
        switch done {
        case "publish": "It is published. Hosts get it when they ask next."
        case "stored": "It is published. The channel continues to show what it showed."
        case ChannelAct.Kind.promote.rawValue: "The channel was changed. Hosts get the release when they ask next."
        case ChannelAct.Kind.rollback.rawValue: "The channel was rolled back."
        case ChannelAct.Kind.withdraw.rawValue: "The release is withdrawn. No host gets it any more."
        case ChannelAct.Kind.restore.rawValue: "The release is restored."
        case ChannelAct.Kind.delete.rawValue: "The channel is deleted."
        default: nil
        }
    }

    /// The releases that can be shown, as a form offers them.
    static func choices(_ releases: [Release]) -> [(value: String, label: String)] {
        releases.filter { !$0.isGone }.map { (value: $0.key, label: $0.key) }
    }
}

extension Caller {
    /// True if this caller may change what the channel shows.
    func moves(_ channel: String) -> Bool { has(.promote) && channelRights().include(channel) }
}
