import Console
import Surroundings
import WidgetCore
import WidgetEngine
import WidgetHosting
import WidgetLayout
import WidgetLive
import WidgetRender
import WidgetRunning

/// Pages of one program, with the sheets that they share.
struct RenderedPages {
    private let program: PlannedProgram
    private let printer: PagePrinter
    private let assets: NamedPictures
    /// The pictures of the network, by the names of their files.
    private let fetched: [String: [UInt8]]
    private let terminal: Terminal

    init(
        _ program: Program, _ options: PrintOptions, _ assets: NamedPictures, _ fetched: [String: [UInt8]],
        on terminal: Terminal
    ) {
        self.terminal = terminal
        self.fetched = fetched
        self.program = PlannedProgram(program)
        self.assets = assets
        var pageOptions = PageOptions(options, sheets: self.program.sheets)
        // A page that is opened from disk has no site whose passwords could be filled in.
        pageOptions.completesFields = true
        printer = PagePrinter(self.program, pageOptions)
    }

    /// Writes one page, or a page for each screen and a first one that leads to them.
    func write(_ views: [View], hasContents: Bool, to path: String, isForced: Bool) throws(CommandFailure) {
        var folder = PageFolder(path)
        var remarks: [String] = []
        var pages: [PrintedPage] = []
        var contents: [(file: String, title: String)] = []
        for (place, view) in views.enumerated() {
            let page = printer.page(view, assets)
            let name = hasContents ? PageFiles.screen(place + 1) : PageFiles.first
            folder.add(page: name, page)
            pages.append(page)
            contents.append((name, view.title.isEmpty ? view.screen : "\(view.title) (\(view.screen))"))
            remarks += page.remarks.filter { !remarks.contains($0) }
        }
        if hasContents { folder.add(page: PageFiles.first, PageFiles.contents(contents, printer.options)) }
        for (name, bytes) in fetched { folder.add(name, bytes) }
        folder.add(BaseSheet.fileName, BaseSheet.bytes)
        folder.add(ViewingSheet.fileName, Array(ViewingSheet.text(printer.options, for: pages).utf8))
        folder.add(program.sheet.file, program.sheet.bytes)
        try folder.write(isForced: isForced)
        for remark in remarks { terminal.complain(QuotedText.plain(remark), hints: []) }
    }
}

/// The screens that a script reaches, each as it was last seen.
struct ReachedScreens {
    private(set) var views: [View] = []

    /// The most screens that are kept.
    private static let countLimit = 200

    mutating func add(_ view: View) {
        if let place = views.firstIndex(where: { $0.screen == view.screen }) {
            views[place] = view
        } else if views.count < ReachedScreens.countLimit {
            views.append(view)
        }
    }

    /// Seconds that pages wait for all pictures of the network together.
    private static let pictureSeconds = 60.0

    /// Gives the screens the pictures of the network that come in time.
    ///
    /// - Returns: their bytes, by the names of their files.
    mutating func fetchPictures(
        from network: any WidgetNetwork, _ options: PrintOptions, on clock: any Clock
    ) async -> [String: [UInt8]] {
        let fetched = await NetworkPictures.fetched(
            for: views, PageOptions(options, sheets: []), from: network, within: ReachedScreens.pictureSeconds,
            on: clock)
        for place in views.indices { views[place].pictures = fetched.shown }
        return fetched.files
    }
}

/// The pictures of a bundle, for printers.
struct NamedPictures: ViewAssets {
    private let pictures: BundlePictures?

    init(_ pictures: BundlePictures?) {
        self.pictures = pictures
    }

    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        PictureAnswer(pictures?.picture(name, scale: scale, isDark: isDark) ?? .missing)
    }
}
