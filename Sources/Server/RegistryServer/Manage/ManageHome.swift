internal import HTTPWire
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The first page of people who have signed in: who they are, what they may do, publishing, and their bundles.
struct ManageHome: Sendable {
    let pages: ManagePages
    let registry: Registry
    let policy: @Sendable () -> PublishPolicy

    func add(to routes: inout Routes) {
        routes.get("/manage", show)
    }

    /// `GET /manage`
    private func show(_ request: borrowing Request) -> Answer {
        let query: CatalogueParameters
        do throws(UnreadableParameter) {
            query = try CatalogueParameters(request)
        } catch {
            return GalleryAnswer.refusal(ProblemCatalogue.unreadable(error))
        }
        return pages.answer(request) { [registry, policy] person throws(Problem) in
            let caller = person.caller
            let found = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                var search = SearchQuery(
                    limit: CataloguePage.length, after: query.after, territory: caller.prefix,
                    isVisible: { caller.covers($0) })
                search.text = query.text ?? ""
                return try registry.search(search)
            }
            let usage = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                try UsageTable(registry, for: caller)
            }
            return ManageHome.page(caller, found, usage, query, limit: policy().bundles.limits.archiveByteCount)
        }
    }

    private static func page(
        _ caller: Caller, _ found: Page<CatalogueEntry>, _ usage: UsageTable, _ query: CatalogueParameters, limit: Int
    ) -> [UInt8] {
        var html = ManagePages.begin("Manage", for: caller)
        html.box(class: "title") { html in
            html.element(.div) { html in
                html.element(.h1, text: "Manage")
                html.paragraph(
                    "Signed in with the token \(caller.name). \(ManageHome.rights(of: caller))", class: "soft")
            }
        }
        if caller.has(.admin) {
            html.box(class: "row") { html in
                html.link("/manage/tokens", "Tokens", class: "button quiet")
                html.link("/manage/audit", "Audit trail", class: "button quiet")
            }
        }
        if caller.has(.publish) { UploadForm(caller: caller, limit: limit).write(to: &html) }
        html.section("Bundles", id: "bundles") { html in
            html.element(.form) {
                $0.set(.action, "/manage")
                $0.set(.class, "find")
            } content: { html in
                html.box(class: "row") { html in
                    html.searchField(query.text)
                    html.element(.button, text: "Search") { $0.set(.class, "quiet") }
                }
            }
            if found.items.isEmpty { html.paragraph("No bundle of this token's is found.", class: "soft") }
            html.element(.ul) {
                $0.set(.class, "plain stack")
            } content: { html in
                for entry in found.items {
                    html.element(.li) { html in
                        html.box(class: "row") { html in
                            html.icon(entry)
                            html.element(.div) { html in
                                html.link(PagePath.manage(entry.bundle.identifier), entry.bundle.name)
                                html.element(.p) {
                                    $0.set(.class, "small soft")
                                } content: {
                                    $0.code(entry.bundle.identifier)
                                }
                            }
                            html.channelChips(entry.bundle.channels)
                        }
                    }
                }
            }
            if let next = found.next {
                html.element(.p) {
                    $0.link("/manage\(query.address(after: next).dropFirst())", "More bundles", class: "button quiet")
                }
            }
        }
        usage.write(for: caller, to: &html)
        return GalleryFrame.end(&html)
    }

    /// The rights of a token, as sentences.
    static func rights(of caller: Caller) -> String {
        let scopes = Token.Scope.allCases.filter(caller.scopes.contains).map(\.rawValue)
        var text = "It has the scopes \(scopes.joined(separator: ", "))"
        if !caller.prefix.isEmpty { text += ", for \(caller.prefix) and below" }
        if !caller.channels.isEmpty { text += ", on the channels \(caller.channels.joined(separator: ", "))" }
        return text + "."
    }
}
