internal import Markup
package import WidgetRender

/// The page of a viewing at this moment, with the number of its view.
package struct LivePage: Sendable {
    package var number: Int
    package var html: [UInt8]
    /// The rules of this viewing alone.
    package var sheet: String
    /// The addresses of the sheets, in the order of their rules.
    package var sheets: [String] = []
    /// The line about the page, which is in the page.
    var status = LiveStatus()

    package init(number: Int, html: [UInt8], sheet: String) {
        self.number = number
        self.html = html
        self.sheet = sheet
    }

    /// - Parameter status: is written into the page, which was printed without it.
    init(_ number: Int, _ page: PrintedPage, sheet: String, _ status: LiveStatus, _ options: PageOptions) {
        self.init(number: number, html: status.added(to: page.html, letter: options.letter), sheet: sheet)
        self.status = status
        sheets = options.sheets
    }
}

/// The addresses and the reader that the pages of a viewing are printed for.
package struct LivePlace: Sendable {
    /// The reader, and the addresses of the sheets that all pages have.
    package var options: PageOptions
    /// The address of the page, with which those of its sheets and pictures begin.
    package var address: String
    /// The address that begins another viewing in its place.
    package var begin: String
    /// The beginning of the addresses of files that pages share.
    package var assets: String
    package var script: ScriptAddress?
    /// The heading of the widget on a page with several; `nil` for a page with one.
    package var heading: String?

    package init(_ options: PageOptions, address: String, begin: String, assets: String, script: ScriptAddress?) {
        self.options = options
        self.address = address
        self.begin = begin
        self.assets = assets
        self.script = script
    }

    /// The options of the page that shows the view of a number.
    func options(for number: Int, of program: PlannedProgram) -> PageOptions {
        var options = options
        options.viewNumber = number
        options.sheets += [assets + program.sheet.file, "\(address)/sheet/\(number).css"]
        options.pictureFolder = "\(address)/pictures/"
        options.live = LiveFrame(.viewing(address, begin: begin), script: script)
        options.part = heading.map { PagePart(action: address, heading: $0) }
        return options
    }
}

extension LiveStatus {
    /// The page with the line about it.
    ///
    /// - Parameter letter: of the widget on its page.
    package func added(to html: [UInt8], letter: String = "a") -> [UInt8] {
        guard !text.isEmpty else { return html }
        let mark = Array(LiveFrame.statusMark(letter).utf8)
        // The mark lies in the frame, before everything that a widget says.
        guard let start = html.indices.first(where: { html[$0...].starts(with: mark) }) else { return html }
        var writer = HTMLWriter()
        writer.text(text)
        let end = start + mark.count
        return Array(html[..<end]) + writer.bytes + (address.map(LiveFrame.link) ?? []) + Array(html[end...])
    }
}
