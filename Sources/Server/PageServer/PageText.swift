internal import Markup
internal import WidgetLive
internal import WidgetRender

/// The words of pages that are not a widget's.
enum PageText {
    static let run = "Run"
    static let over = "This page has ended."
    static let overHint = "Its data were kept only as long as the page."
    static let begin = "Begin anew"
    /// The label of a text whose field is not on the first screen.
    static let field = "Text"
    static let kept = "What was typed"
    static let full = "The server shows as many pages as it can."
    static let many = "Too many pages of this widget are open."
    static let fullHint = "Close one that is not needed, or try again in half a minute."
    static let fast = "That was too fast."
    static let fastHint = "Wait a moment, and send it again."
    static let unreadable = "The server could not read what was sent."
    static let wrongHost = "This server is not known by that name."
    static let wrongHostHint = "Use the address that `widget run --http` printed, or start it with --allow-host NAME."
    static let foreignPost = "That did not come from a page of this server."
    static let foreignPostHint = "Open the page itself, and press the button there."
}

/// The line about a page, written into a page that was printed without it.
enum StatusLineText {
    static func added(_ status: LiveStatus, to html: [UInt8]) -> [UInt8] {
        var words = [status.text].filter { !$0.isEmpty }
        if status.attempt > 1 {
            words.append("\(ReloadCount(revision: status.revision, attempt: status.attempt))")
        }
        guard !words.isEmpty else { return html }
        let mark = Array(LiveFrame.statusMark.utf8)
        // The mark lies in the frame, before everything that a widget says.
        guard let start = html.indices.first(where: { html[$0...].starts(with: mark) }) else { return html }
        var writer = HTMLWriter()
        writer.text(words.joined(separator: " "))
        let end = start + mark.count
        return Array(html[..<end]) + writer.bytes + Array(html[end...])
    }
}

/// Addresses of this server, which pages and script share.
enum PageAddress {
    static let first = "/"
    static let live = "/live"
    static let assets = "/assets/"

    static func viewing(_ name: String) -> String { "\(live)/\(name)" }

    static func sheet(_ name: String, _ number: Int) -> String { "\(live)/\(name)/sheet/\(number).css" }

    static func pictures(_ name: String) -> String { "\(live)/\(name)/pictures/" }
}
