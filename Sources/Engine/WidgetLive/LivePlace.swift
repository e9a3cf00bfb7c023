internal import WidgetMarkup
package import WidgetRender

/// The addresses and the reader that a widget on a page is printed for.
package struct LivePlace: Sendable {
    /// The reader, the letter of the widget, and the addresses of the sheets that all pages have.
    package var options: PageOptions
    /// The address of the page.
    package var page: String
    /// The address that begins another page in its place.
    package var begin: String
    /// The beginning of the addresses of files that pages share.
    package var assets: String

    /// The workbench of an author's page; `nil` on the pages of others.
    package var bench: Workbench?

    /// The beginning of the addresses of all files, where a program writes them into a folder.
    private var folder: String?

    package init(_ options: PageOptions, inFolder folder: String) {
        self.init(options, page: "", begin: "", assets: folder)
        self.folder = folder
    }

    package init(_ options: PageOptions, page: String, begin: String, assets: String) {
        self.options = options
        self.page = page
        self.begin = begin
        self.assets = assets
    }

    /// The address of the widget, to which its form is sent and with which those of its sheets and pictures begin.
    package var address: String { "\(page)/\(options.letter)" }

    /// The addresses of the sheets of the page that shows the view of a number, in the order of their rules.
    ///
    /// - Parameter program: the name of the program's sheet.
    package func sheets(for number: Int, _ program: String) -> [String] {
        options.sheets + [assets + program, folder.map { $0 + ViewingSheet.fileName } ?? "\(address)/\(number).css"]
    }

    /// The options of the page that shows the view of a number.
    func options(for number: Int, of program: PlannedProgram) -> PageOptions {
        var options = bench?.applied(to: options) ?? options
        options.viewNumber = number
        options.sheets = sheets(for: number, program.sheet.file)
        options.pictureFolder = folder ?? "\(address)/"
        options.action = folder == nil ? address : nil
        options.hasHead = false
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
