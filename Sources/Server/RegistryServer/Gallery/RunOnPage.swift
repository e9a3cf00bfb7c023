internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// A release that runs on its page, in the reader's browser: the element's script fetches engine and archive and runs the
/// widget in a frame without an origin, and `running.js` gives its page the buttons. Without script its still stays.
struct RunOnPage {
    let view: ReleaseView

    /// The most servers whose answers a reader may allow.
    private static let mostServers = 20
    /// The script of the element, which pages of any origin have.
    private static let elementScript = "/widget-view.js"

    private var place: String { PagePath.release(view.bundle.identifier, view.release.key) }

    /// The head of a page with a release that may run.
    static func options(_ view: ReleaseView?) -> GalleryFrame.Options {
        var options = GalleryFrame.Options()
        guard let view, view.runs else { return options }
        options.modules = [elementScript]
        options.scripts = [GalleryAssets.shared.runningScript]
        return options
    }

    static func powers(_ view: ReleaseView?) -> GalleryAnswer.Powers {
        guard let view, view.runs else { return .none }
        return .widget(servers: RunOnPage(view: view).servers)
    }

    /// The servers that the bundle states. They were read by a confined process, and go into the page's policy.
    private var servers: [String] {
        Array((view.facts?.hosts ?? []).filter(RunOnPage.isServer).prefix(RunOnPage.mostServers))
    }

    /// True for a scheme and a server with nothing behind it, in letters that a policy takes.
    static func isServer(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let server = text.dropFirst(scheme.count)
            return 1...255 ~= server.utf8.count
                && server.utf8.allSatisfy { byte in
                    0x30...0x39 ~= byte || 0x61...0x7A ~= byte || 0x41...0x5A ~= byte || ".-:[]".utf8.contains(byte)
                }
        }
        return false
    }

    /// Tells the script the source and the servers, on the element that holds the still. The reader, the screen and the link are in the
    /// address of the page.
    func set(_ attributes: inout HTMLAttributes) {
        attributes.set(.dataSource, "\(place)/bundle.zip")
        attributes.set(.dataServers, servers.joined(separator: " "))
        attributes.set(.dataTitle, view.bundle.name)
    }

    /// The buttons, choices and sentences of a widget that runs, which the script shows.
    func write(to html: inout HTMLWriter) {
        guard view.runs else { return }
        html.element(.div) {
            $0.set(.id, "running")
            $0.set(.class, "stack")
        } content: { html in
            html.element(.p) {
                $0.set(.class, "small soft")
                $0.set(.role, "status")
                $0.set(.dataAct, "said")
            } content: { html in
                html.text(
                    "A still. Run appears here once your browser has the script that runs it; if it does not, allow scripts, or "
                        + "load this page again.")
            }
            html.element(.div) {
                $0.set(.class, "row")
                $0.set(.dataAct, "buttons")
                $0.set(.hidden, if: true)
            } content: { html in
                RunOnPage.button("Begin anew", "again", to: &html)
                RunOnPage.button("Inspect", "inspect", to: &html)
            }
            network(to: &html)
            html.element(.details) {
                $0.set(.dataAct, "log")
                $0.set(.hidden, if: true)
            } content: { html in
                html.element(.summary, text: "What it has said")
                html.element(.ol) {
                    $0.set(.class, "plain small")
                } content: { _ in
                }
            }
            html.element(.section) {
                $0.set(.class, "panel inspector")
                $0.set(.label, "Inspector")
                $0.set(.dataAct, "inspector")
                $0.set(.tabindex, "-1")
                $0.set(.hidden, if: true)
            } content: { _ in
            }
        }
        html.element(.p) {
            $0.set(.class, "small")
        } content: {
            $0.element(.a, text: "The widget alone, in the whole window") {
                $0.set(.href, PagePath.alone(view.bundle.identifier, view.release.key))
                $0.set(.dataAct, "alone")
            }
        }
    }

    private static func button(_ title: String, _ act: String, to html: inout HTMLWriter) {
        html.element(.button, text: title) {
            $0.set(.type, "button")
            $0.set(.class, "quiet")
            $0.set(.dataAct, act)
        }
    }

    /// The choice of who answers the widget's requests. Nothing is sent for it by this server.
    private func network(to html: inout HTMLWriter) {
        let servers = servers
        guard !servers.isEmpty else { return }
        html.element(.fieldset) {
            $0.set(.dataAct, "network")
            $0.set(.hidden, if: true)
        } content: { html in
            html.element(.legend, text: "Who answers its requests")
            RunOnPage.answerer("stubs", isChecked: true, to: &html) { html in
                html.text("Only the stub services that the bundle has with it")
            }
            RunOnPage.answerer("servers", to: &html) { html in
                html.text("Its servers, asked by your browser: ")
                for (place, server) in servers.enumerated() {
                    if place > 0 { html.text(", ") }
                    html.code(server)
                }
            }
        }
    }

    private static func answerer(
        _ value: String, isChecked: Bool = false, to html: inout HTMLWriter, _ words: (inout HTMLWriter) -> Void
    ) {
        html.element(.label) {
            $0.set(.class, "check")
        } content: { html in
            html.begin(.input) {
                $0.set(.type, "radio")
                $0.set(.name, "answers")
                $0.set(.value, value)
                $0.set(.checked, if: isChecked)
            }
            html.element(.span, content: words)
        }
    }
}

/// The running of widgets on pages: in readers' browsers, by the engine that this server has for them.
package enum PageRunning: Equatable, Sendable {
    case on
    /// Pages show stills alone; the sentence says why.
    case off(String)

    /// A server without the settings of a program.
    package static let usual = PageRunning.off("This registry shows stills, and runs no widgets on its pages.")

    var isOn: Bool { self == .on }

    /// That of a page, by which it is cached.
    var key: String { if case .off(let reason) = self { reason } else { "" } }
}
