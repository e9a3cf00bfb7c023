internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page at `/`: a card for each bundle, and a search.
struct CataloguePage: Sendable {
    /// The bundles of a page.
    static let length = 24

    let query: CatalogueParameters
    /// The address at which clients reach the server, for lines that people paste.
    let address: String
    let entries: Page<CatalogueEntry>
    /// The last change that the list has; `nil` on a registry that not every reader sees whole.
    let latestTag: Int64?

    func resource(below root: String, _ caching: Document.Caching) -> Resource {
        GalleryAnswer.page(bytes(), below: root, caching, latestTag == nil ? .none : .script, variesByType: true)
    }

    private var nextAddress: String? { entries.next.map { query.address(after: $0) } }

    func bytes() -> [UInt8] {
        var options = GalleryFrame.Options()
        options.feed = ("/feed.atom", "New releases")
        options.next = nextAddress
        if latestTag != nil { options.scripts = [GalleryAssets.shared.catalogueScript] }
        let title = query.isEmpty ? GalleryFrame.siteName : "Search: \(query.words)"
        var html = GalleryFrame.begin(title, .bundles, options)
        html.box(class: "stack") { html in
            html.element(.h1, text: query.isEmpty ? "Bundles" : "Search")
            if query.isEmpty {
                html.paragraph(
                    "Parts of apps as data: screens, texts, pictures and rules, without code.", class: "soft")
            }
        }
        search(to: &html)
        html.element(.p, text: "") {
            $0.set(.id, "said")
            $0.set(.role, "status")
            $0.set(.class, "hidden-label")
        }
        if entries.items.isEmpty {
            if query.isEmpty { empty(to: &html) } else { nothingFound(to: &html) }
            if entries.next == nil { return GalleryFrame.end(&html) }
        }
        html.element(.ul) {
            $0.set(.class, "cards")
            $0.set(.dataSince, latestTag.map { "\($0)" })
            $0.set(.dataChanges, latestTag.map { _ in RegistryPath.changes })
        } content: { html in
            for entry in entries.items { CataloguePage.card(entry, to: &html) }
        }
        if let next = nextAddress {
            html.element(.p) { $0.link(next, "More bundles", class: "button quiet") }
        }
        return GalleryFrame.end(&html)
    }

    // MARK: Search

    private func search(to html: inout HTMLWriter) {
        html.element(.search) { html in
            html.element(.form) {
                $0.set(.class, "find")
                $0.set(.action, "/")
            } content: { html in
                html.box(class: "row") { html in
                    html.searchField(query.text)
                    html.element(.button, text: "Search")
                }
                html.element(.details) {
                    $0.set(.open, if: query.prefix != nil || query.finding != nil)
                } content: { html in
                    html.element(.summary, text: "Narrow it down")
                    html.box(class: "row") { html in
                        narrowing("prefix", "Identifier begins with", query.prefix, "com.acme.", to: &html)
                        narrowing("finding", "Kind of finding", query.finding, "low-contrast", to: &html)
                    }
                }
            }
        }
    }

    private func narrowing(
        _ name: String, _ label: String, _ value: String?, _ example: String, to html: inout HTMLWriter
    ) {
        html.box(class: "field grow") { html in
            html.element(.label, text: label) { $0.set(.for, name) }
            html.begin(.input) {
                $0.set(.id, name)
                $0.set(.name, name)
                $0.set(.value, value)
                $0.set(.placeholder, example)
                $0.set(.maxLength, "100")
                $0.set(.autocomplete, "off")
                $0.set(.spellcheck, "false")
                $0.set(.autocapitalize, "none")
            }
        }
    }

    private func nothingFound(to html: inout HTMLWriter) {
        html.box(class: "panel") { html in
            html.element(.h2, text: "Nothing is found")
            html.paragraph(
                "Each word has to begin a word of the name or of the identifier: “clock” finds com.acme.WorldClock, “lock” does not."
            )
            html.element(.p) { $0.link("/", "All bundles") }
        }
    }

    /// Teaches the first publish.
    private func empty(to html: inout HTMLWriter) {
        html.element(.section) {
            $0.set(.class, "panel")
            $0.set(.labelledBy, "first-h")
            $0.set(.dataSince, latestTag.map { "\($0)" })
            $0.set(.dataChanges, latestTag.map { _ in RegistryPath.changes })
        } content: { html in
            html.element(.h2, text: "Nothing is published yet") { $0.set(.id, "first-h") }
            html.paragraph(
                "A bundle appears here as soon as it is published. This line, in the directory where the registry was started, publishes one:"
            )
            html.element(.pre) { html in
                html.element(
                    .code,
                    text:
                        "curl -H \"Authorization: Bearer $(cat data/admin-token)\" -T WidgetDemo.zip \(address)/v1/bundles/"
                ) { $0.set(.class, "copy") }
            }
            html.paragraph("The tool makes a bundle to begin with, and publishes it:")
            html.element(.pre) { html in
                html.element(
                    .code,
                    text:
                        "widget new Notes && WIDGET_TOKEN=$(cat data/admin-token) widget publish Notes --server \(address)"
                ) { $0.set(.class, "copy") }
            }
            html.element(.p) { html in
                html.text("Or ")
                html.link("/manage", "sign in with a token")
                html.text(" and publish from this page.")
            }
        }
    }

    // MARK: Cards

    private static func card(_ entry: CatalogueEntry, to html: inout HTMLWriter) {
        let bundle = entry.bundle
        let still = entry.release.flatMap { _ in entry.parts.contains("screen-1.html") ? "screen-1.html" : nil }
        html.element(.li) {
            $0.set(.class, "card")
        } content: { html in
            html.box(class: "stage") { html in
                if let still, let release = entry.release {
                    html.still(bundle.identifier, release.key, still, "First screen of \(bundle.name)")
                } else if entry.release == nil {
                    html.paragraph("All releases are withdrawn")
                } else {
                    html.icon(entry)
                }
            }
            html.box(class: "stack") { html in
                html.box(class: "head") { html in
                    html.icon(entry)
                    html.element(.h2) { $0.link(PagePath.bundle(bundle.identifier), bundle.name) }
                    html.element(.p) {
                        $0.set(.class, "soft")
                    } content: {
                        $0.code(bundle.identifier)
                    }
                }
                if let release = entry.release {
                    html.element(.p) {
                        $0.set(.class, "small soft")
                    } content: { html in
                        html.element(.strong, text: release.key)
                        html.text(" · ")
                        html.time(release.published)
                        html.text(
                            " · \(ByteCountText.of(release.byteCount)) · \(GalleryText.count(bundle.releaseCount, "release"))"
                        )
                    }
                    if let note = release.remarks.note { html.paragraph(note, class: "small clamp") }
                }
                html.channelChips(bundle.channels)
            }
        }
    }
}
