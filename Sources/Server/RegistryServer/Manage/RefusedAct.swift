internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// An act on a bundle that was refused: the page says why, and has the form of the act as it was sent.
struct RefusedAct: Sendable {
    let registry: Registry
    let bundle: String
    let fields: SentFields
    let person: Person

    private var caller: Caller { person.caller }

    func answer(_ problem: Problem) -> Answer {
        if problem.code == ProblemCode.preconditionFailed.rawValue, let plan = plan { return changed(problem, plan) }
        let task = RefusedTask.ofBundle(bundle, for: person)
        guard caller.covers(bundle) else { return task.answer(problem, for: person) }
        switch ChannelAct.Kind(rawValue: fields["act"] ?? "") {
        case .promote where caller.has(.promote):
            let releases = (try? registry.releases(bundle, limit: ManageBundle.releaseCount, after: nil).items) ?? []
            return task.answer(problem, for: person) { promotion(ManageBundle.choices(releases), to: &$0) }
        case .withdraw where caller.has(.withdraw) && fields["release"] != nil:
            return task.answer(problem, for: person) { withdrawal(to: &$0) }
        default: return task.answer(problem, for: person)
        }
    }

    /// The same act, planned again from the present state.
    private var plan: ChannelAct.Plan? {
        do throws(Problem) {
            return try ChannelAct(bundle, fields).plan(in: registry, for: caller)
        } catch {
            return nil
        }
    }

    /// Someone else was faster: what is there now, and the act to confirm again.
    private func changed(_ problem: Problem, _ plan: ChannelAct.Plan) -> Answer {
        let task = RefusedTask.ofBundle(bundle, for: person, title: "Nothing was changed yet")
        return task.answer(problem, for: person) { html in
            html.section(plan.title, id: "again") { plan.write(bundle, to: &$0) }
        }
    }

    // MARK: Forms

    private func promotion(_ choices: [(value: String, label: String)], to html: inout HTMLWriter) {
        let (channel, share) = (fields["channel"] ?? "", fields["share"] ?? "")
        html.section("Promote a release", id: "again") { html in
            html.element(.form) {
                $0.set(.action, "\(PagePath.manage(bundle))/confirm")
            } content: { html in
                ManageForm.hidden("act", ChannelAct.Kind.promote.rawValue, to: &html)
                html.box(class: "row") { html in
                    ManageForm.field(
                        "channel", "Channel", channel, "text", isRequired: true,
                        isInvalid: !ChannelName.isName(channel), to: &html)
                    ManageForm.choice("release", "Release to show", choices, fields["release"], to: &html)
                    ManageForm.share(share, isRequired: true, isInvalid: !ManageForm.isShare(share), to: &html)
                }
                ManageForm.check(
                    "mandatory", "Mandatory: hosts run nothing older", isChecked: fields["mandatory"] != nil, to: &html)
                html.element(.button, text: "Promote…")
            }
        }
    }

    private func withdrawal(to html: inout HTMLWriter) {
        let release = fields["release"] ?? ""
        html.section("Withdraw a release", id: "again") { html in
            html.element(.form) {
                $0.set(.action, "\(PagePath.manage(bundle))/confirm")
            } content: { html in
                ManageForm.hidden("act", ChannelAct.Kind.withdraw.rawValue, to: &html)
                ManageForm.hidden("release", release, to: &html)
                ManageForm.field(
                    "reason", "Reason, which is shown", fields["reason"] ?? "", "text", isRequired: true, to: &html)
                html.element(.button, text: "Withdraw \(release)…") { $0.set(.class, "quiet") }
            }
        }
    }
}

extension ChannelAct.Plan {
    /// The sentences, and the button that confirms them.
    func write(_ bundle: String, to html: inout HTMLWriter) {
        html.box(class: isDangerous ? "note bad" : "note") { html in
            for sentence in sentences { html.paragraph(sentence) }
            if let undoing { html.paragraph(undoing, class: "small") }
        }
        html.box(class: "row") { html in
            ManageForm.button(
                PagePath.manage(bundle), button, fields, class: isDangerous ? "danger" : nil, to: &html)
            html.link(PagePath.manage(bundle), "Leave it as it is", class: "button quiet")
        }
    }
}
