internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Markup
internal import Registry
internal import RegistryContract

/// The page at `/`: bundles, their channels and latest releases, and the lines that fetch them.
///
/// It runs no script and loads nothing. Everything that comes from publishers is escaped as text.
struct StartPage: Sendable {
    /// The address at which clients reach the server, for lines that people paste.
    let address: @Sendable () -> String

    func resource(_ page: Page<BundleSummary>, address: String, _ caching: Document.Caching) -> Resource {
        Document.resource(
            "text/html; charset=utf-8", StartPage.bytes(page, address), caching,
            fields: PageFrame.fields, variesByType: true)
    }

    private static func bytes(_ page: Page<BundleSummary>, _ address: String) -> [UInt8] {
        var html = HTMLWriter(reservingBytes: 4_096 + page.items.count * 1_024)
        PageFrame.begin("Widget registry", to: &html)
        html.markup(
            """
            <p class="soft">Bundles, their channels and their latest releases. The same for programs: \
            <a href="/v1/bundles">/v1/bundles</a>, <a href="/openapi.json">/openapi.json</a>.</p>
            </header>
            <main>

            """)
        if page.items.isEmpty { writeNothing(address, to: &html) }
        for bundle in page.items { write(bundle, address, to: &html) }
        if !page.items.isEmpty { writePublishing(address, to: &html) }
        if let next = page.next {
            html.markup("<p><a rel=\"next\" href=\"/?cursor=")
            html.text(PageParameters.cursor(next))
            html.markup("\">More bundles</a></p>\n")
        }
        PageFrame.end(&html)
        return html.bytes
    }

    private static func writeNothing(_ address: String, to html: inout HTMLWriter) {
        html.markup("<article>\n<h2>Nothing is published yet</h2>\n")
        writePublishing(address, token: "$(cat data/admin-token)", to: &html)
        html.markup("</article>\n")
    }

    /// - Parameter token: what a shell makes the token of.
    private static func writePublishing(_ address: String, token: String = "$TOKEN", to html: inout HTMLWriter) {
        html.markup("<p>Publish a bundle:</p>\n<pre>")
        html.text("curl -H \"Authorization: Bearer \(token)\" -T WidgetDemo.zip \(address)/v1/bundles/")
        html.markup("</pre>\n")
    }

    private static func write(_ bundle: BundleSummary, _ address: String, to html: inout HTMLWriter) {
        html.element("<article>\n<h2>", bundle.name, "</h2>\n")
        html.element("<p><code>", bundle.identifier, "</code> ")
        html.markup("<span class=\"soft\">")
        html.text(bundle.releaseCount == 1 ? "1 release" : "\(bundle.releaseCount) releases")
        if let latest = bundle.latest {
            html.element(", latest <a href=\"", RegistryPath.release(bundle.identifier, latest), "\">")
            html.element("", latest, "</a>")
        } else {
            html.markup(", all withdrawn")
        }
        html.markup("</span></p>\n")
        if !bundle.channels.isEmpty { write(bundle.channels, to: &html) }
        if let channel = bundle.channels.first(where: { $0.name == ChannelName.standard }) ?? bundle.channels.first {
            let query = channel.name == ChannelName.standard ? "" : "?channel=\(channel.name)"
            let widget = "\(address)\(RegistryPath.widget(bundle.identifier))"
            html.element("<pre>", "curl '\(widget)\(query)'\ncurl -OJ '\(widget)/bundle\(query)'", "</pre>\n")
        }
        html.markup("</article>\n")
    }

    private static func write(_ channels: [Channel], to html: inout HTMLWriter) {
        html.markup(
            """
            <table>
            <thead><tr><th scope="col">Channel</th><th scope="col">Shows</th><th scope="col">Changed</th></tr></thead>
            <tbody>

            """)
        for channel in channels {
            html.element("<tr><td>", channel.name, "</td><td><code>")
            html.element("", channel.release, "</code>")
            if channel.rollout < Rollout.bucketCount {
                let rest = channel.base.map { ", the others \($0)" } ?? ""
                html.element(" <span class=\"soft\">", "to \(percent(channel.rollout))\(rest)", "</span>")
            }
            html.element("</td><td class=\"soft\">", Timestamp.text(channel.changedAt), "</td></tr>\n")
        }
        html.markup("</tbody>\n</table>\n")
    }

    /// Basis points as people say them: `25 %`, `0.5 %`.
    private static func percent(_ basisPoints: Int) -> String {
        let (whole, rest) = (basisPoints / 100, basisPoints % 100)
        if rest == 0 { return "\(whole) %" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }
}

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

/// The frame of every page. A page runs no script and loads nothing.
enum PageFrame {
    static let mediaType = "text/html; charset=utf-8"

    /// The policy that keeps a page from running or loading anything.
    static let fields = FieldBlock([
        "Content-Security-Policy":
            "default-src 'none'; style-src 'sha256-\(Digest.sha256(Array(style.description.utf8))?.base64 ?? "")'; "
            + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    ])

    /// Everything before the rest of the header; who writes it closes that and opens the main part.
    static func begin(_ title: String, to html: inout HTMLWriter) {
        html.markup(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,">

            """)
        html.element("<title>", title, "</title>\n<style>")
        html.markup(style)
        html.markup("</style>\n</head>\n<body>\n<header>\n")
        html.element("<h1>", title, "</h1>\n")
    }

    static func end(_ html: inout HTMLWriter) { html.markup("</main>\n</body>\n</html>\n") }

    /// All of a page's style. The page's policy names its digest, so it is written byte for byte.
    static let style: StaticString = """
        :root { color-scheme: light dark; --ink: #1a1c1e; --soft: #5b6168; --line: #d8dce0; --paper: #fff; --wash: #f4f6f8; --accent: #0b57d0 }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6e8ea; --soft: #9aa2aa; --line: #353a40; --paper: #16181a; --wash: #1f2226; --accent: #8ab4f8 }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 56rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        h1 { margin: 0; font-size: 1.5rem }
        h2 { margin: 0; font-size: 1.1rem }
        p { margin: .5rem 0 }
        a { color: var(--accent) }
        header { margin-bottom: 2rem }
        .soft { color: var(--soft) }
        article { margin: 0 0 1.25rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .6rem }
        code, pre { font: .875rem/1.5 ui-monospace, monospace }
        pre { margin: .75rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: .4rem; background: var(--wash) }
        h2, code, td, th { overflow-wrap: anywhere }
        table { width: 100%; margin: .75rem 0 0; border-collapse: collapse }
        th { padding: .25rem .5rem .25rem 0; color: var(--soft); font-size: .8125rem; font-weight: 500; text-align: start }
        td { padding: .25rem .5rem .25rem 0; border-top: 1px solid var(--line) }
        """
}
