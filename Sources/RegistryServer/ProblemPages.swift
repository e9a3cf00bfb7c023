internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// A page for each problem, where its `type` leads, and one that lists them: text, or HTML for browsers.
struct ProblemPages: Sendable {
    /// The same words in two forms.
    private struct Page: Sendable {
        let text: Resource
        let html: Resource

        /// - Parameter body: writes what follows the heading.
        init(_ text: String, title: String, _ body: (inout HTMLWriter) -> Void) {
            self.text = Document.resource(
                "text/plain; charset=utf-8", Array(text.utf8), .forADay, variesByType: true)
            var html = HTMLWriter()
            PageFrame.begin(title, to: &html)
            html.markup("</header>\n<main>\n")
            body(&html)
            PageFrame.end(&html)
            self.html = Document.resource(
                PageFrame.mediaType, html.bytes, .forADay, fields: PageFrame.fields, variesByType: true)
        }

        func answer(_ request: borrowing Request) -> Answer {
            .resource(request.accepts(naming: "text/html") ? html : text)
        }
    }

    private let pages: [ProblemCode: Page]
    private let list: Page

    init() {
        var pages: [ProblemCode: Page] = [:]
        for code in ProblemCode.allCases {
            let text = "\(code.title)\n\ncode:   \(code.rawValue)\nstatus: \(code.status)\n\n\(code.explanation)\n"
            pages[code] = Page(text, title: code.title) { html in
                html.element("<p><code>", code.rawValue, "</code>, ")
                html.element("status ", String(code.status), "</p>\n")
                html.element("<p>", code.explanation, "</p>\n<p><a href=\"/problems/\">All problems</a></p>\n")
            }
        }
        self.pages = pages
        let all = ProblemCode.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
        let lines = all.map { "\($0.status)  /problems/\($0.rawValue)  \($0.title)\n" }
        list = Page(
            "What this registry can refuse, and where each is explained\n\n\(lines.joined())", title: "Problems"
        ) { html in
            html.markup("<ul>\n")
            for code in all {
                html.element("<li>", String(code.status), " <a href=\"/problems/")
                html.element("", code.rawValue, "\"><code>")
                html.element("", code.rawValue, "</code></a> ")
                html.element("", code.title, "</li>\n")
            }
            html.markup("</ul>\n")
        }
    }

    func page(_ request: borrowing Request, _ code: ProblemCode) -> Answer {
        pages[code]?.answer(request) ?? .refused(.noRoute)
    }

    func index(_ request: borrowing Request) -> Answer { list.answer(request) }
}
