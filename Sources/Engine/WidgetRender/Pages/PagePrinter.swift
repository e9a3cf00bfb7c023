package import WidgetCore
package import WidgetLayout
package import WidgetMarkup

/// Views as pages of HTML: a whole page, or the part of a page that one node is.
///
/// A page runs no script and has no styles but those of its sheets. Everything that a bundle says is text; native elements
/// of a program that runs here have the markup that it has written.
package struct PagePrinter: ViewPrinter {
    package static let mediaType = "text/html; charset=utf-8"

    package var options: PageOptions
    let program: PlannedProgram?

    /// - Parameter program: has the looks of the view's nodes; without it, a page has the system's looks alone.
    package init(_ program: PlannedProgram?, _ options: PageOptions = PageOptions()) {
        self.program = program
        self.options = options
    }

    package init(_ program: Program, _ options: PrintOptions) {
        let planned = PlannedProgram(program)
        self.init(planned, PageOptions(options, sheets: planned.sheets))
    }

    package func print(_ view: View, _ assets: some ViewAssets) -> [UInt8] { page(view, assets).html }

    /// A whole page.
    package func page(_ view: View, _ assets: some ViewAssets) -> PrintedPage {
        var body = body(view, assets)
        page(&body)
        return body.finish()
    }

    func page(_ body: inout PageBody) {
        let view = body.view
        guard options.hasHead else { return part(&body) }
        PageHead.begin(title(of: view), options, to: &body.html)
        if view.isVisible { body.screen() } else { body.hiddenScreen() }
        if let bench = options.bench { body.html.printed(bench) }
        body.html.end()
        body.html.end()
        body.html.markup("\n")
    }

    /// The widget alone, for a page around it: the line about it, and its screen.
    private func part(_ body: inout PageBody) {
        LiveFrame.statusLine(&body.html, letter: options.letter)
        if body.view.isVisible { body.screen() } else { body.hiddenScreen() }
    }

    /// The part of a page that shows one node.
    package func fragment(_ node: ViewNode, of view: View, _ assets: some ViewAssets) -> PrintedPage {
        var body = body(view, assets)
        if node.key != view.root.key {
            body.part(node)
        } else if view.isVisible {
            body.screen()
        } else {
            body.hiddenScreen()
        }
        return body.finish()
    }

    private func body(_ view: View, _ assets: some ViewAssets) -> PageBody {
        PageBody(
            view, of: program, options,
            PagePictures(
                assets, scale: options.viewport.scale, scheme: options.scheme, of: program?.program.images))
    }
}

/// The address and the reader of a page.
package struct PageOptions: Sendable {
    /// The beginning of all identities, a letter for each widget on a page.
    package var letter = "a"
    package var viewport: Viewport
    /// `nil` for the scheme that the reader's system has.
    package var scheme: Viewport.Scheme?
    /// The reader's language and region, as `de_AT`.
    package var locale = ""
    /// The addresses of the sheets, in the order of their rules.
    package var sheets: [String] = []
    /// The beginning of the addresses of pictures.
    package var pictureFolder = ""
    /// The number of the view, which the page's form sends; `nil` for a page of a folder.
    package var viewNumber: Int?
    /// The address that the page's form is sent to; `nil` for that of the page.
    package var action: String?
    /// False for a widget that is printed for a page around it.
    package var hasHead = true
    /// True in a page of others, with whose sheets and sizes those of the widget have nothing to do.
    package var isContained = false
    /// The frame of a page that a server shows live; `nil` for a page of a folder.
    package var live: LiveFrame?
    /// The size in points that such a page shows the widget in; `nil` for the room that it has.
    package var frame: Size?
    /// The identity of the page's form, for buttons beside the widget; `nil` without any.
    package var formName: String?
    /// False if something beside the widget takes the focus when the page is opened.
    package var takesFocus = true
    /// The markup behind the widget of such a page.
    package var bench: [UInt8]?
    /// The place of the widget on a page that has more than it; `nil` for a page that is the widget's.
    package var part: PagePart?
    /// Rows from which a list shows its first ones alone, and their number.
    package var rowLimit = 200
    package var shownRowCount = 100
    /// True if browsers may fill in what their users keep for this page's origin.
    package var completesFields = false
    /// Shown in the page's root, for its author; `nil` to show none.
    package var reloads: ReloadCount?
    /// Options of one picker or segments of one control.
    package var choiceLimit = 1_000

    package init(viewport: Viewport = Viewport()) {
        self.viewport = viewport
    }

    /// True if the title of the screen is of interest to the page.
    var hasTitle: Bool { part == nil || isContained }

    /// The rows that a list shows.
    ///
    /// - Parameter windows: those of lists that show another number than usual.
    func shownRows(of list: ViewNode, _ rowCount: Int, _ windows: [ViewKey: Int]) -> Int {
        rowCount > rowLimit ? min(rowCount, max(windows[list.key] ?? 0, shownRowCount)) : rowCount
    }

    /// - Parameter sheets: their addresses, in the order of their rules.
    package init(_ options: PrintOptions, sheets: [String]) {
        viewport = options.viewport
        scheme = options.scheme
        locale = options.locale
        reloads = options.reloads
        self.sheets = sheets
    }
}

/// The place of a widget on a page that has more than it. Its headings come below that of its place, and its regions are
/// named after it; it takes no focus when the page is opened.
package struct PagePart: Sendable {
    /// The heading of its place.
    package var heading: String
    /// The levels of its headings, within 1 to 6.
    package var levels: ClosedRange<Int>

    package init(heading: String, levels: ClosedRange<Int>) {
        self.heading = heading
        self.levels = levels
    }
}

/// A page, with the pictures that it refers to.
package struct PrintedPage: Sendable {
    package let html: [UInt8]
    /// The bytes of pictures by the names of their files.
    package let pictures: [String: [UInt8]]
    /// Rules of this page alone, by the classes that they are about, for the sheet of its viewing.
    package let rules: [String: String]
    /// Sentences about pictures that the page cannot show.
    package let remarks: [String]
}

/// The head of a page that is kept up to date.
package struct LiveHead: Sendable {
    package var title: String
    /// The address of the page, and the one that begins another in its place.
    package var address: String
    package var begin: String
    /// The numbers of what the page shows.
    package var position: String
    package var script: ScriptAddress?
    /// The class of its body.
    package var kind: String?
    /// Seconds until a browser without script loads it again, for answers that have not come; `nil` for a page that is whole.
    package var refresh: Int?
    /// The times that a reader can go back, and the link to the screen, of a page that is all of one widget.
    package var depth: Int
    package var link: String?

    package init(
        title: String, address: String, begin: String, position: String, script: ScriptAddress?, kind: String? = nil,
        refresh: Int? = nil, depth: Int = 0, link: String? = nil
    ) {
        (self.depth, self.link) = (depth, link)
        self.title = title
        self.address = address
        self.begin = begin
        self.position = position
        self.script = script
        self.kind = kind
        self.refresh = refresh
    }
}

/// The head of a page.
package enum PageHead {
    /// Opens a page that is kept up to date, and its body.
    package static func begin(_ head: LiveHead, _ options: PageOptions, to html: inout HTMLWriter) {
        var options = options
        options.live = LiveFrame(.viewing(head.address, begin: head.begin), script: head.script)
        options.live?.depth = head.depth
        options.live?.link = head.link
        PageHead.head(head.title, options, to: &html, position: head.position, refresh: head.refresh)
        html.begin(.body) { $0.set(.class, head.kind) }
    }

    /// Opens the page and its body.
    package static func begin(_ title: String, _ options: PageOptions, to html: inout HTMLWriter) {
        head(title, options, to: &html, position: nil)
        html.begin(.body)
        options.live?.begin(&html, letter: options.letter, formName: options.formName)
    }

    private static func head(
        _ title: String, _ options: PageOptions, to html: inout HTMLWriter, position: String?, refresh: Int? = nil
    ) {
        html.markup("<!DOCTYPE html>\n")
        html.begin(.html) { attributes in
            attributes.set(.lang, language(options.locale))
            attributes.set(.dir, options.viewport.direction.rawValue)
            if let reloads = options.reloads {
                attributes.set(.dataRevision, "\(reloads.revision)")
                attributes.set(.dataAttempt, "\(reloads.attempt)")
            }
            options.live?.set(&attributes, position: position, SystemWords(options.locale))
        }
        html.element(.head) { html in
            html.begin(.meta) { $0.set(.charset, "utf-8") }
            // A server sends the policy of a live page as a header.
            if options.live == nil {
                html.begin(.meta) { attributes in
                    attributes.set(.httpEquiv, "Content-Security-Policy")
                    attributes.set(.content, PagePolicy.text)
                }
            }
            html.begin(.meta) { attributes in
                attributes.set(.name, "viewport")
                attributes.set(.content, "width=device-width, initial-scale=1, viewport-fit=cover")
            }
            html.begin(.meta) { attributes in
                attributes.set(.name, "color-scheme")
                attributes.set(.content, options.scheme?.rawValue ?? "light dark")
            }
            html.begin(.meta) { attributes in
                attributes.set(.name, "referrer")
                // With none, a form would not say to its own server where it is from.
                attributes.set(.content, options.live == nil ? "no-referrer" : "same-origin")
            }
            if let refresh {
                html.element(.noscript) { html in
                    html.begin(.meta) { attributes in
                        attributes.set(.httpEquiv, "refresh")
                        attributes.set(.content, "\(refresh)")
                    }
                }
            }
            html.element(.title, text: title.isEmpty ? SystemWords(options.locale)[.widget] : title)
            for sheet in options.sheets {
                html.begin(.link) { attributes in
                    attributes.set(.rel, "stylesheet")
                    attributes.set(.href, sheet)
                }
            }
            options.live?.script?.write(to: &html)
        }
    }

    /// A language tag of the reader's language; English where none is known.
    package static func language(_ locale: String) -> String {
        let parts = locale.split { $0 == "_" || $0 == "-" }
        guard let first = parts.first, 2...3 ~= first.utf8.count,
            parts.allSatisfy({ 1...8 ~= $0.utf8.count && $0.utf8.allSatisfy(isAlphanumeric) })
        else { return "en" }
        return parts.joined(separator: "-")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

/// The content policy of pages: sheets, pictures and forms of the same server or folder, and nothing else.
package enum PagePolicy {
    /// A server adds `frame-ancestors`, which a page cannot say of itself.
    package static let text =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"
}
