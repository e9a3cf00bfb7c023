internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of a widget alone. The widget has all of its box; the browser resolves and runs it.
struct EmbedPage: Sendable {
    let widget: String
    let parameters: EmbedParameters
    let ancestors: FrameAncestors
    /// The name of the bundle, until the widget has a title.
    let title: String
    /// The release whose still is shown where no script runs.
    let release: Release
    /// The name of its first still.
    let still: String?
    let running: PageRunning

    /// The element's script, which names the engine.
    private static let script = "/widget-view.js"
    private static let noScript = "This widget runs by a script, and this browser allows none: allow it for this page."

    func bytes() -> [UInt8] {
        var html = EmbedPage.begin(
            title, ancestors, scheme: parameters.place.scheme, scripts: [GalleryAssets.shared.embedScript],
            modules: running.isOn ? [EmbedPage.script] : [])
        switch running {
        case .on:
            element(to: &html)
            html.element(.noscript) { html in instead(EmbedPage.noScript, code: nil, to: &html) }
        case .off(let reason): instead(reason, code: "engine", to: &html)
        }
        return html.finish()
    }

    private func element(to html: inout HTMLWriter) {
        html.markup("<widget-view sandbox grant=\"*\" src=\"")
        html.address("/v1/widgets/\(PercentEncoding.segment(widget))")
        for (name, value) in attributes {
            html.markup("\" ")
            html.trusted(name)
            html.markup("=\"")
            html.text(value)
        }
        html.markup("\"></widget-view>")
    }

    /// The attributes of the element that the address has chosen.
    private var attributes: [(name: String, value: String)] {
        let place = parameters.place
        var attributes: [(name: String, value: String)] = [("aria-label", title)]
        if let channel = parameters.channel { attributes.append(("channel", channel)) }
        if let scheme = place.scheme { attributes.append(("scheme", scheme.rawValue)) }
        if let direction = place.direction { attributes.append(("dir", direction.rawValue)) }
        if place.textSize != .usual { attributes.append(("text-size", place.textSize.rawValue)) }
        if let locale = place.locale { attributes.append(("locale", locale)) }
        if let link = parameters.link { attributes.append(("link", link)) }
        return attributes
    }

    /// A sentence in place of the widget, with the first still.
    private func instead(_ sentence: String, code: String?, to html: inout HTMLWriter) {
        EmbedPage.said(title, sentence, code: code, to: &html) { html in
            if let still {
                html.still(release.bundleIdentifier, release.key, still, "First screen of \(title)")
            }
        }
    }

    // MARK: Refusals

    /// A page with the reason why a widget is missing, which the page around it hears, too.
    ///
    /// - Parameter address: where the widget is once its reader has signed in; `nil` if that would not help.
    static func refusal(_ problem: Problem, _ address: String?, _ ancestors: FrameAncestors) -> [UInt8] {
        var html = begin(
            problem.title, ancestors, scheme: nil, scripts: [GalleryAssets.shared.embedScript], modules: [])
        let sentence =
            address == nil
            ? problem.detail
            : "This registry shows widgets to those who have signed in, and in frames of the same site alone."
        said(problem.title, sentence, code: problem.code, to: &html) { html in
            guard let address else { return }
            html.element(.p) { html in
                html.element(.a, text: "Open it in a window, and sign in there") {
                    $0.set(.href, address)
                    $0.set(.target, "_blank")
                    $0.set(.rel, "noopener")
                }
            }
        }
        return html.finish()
    }

    private static func said(
        _ title: String, _ sentence: String, code: String?, to html: inout HTMLWriter,
        _ more: (inout HTMLWriter) -> Void
    ) {
        html.markup("<div class=\"said\"")
        if let code {
            html.markup(" data-code=\"")
            html.text(code)
            html.markup("\"")
        }
        html.markup(">")
        html.element(.h1, text: title)
        html.paragraph(sentence)
        more(&html)
        html.markup("</div>")
    }

    /// Opens a page and its main part.
    private static func begin(
        _ title: String, _ ancestors: FrameAncestors, scheme: DeviceChoice.Scheme?, scripts: [String],
        modules: [String]
    ) -> HTMLWriter {
        var html = HTMLWriter(addressMark: RootPath.mark)
        html.markup("<!DOCTYPE html>\n")
        html.begin(.html) { $0.set(.lang, "en") }
        html.element(.head) { html in
            html.begin(.meta) { $0.set(.charset, "utf-8") }
            for (name, content) in [
                ("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
                ("color-scheme", scheme?.rawValue ?? "light dark"),
            ] {
                html.begin(.meta) {
                    $0.set(.name, name)
                    $0.set(.content, content)
                }
            }
            html.element(.title, text: title)
            html.begin(.link) {
                $0.set(.rel, "icon")
                $0.set(.type, "image/svg+xml")
                $0.set(.href, GalleryAssets.shared.icon)
            }
            html.begin(.link) {
                $0.set(.rel, "stylesheet")
                $0.set(.href, GalleryAssets.shared.embedSheet)
            }
            for script in scripts {
                html.markup("<script defer src=\"")
                html.address(script)
                html.markup("\"></script>")
            }
            for module in modules {
                html.markup("<script type=\"module\" src=\"")
                html.address(module)
                html.markup("\"></script>")
            }
        }
        html.markup("<body data-frames=\"")
        html.text(ancestors.text)
        html.markup("\">")
        html.begin(.main)
        return html
    }
}
