internal import WidgetEngine
internal import WidgetRender

/// A widget on a page of one person.
package protocol LivePart: AnyObject, Sendable {
    /// Returns when the widget has the answers that a page shows at first, or has waited long enough for them.
    func ready() async

    /// The widget as the page shows it now.
    ///
    /// - Throws: `over` or `tooFast`.
    func printed() async throws(LiveRefusal) -> PrintedPart

    /// The sheet of a view that was printed; `nil` for one that is long gone.
    func sheet(_ number: Int) async -> String?

    /// A file that its views refer to and that others have not printed lately.
    func file(_ name: String) async -> [UInt8]?

    /// Takes a batch of events, `[serial, [event…]]`. One that was taken before is not taken again.
    func act(_ body: [UInt8]) async -> LiveOutcome

    /// Takes the form of a page without script: its fields, then its files, then its button.
    func post(_ form: LiveForm) async -> LiveOutcome

    /// Writes changes to a stream from now on, and no longer to the one from before.
    ///
    /// - Parameter number: the view that the page shows.
    func follow(after number: Int?, _ sink: any PartSink) async

    /// Forgets a stream.
    func unfollow(_ sink: any PartSink) async

    /// Ends the widget.
    func end(_ reason: LiveEnding) async
}

extension LivePart {
    package func ready() async {}

    package func file(_ name: String) async -> [UInt8]? { nil }
}

/// The one stream of a page, to a browser.
package protocol LiveSink: AnyObject, Sendable {
    /// Bytes that the browser has not taken yet.
    var pendingByteCount: Int { get }

    /// Sends changes, with the position of the page after them.
    ///
    /// - Parameter changes: a JSON object in one line, with the operations of each widget by its letter.
    func write(at position: String, _ changes: [UInt8])

    /// Shows that the stream is alive.
    func beat()

    /// Ends the stream: the page is over, or it has a newer one.
    func end(isOver: Bool)
}

/// The events of a page's stream, as browsers read them (text/event-stream).
package enum LiveEventText {
    /// The first bytes. Proxies that collect an answer's first bytes pass on what follows them.
    package static let opening = Array(":\(String(repeating: " ", count: 2_048))\n\n".utf8)

    /// A sign that the stream is alive.
    package static let beat = Array("event: b\ndata:\n\n".utf8)

    /// The page is over.
    package static let over = Array("event: o\ndata:\n\n".utf8)

    /// Changes, with the position of the page after them.
    ///
    /// - Parameter changes: a JSON object in one line.
    package static func changes(_ changes: [UInt8], at position: String) -> [UInt8] {
        Array("id: \(position)\ndata: ".utf8) + changes + [0x0A, 0x0A]
    }
}

/// The stream of one widget to its page.
package protocol PartSink: AnyObject, Sendable {
    /// Bytes that the browser has not taken yet.
    var pendingByteCount: Int { get }

    /// Sends a change, with the number of the view after it.
    ///
    /// - Parameter operations: a JSON array in one line.
    func write(_ number: Int, _ operations: [UInt8])
}

/// A widget on its page at one moment, with the number of its view.
package struct PrintedPart: Sendable {
    package var number: Int
    /// The line about the widget, and its screen.
    package var html: [UInt8]
    /// The title of its screen.
    package var title: String
    /// The rules of this page alone.
    package var sheet: String
    /// The addresses of the sheets, in the order of their rules.
    package var sheets: [String]
    /// The names of the program's sheet and of pictures.
    package var files: [String] = []
    /// Sentences about pictures that the page cannot show.
    package var remarks: [String] = []
    /// True while answers have not come that a page without script has to be loaded again for.
    package var isAwaiting = false
    /// The times that a reader can go back, and the link to the screen that is shown.
    package var depth = 0
    package var link: String?
    /// The name of the element that was revealed, for the first page with it.
    package var anchor: String?
    /// The workbench of the page, as it was when this was printed.
    var bench: Workbench?
    /// The line about the widget, which is in the page.
    var status = LiveStatus()

    package init(number: Int, html: [UInt8], title: String, sheet: String, sheets: [String]) {
        self.number = number
        self.html = html
        self.title = title
        self.sheet = sheet
        self.sheets = sheets
    }

    /// - Parameter status: is written into the page, which was printed without it.
    init(
        _ number: Int, _ page: PrintedPage, of title: String, sheet: String, _ status: LiveStatus,
        _ options: PageOptions
    ) {
        self.init(
            number: number, html: status.added(to: page.html, letter: options.letter), title: title, sheet: sheet,
            sheets: options.sheets)
        self.status = status
        (depth, link) = (status.depth, status.link)
    }
}
