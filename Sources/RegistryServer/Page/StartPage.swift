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
