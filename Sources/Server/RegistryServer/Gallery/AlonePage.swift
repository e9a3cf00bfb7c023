internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page with the widget of a release alone: in the whole window, or in the box of a device that its address names.
struct AlonePage: Sendable {
    let view: ReleaseView
    let choice: AloneChoice

    private var bundle: String { view.bundle.identifier }
    private var place: String { PagePath.release(bundle, view.release.key) }

    func bytes() -> [UInt8] {
        var options = RunOnPage.options(view)
        options.isBare = true
        var html = GalleryFrame.begin("\(view.bundle.name) \(view.release.key)", .bundles, options)
        html.element(.h1, text: view.bundle.name) { $0.set(.class, "hidden-label") }
        let label = choice.screen.map { "Screen \($0) of \(view.bundle.name)" } ?? "First screen of \(view.bundle.name)"
        html.box(class: choice.hasDevice ? "alone \(choice.device.size.rawValue)" : "alone") { html in
            html.stage(view, view.still(of: choice.screen, for: choice.device), label)
        }
        html.box(class: "below") { html in
            RunOnPage(view: view).write(to: &html)
            if case .off(let reason) = view.running, view.hasScreens, view.obstacles.isEmpty {
                html.paragraph(reason, class: "small soft")
            }
            html.shortcomings(view)
            ways(to: &html)
            html.element(.p) {
                $0.set(.class, "small")
            } content: {
                $0.link(place, "About this release")
            }
        }
        return GalleryFrame.end(&html, isBare: true)
    }

    /// The screens that the shown one leads to, as stills: for readers whose browser runs nothing.
    private func ways(to html: inout HTMLWriter) {
        guard let facts = view.facts else { return }
        let shown = facts.screens.first { $0.name == choice.screen } ?? facts.screens.first
        let others = facts.screens.filter { screen in
            shown?.ways.contains(screen.name) ?? false || screen == facts.screens.first && screen != shown
        }
        guard !others.isEmpty else { return }
        html.element(.nav) {
            $0.set(.class, "small")
            $0.set(.label, "Other screens")
            $0.set(.dataAct, "ways")
        } content: { html in
            html.text("Leads to ")
            for (place, screen) in others.prefix(12).enumerated() {
                if place > 0 { html.text(", ") }
                html.link(address(of: screen.name), screen.title)
            }
        }
    }

    private func address(of screen: String) -> String {
        var other = choice
        other.show(screen)
        return PagePath.alone(bundle, view.release.key) + other.query
    }
}
