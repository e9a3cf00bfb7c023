internal import HTTPWire
internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup

/// A page for each problem, where its `type` leads, and one that lists them: text, or HTML for browsers.
struct ProblemPages: Sendable {
    /// The same words in two forms.
    private struct Page: Sendable {
        let text: Resource
        let html: Resource

        /// - Parameter body: writes what follows the heading.
        init(_ text: String, title: String, below root: String, _ body: (inout HTMLWriter) -> Void) {
            self.text = Document.resource(
                "text/plain; charset=utf-8", Array(text.utf8), .forADay, variesByType: true)
            var html = GalleryFrame.begin(title, .problems)
            html.element(.h1, text: title)
            body(&html)
            self.html = Document.resource(
                GalleryFrame.mediaType, RootPath.filled(GalleryFrame.end(&html), root), .forADay,
                fields: GalleryAnswer.fields(.none),
                variesByType: true)
        }

        func answer(_ request: borrowing Request) -> Answer {
            .resource(request.accepts(naming: "text/html") ? html : text)
        }
    }

    /// Made when the first of them is asked for; they are the same for every server of a process.
    private static let made = PerRoot { ProblemPages(below: $0) }

    private let pages: [ProblemCode: Page]
    private let list: Page

    private init(below root: String) {
        var pages: [ProblemCode: Page] = [:]
        for code in ProblemCode.allCases {
            let text = "\(code.title)\n\ncode:   \(code.rawValue)\nstatus: \(code.status)\n\n\(code.explanation)\n"
            pages[code] = Page(text, title: code.title, below: root) { html in
                html.box(class: "panel") { html in
                    html.element(.p) { html in
                        html.code(code.rawValue)
                        html.text(", status \(code.status)")
                    }
                    html.paragraph(code.explanation)
                }
                ProblemPages.ways(to: &html)
            }
        }
        self.pages = pages
        let all = ProblemCode.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
        let lines = all.map { "\($0.status)  /problems/\($0.rawValue)  \($0.title)\n" }
        list = Page(
            "What this registry can refuse, and where each is explained\n\n\(lines.joined())", title: "Problems",
            below: root
        ) { html in
            html.paragraph(
                "Everything that this registry can refuse. A refusal names one of these codes.", class: "soft")
            html.box(class: "panel") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.tableHead(["Code", "Status", "What happened"])
                    html.element(.tbody) { html in
                        for code in all {
                            html.element(.tr) { html in
                                html.element(.th) {
                                    $0.set(.scope, "row")
                                } content: { html in
                                    html.element(.a) {
                                        $0.set(.href, "/problems/\(code.rawValue)")
                                    } content: {
                                        $0.code(code.rawValue)
                                    }
                                }
                                html.element(.td, text: "\(code.status)") { $0.set(.class, "number") }
                                html.element(.td, text: code.title)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The pages from which a reader of a problem continues.
    private static func ways(to html: inout HTMLWriter) {
        html.element(.p) { html in
            for (place, way) in [
                ("/problems/", "All problems"), ("/", "All bundles"), ("/api", "Interface"),
                (ManualPages.path, "Documents"),
            ].enumerated() {
                if place > 0 { html.text(" · ") }
                html.link(way.0, way.1)
            }
        }
    }

    @Sendable static func page(_ request: borrowing Request, _ code: ProblemCode) -> Answer {
        made[request.root].pages[code]?.answer(request) ?? .refused(.noRoute)
    }

    @Sendable static func index(_ request: borrowing Request) -> Answer { made[request.root].list.answer(request) }
}
