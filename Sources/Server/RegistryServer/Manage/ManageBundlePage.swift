internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page on which a person sees the channels and the releases of a bundle, and begins to change them.
struct ManageBundlePage: Sendable {
    let entry: CatalogueEntry
    let releases: [Release]
    let caller: Caller
    /// The outcomes of rolling back, by the names of the channels that can be rolled back.
    var goals: [String: RollbackProspect] = [:]
    /// The sentence about the act that has led here.
    var done: String?
    /// The channel that this act has changed, if nothing has changed it since.
    var changed: Channel?

    private var bundle: String { entry.bundle.identifier }

    func bytes() -> [UInt8] {
        var html = ManagePages.begin("Manage \(entry.bundle.name)", for: caller)
        html.crumbs([("/manage", "Manage")], here: bundle)
        html.bundleTitle(entry, to: PagePath.bundle(bundle), "Its page")
        outcome(to: &html)
        if caller.has(.promote) {
            let choices = ManageBundle.choices(releases)
            for channel in entry.bundle.channels where caller.moves(channel.name) { form(channel, choices, to: &html) }
            if !choices.isEmpty { newChannel(choices, to: &html) }
        }
        table(to: &html)
        return GalleryFrame.end(&html)
    }

    /// The sentence about an act, and the way to undo it while a rollback does that.
    private func outcome(to html: inout HTMLWriter) {
        guard let done else { return }
        html.element(.div) {
            $0.set(.class, "note good")
            $0.set(.role, "status")
        } content: { html in
            html.paragraph(done)
            if let changed, let goal = goals[changed.name], goal.undoesLastChange {
                html.element(.p) {
                    $0.link(
                        address([("act", "rollback"), ("channel", changed.name)]),
                        "Undo: roll \(changed.name) back to \(goal.channel.release)")
                }
            }
        }
    }

    private func address(_ fields: [(String, String)]) -> String {
        "\(PagePath.manage(bundle))/confirm?"
            + fields.map { "\($0.0)=\(PercentEncoding.segment($0.1))" }.joined(separator: "&")
    }

    private func form(
        _ channel: Channel, _ choices: [(value: String, label: String)], to html: inout HTMLWriter
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
                    ManageForm.share(
                        ManageForm.percent(channel.rollout), scope: channel.name, isRequired: true, to: &html)
                }
                ManageForm.check(
                    "mandatory", "Mandatory: hosts run nothing older", isChecked: channel.isMandatory,
                    scope: channel.name, to: &html)
                html.element(.button, text: "Promote…")
            }
            html.box(class: "row") { html in
                if let goal = goals[channel.name] {
                    html.link(
                        address([("act", "rollback"), ("channel", channel.name)]),
                        "Roll back to \(goal.channel.release)…", class: "button quiet")
                }
                html.link(
                    address([("act", "delete"), ("channel", channel.name)]), "Delete the channel…",
                    class: "button quiet")
            }
        }
    }

    private func newChannel(_ choices: [(value: String, label: String)], to html: inout HTMLWriter) {
        html.section("Another channel", id: "another") { html in
            html.element(.form) {
                $0.set(.action, "\(PagePath.manage(bundle))/confirm")
            } content: { html in
                ManageForm.hidden("act", "promote", to: &html)
                html.box(class: "row") { html in
                    ManageForm.field(
                        "channel", "Name", caller.channels.count == 1 ? caller.channels[0] : "", "text", scope: "new",
                        isRequired: true, to: &html)
                    ManageForm.choice("release", "Release to show", choices, nil, scope: "new", to: &html)
                    ManageForm.share("100", scope: "new", isRequired: true, to: &html)
                }
                html.element(.button, text: "Make it…") { $0.set(.class, "quiet") }
            }
        }
    }

    private func table(to html: inout HTMLWriter) {
        html.section("Releases", id: "releases") { html in
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.tableHead(["Release", "State", "Published", "Change"])
                    html.element(.tbody) { html in
                        for (place, release) in releases.enumerated() {
                            row(release, place, to: &html)
                        }
                    }
                }
            }
        }
    }

    private func row(_ release: Release, _ place: Int, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.releaseHead(release)
            html.element(.td) { $0.releaseChips(release) }
            html.element(.td) { $0.time(release.published) }
            html.element(.td) { html in
                if release.withdrawal != nil {
                    if caller.has(.promote, earlier: .withdraw) {
                        html.link(address([("act", "restore"), ("release", release.key)]), "Restore…")
                    }
                } else if release.expiry == nil, caller.has(.withdraw) {
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
