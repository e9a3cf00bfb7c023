internal import Bytes
package import HTTPServer
internal import Markup
internal import RegistryContract

/// The page that shows what a widget is made of: its elements with place, rules and the origin of each value, its log and its
/// budgets. Nothing on it can be changed.
struct InspectorPage: Sendable {
    let bundle: String
    let key: String
    let inspection: Inspection
    /// The reader that it was made for, as `?dir=rtl`, or nothing.
    let query: String
    /// The page of a running widget that it is about; `nil` for one that was started and not touched.
    let viewing: String?

    /// Elements lie this far to the side at most; what is deeper says its level.
    private static let deepest = 8

    private var place: String { PagePath.release(bundle, key) }

    /// - Parameters:
    ///   - widget: the address of the widget alone.
    ///   - query: the choices of its reader.
    static func address(_ widget: String, _ query: String) -> String {
        "\(widget)\(query)\(query.isEmpty ? "?" : "&")inspect"
    }

    func bytes() -> [UInt8] {
        var html = GalleryFrame.begin("Inspector: \(bundle) \(key)", .bundles)
        html.box(class: "stack") { html in
            html.crumbs([("/", "Bundles"), (PagePath.bundle(bundle), bundle), (place, key)], here: "Inspector")
            html.box(class: "title") { html in
                html.element(.h1, text: inspection.title.isEmpty ? inspection.screen : inspection.title)
                html.link(
                    viewing.map { "/live/\($0)" } ?? "\(place)/try\(query)", "Back to the widget", class: "button quiet"
                )
            }
            html.paragraph(
                viewing == nil
                    ? "The screen \(inspection.screen) of a widget that was started and not touched."
                    : "The screen \(inspection.screen) of a widget that runs, as it was when this page was made.",
                class: "soft")
        }
        html.box(class: "split even") { html in
            html.box(class: "stack-wide") { html in elements(to: &html) }
            html.box(class: "stack-wide") { html in
                budgets(to: &html)
                findings(to: &html)
                log(to: &html)
                another(to: &html)
            }
        }
        return GalleryFrame.end(&html)
    }

    // MARK: Elements

    private func elements(to html: inout HTMLWriter) {
        html.section("Elements", id: "elements") { html in
            if inspection.elements.count < inspection.elementCount {
                html.paragraph(
                    "These are the first \(inspection.elements.count) of \(inspection.elementCount).", class: "soft")
            }
            html.element(.ol) {
                $0.set(.class, "tree")
            } content: { html in
                for element in inspection.elements {
                    html.element(.li) {
                        $0.set(.class, "level-\(min(max(element.depth, 0), InspectorPage.deepest))")
                    } content: {
                        show(element, to: &$0)
                    }
                }
            }
        }
    }

    private func show(_ element: Inspection.Element, to html: inout HTMLWriter) {
        html.element(.details) { html in
            html.element(.summary) { html in
                html.element(.span, text: "Level \(element.depth): ") { $0.set(.class, "hidden-label") }
                html.text(element.kind)
                if let name = element.name {
                    html.text(" ")
                    html.code(name)
                }
                if let frame = element.frame {
                    html.element(.span, text: " \(InspectorPage.size(frame))") { $0.set(.class, "soft small number") }
                }
            }
            html.element(.dl) {
                $0.set(.class, "facts")
            } content: { html in
                html.fact("Key") { $0.code(element.key) }
                if let place = element.place { html.fact("Written at") { $0.code(place) } }
                if let frame = element.frame { html.fact("Place") { $0.text(InspectorPage.sentence(frame)) } }
                if !element.events.isEmpty { html.fact("Takes") { $0.text(element.events.joined(separator: ", ")) } }
                if !element.rules.isEmpty {
                    html.fact("Rules") { html in InspectorPage.list(element.rules, to: &html) }
                }
            }
            if !element.values.isEmpty { values(element.values, to: &html) }
        }
    }

    private func values(_ values: [Inspection.Value], to html: inout HTMLWriter) {
        html.element(.table) {
            $0.set(.class, "fold")
        } content: { html in
            html.tableHead(["Value", "Is", "Why"])
            html.element(.tbody) { html in
                for value in values {
                    html.element(.tr) { html in
                        html.element(.th) {
                            $0.set(.scope, "row")
                        } content: {
                            $0.code(value.name)
                        }
                        html.element(.td, text: value.value ?? "not shown")
                        html.element(.td) { html in
                            html.text(value.why)
                            if let place = value.place {
                                html.text(" ")
                                html.code(place)
                            }
                            if !value.inputs.isEmpty { InspectorPage.list(value.inputs, to: &html) }
                        }
                    }
                }
            }
        }
    }

    private static func list(_ lines: [String], to html: inout HTMLWriter) {
        html.element(.ul) {
            $0.set(.class, "plain small")
        } content: { html in
            for line in lines { html.element(.li) { $0.code(line) } }
        }
    }

    private static func size(_ frame: [Double]) -> String { "\(number(frame[2])) × \(number(frame[3]))" }

    private static func sentence(_ frame: [Double]) -> String {
        "\(number(frame[0])) from the left, \(number(frame[1])) from the top, \(size(frame))"
    }

    private static func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    // MARK: The rest

    private func budgets(to html: inout HTMLWriter) {
        html.section("Budgets", id: "budgets") { html in
            html.element(.table) { html in
                html.tableHead(["Of", "Used", "Limit"])
                html.element(.tbody) { html in
                    for use in inspection.budgets {
                        html.element(.tr) { html in
                            html.element(.th, text: use.name) { $0.set(.scope, "row") }
                            html.element(.td, text: "\(use.used)") { $0.set(.class, "number") }
                            html.element(.td, text: "\(use.limit)") { $0.set(.class, "number soft") }
                        }
                    }
                }
            }
        }
    }

    private func findings(to html: inout HTMLWriter) {
        guard !inspection.findings.isEmpty else { return }
        html.section("Findings", id: "findings") { html in
            html.element(.ul) { html in
                for finding in inspection.findings { html.element(.li, text: finding) }
            }
        }
    }

    private func log(to html: inout HTMLWriter) {
        html.section("Log", id: "log") { html in
            guard !inspection.log.isEmpty else { return html.paragraph("Nothing has happened yet.", class: "soft") }
            if inspection.log.count < inspection.logged {
                html.paragraph("The last \(inspection.log.count) of \(inspection.logged) lines.", class: "soft")
            }
            html.element(.ol) {
                $0.set(.class, "plain small")
            } content: { html in
                for line in inspection.log {
                    html.element(.li) { html in
                        html.chip(line.kind)
                        html.text(" \(line.text)")
                    }
                }
            }
        }
    }

    /// A form for the page of a running widget, which its viewer alone knows.
    private func another(to html: inout HTMLWriter) {
        html.section("A widget that runs", id: "running") { html in
            html.element(.form) {
                $0.set(.action, "\(place)/try")
            } content: { html in
                html.begin(.input) {
                    $0.set(.type, "hidden")
                    $0.set(.name, "inspect")
                    $0.set(.value, "")
                }
                html.box(class: "field") { html in
                    html.element(.label, text: "Address of its page, …/live/…") { $0.set(.for, "viewing") }
                    html.begin(.input) {
                        $0.set(.id, "viewing")
                        $0.set(.name, "viewing")
                        $0.set(.value, viewing.map { "/live/\($0)" })
                        $0.set(.maxLength, "200")
                        $0.set(.autocomplete, "off")
                        $0.set(.spellcheck, "false")
                        $0.set(.autocapitalize, "none")
                    }
                }
                html.element(.button, text: viewing == nil ? "Inspect" : "Look again")
            }
        }
    }
}

extension RegistryService {
    /// The page about what a confined process has said of its widget.
    ///
    /// - Parameters:
    ///   - query: the reader that it was made for, as `?dir=rtl`, or nothing.
    ///   - viewing: the name of the page of a running widget that it is about.
    package static func inspector(
        _ document: [UInt8], of release: ReadableRelease, _ query: String, viewing: String?
    ) -> Answer {
        guard let inspection = Inspection(document) else {
            return GalleryAnswer.refusal(
                ProblemCatalogue.problem(.internal, "The process of the widget has sent what cannot be read."))
        }
        let page = InspectorPage(
            bundle: release.bundleIdentifier, key: release.key, inspection: inspection, query: query,
            viewing: viewing)
        return GalleryAnswer.response(page.bytes())
    }

    /// The address of the page about a widget that was started and not touched.
    package static func inspector(of release: ReadableRelease, _ query: String) -> String {
        InspectorPage.address("\(PagePath.release(release.bundleIdentifier, release.key))/try", query)
    }

    /// A page that says why a widget cannot be inspected.
    package static func noInspection(_ reason: String) -> Answer {
        GalleryAnswer.refusal(ProblemCatalogue.problem(.notFound, reason))
    }
}
