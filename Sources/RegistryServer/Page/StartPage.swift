internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import RegistryContract

/// What a browser is shown at `/`: bundles, their channels and latest releases, and the lines that fetch them.
///
/// It runs no script and loads nothing. Everything that somebody published stands in it as text.
struct StartPage: Sendable {
    /// Where clients reach the server, for lines that people paste.
    let address: @Sendable () -> String
    private let policy: String

    init(address: @escaping @Sendable () -> String) {
        self.address = address
        let digest = Digest.sha256(Array(StartPage.style.description.utf8))?.base64 ?? ""
        policy =
            "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    func resource(_ page: Page<BundleSummary>, address: String, _ caching: Document.Caching) -> Resource {
        Document.resource(
            "text/html; charset=utf-8", StartPage.bytes(page, address), caching,
            fields: FieldBlock([
                "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
            ]))
    }

    private static func bytes(_ page: Page<BundleSummary>, _ address: String) -> [UInt8] {
        var html = HTMLWriter(reservingBytes: 4_096 + page.items.count * 1_024)
        html.markup(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,">
            <title>Widget registry</title>
            <style>
            """)
        html.markup(StartPage.style)
        html.markup(
            """
            </style>
            </head>
            <body>
            <header>
            <h1>Widget registry</h1>
            <p class="soft">Bundles, their channels and their latest releases. The same for programs: \
            <a href="/v1/bundles">/v1/bundles</a>, <a href="/openapi.json">/openapi.json</a>.</p>
            </header>
            <main>

            """)
        if page.items.isEmpty { writeNothing(address, to: &html) }
        for bundle in page.items { write(bundle, address, to: &html) }
        if let next = page.next {
            html.markup("<p><a rel=\"next\" href=\"/?cursor=")
            html.text(PageParameters.cursor(next))
            html.markup("\">More bundles</a></p>\n")
        }
        html.markup("</main>\n</body>\n</html>\n")
        return html.bytes
    }

    private static func writeNothing(_ address: String, to html: inout HTMLWriter) {
        html.markup("<article>\n<h2>Nothing is published yet</h2>\n<p>Publish a bundle:</p>\n<pre>")
        html.text("curl -H \"Authorization: Bearer $(cat data/admin-token)\" -T WidgetDemo.zip \(address)/v1/bundles/")
        html.markup("</pre>\n</article>\n")
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

extension StartPage {
    /// All of the page's style. The page's policy names its digest, so it is written as it stands here.
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
