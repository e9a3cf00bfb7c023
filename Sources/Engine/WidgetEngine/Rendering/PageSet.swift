package import WidgetCore
package import WidgetRender

/// The files of a folder of pages: one page, or a page for each screen and a first one that leads to them.
package struct PageSet: Sendable {
    /// Sheets and pictures, by their names.
    package private(set) var files: [String: [UInt8]] = [:]
    package private(set) var pages: [(name: String, bytes: [UInt8])] = []
    /// Sentences about pictures that the pages cannot show.
    package private(set) var remarks: [String] = []

    package init(
        _ views: [View], of program: PlannedProgram, hasContents: Bool, _ options: PrintOptions,
        _ assets: some ViewAssets
    ) {
        var options = PageOptions(options, sheets: program.sheets)
        // A page that is opened from disk has no site whose passwords could be filled in.
        options.completesFields = true
        let printer = PagePrinter(program, options)
        var printed: [PrintedPage] = []
        var contents: [(file: String, title: String)] = []
        for (place, view) in views.enumerated() {
            let page = printer.page(view, assets)
            let name = hasContents ? PageFiles.screen(place + 1) : PageFiles.first
            pages.append((name, page.html))
            files.merge(page.pictures) { first, _ in first }
            printed.append(page)
            contents.append((name, view.title.isEmpty ? view.screen : "\(view.title) (\(view.screen))"))
            remarks += page.remarks.filter { !remarks.contains($0) }
        }
        if hasContents { pages.append((PageFiles.first, PageFiles.contents(contents, options))) }
        files[BaseSheet.fileName] = BaseSheet.bytes
        files[ViewingSheet.fileName] = Array(ViewingSheet.text(options, for: printed).utf8)
        files[program.sheet.file] = program.sheet.bytes
    }
}

/// The screens that a script reaches, each as it was last seen.
package struct ReachedScreens: Sendable {
    package private(set) var views: [View] = []

    /// The most screens that are kept.
    private static let countLimit = 200

    package init() {}

    package mutating func add(_ view: View) {
        if let place = views.firstIndex(where: { $0.screen == view.screen }) {
            views[place] = view
        } else if views.count < ReachedScreens.countLimit {
            views.append(view)
        }
    }

    /// Gives all of them the pictures of the network that have come.
    package mutating func show(_ pictures: [String: NetworkPicture]) {
        for place in views.indices { views[place].pictures = pictures }
    }
}
