internal import Bytes
internal import Surroundings
internal import WidgetCore
internal import WidgetHosting
internal import WidgetLayout
internal import WidgetLive
internal import WidgetRender
internal import WidgetRunning

/// The widgets of a bundle within a cell.
final class CellWidgets: LiveSource {
    let program: LiveProgram
    let pictures = CellPictures()
    private let environment: Environment
    private let network: any WidgetNetwork
    private let clock: any Clock

    init(_ program: Program, environment: Environment, network: any WidgetNetwork, _ clock: any Clock) {
        self.program = LiveProgram(program, pictures)
        self.environment = environment
        self.network = network
        self.clock = clock
    }

    private func instance(_ screen: String? = nil) -> WidgetInstance? {
        var program = program.planned.program
        if let screen {
            guard let started = program.beginning(with: screen) else { return nil }
            program = started
        }
        var environment = environment
        environment.now = Double(clock.seconds) - CivilDate.secondsTo2001
        return WidgetInstance(program, environment: environment)
    }

    func widget() async -> RunningWidget {
        RunningWidget(instance() ?? WidgetInstance(program.planned.program), network: network)
    }

    /// A widget that begins with a screen, or with its first one.
    ///
    /// - Returns: `nil` if the bundle lacks the screen.
    func widget(_ screen: String?) -> RunningWidget? { instance(screen).map { RunningWidget($0, network: network) } }

    /// A widget that has started and was not touched, with its view.
    ///
    /// - Returns: `nil` if the bundle lacks the screen.
    func started(_ screen: String?) -> (instance: WidgetInstance, view: View)? {
        guard var instance = instance(screen) else { return nil }
        instance.send(.start)
        let view = instance.view()
        return (instance, view)
    }

    func still() -> View {
        var instance = instance() ?? WidgetInstance(program.planned.program)
        instance.send(.start)
        return instance.view()
    }

    /// A screen without data, which cannot be touched. Its own sheet has a name that comes from its bytes.
    ///
    /// - Returns: `nil` if the bundle lacks the screen.
    func page(
        _ screen: String?, _ options: PageOptions, _ order: CellMessage
    ) -> (title: String, html: [UInt8], sheet: String)? {
        guard let view = started(screen)?.view else { return nil }
        var options = options
        if let post = order.text("run"), let title = order.text("title") {
            options.live = LiveFrame(
                .still(post: post, title: title, beginsInView: false),
                script: order.text("script").flatMap { ScriptAddress($0) })
        }
        // The sheet has the rules of the page, which refers to it.
        let rules = PagePrinter(program.planned, options).page(view, program.assets)
        let sheet = ViewingSheet.text(options, for: [rules])
        let assets = options.pictureFolder
        options.sheets += [program.planned.sheet.file, "\(PageFiles.digest(of: Array(sheet.utf8))).css"].map {
            assets + $0
        }
        let page = PagePrinter(program.planned, options).page(view, program.assets)
        return (view.title, page.html, sheet)
    }
}
