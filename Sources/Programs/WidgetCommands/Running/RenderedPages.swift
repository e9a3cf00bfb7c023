import WidgetConsole
import WidgetCore
import WidgetEngine
import WidgetHosting
import WidgetLayout
import WidgetLive
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// Pages of one program, with the sheets that they share.
struct RenderedPages {
    private let program: PlannedProgram
    private let options: PrintOptions
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
        self.options = options
        self.assets = assets
    }

    /// Writes one page, or a page for each screen and a first one that leads to them.
    func write(_ views: [View], hasContents: Bool, to path: String, isForced: Bool) throws(CommandFailure) {
        let set = PageSet(views, of: program, hasContents: hasContents, options, assets)
        try PageFolder(path, set.files.merging(fetched) { own, _ in own }, set.pages).write(isForced: isForced)
        for remark in set.remarks { terminal.complain(QuotedText.plain(remark), hints: []) }
    }
}

extension ReachedScreens {
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
        show(fetched.shown)
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
