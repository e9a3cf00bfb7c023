package import WidgetCore
package import WidgetHosting
package import WidgetRender
internal import WidgetRunning

/// A program that is shown live, prepared once for all of its pages.
package struct LiveProgram: Sendable {
    package let planned: PlannedProgram
    package let assets: any ViewAssets

    package init(_ program: Program, _ assets: any ViewAssets) {
        planned = PlannedProgram(program)
        self.assets = assets
    }
}

/// Widgets of one kind in this process, of which each viewing gets its own.
package protocol LiveSource: AnyObject, Sendable {
    /// The program that new viewings begin with.
    var program: LiveProgram { get }

    /// A widget for one viewing, which has not begun.
    func widget() async -> RunningWidget

    /// Has a widget that runs continue with the present program.
    func renew(_ widget: RunningWidget) async

    /// The first view, of a widget that asks no server.
    func still() -> View

    /// The faults of a program whose view a page with a workbench shows.
    func findings(in view: View) -> [LiveFinding]

    /// Begins a widget. One that several viewings show has begun already.
    func begin(_ widget: RunningWidget) async

    /// Ends a widget whose viewing is over. One that others show as well continues.
    func end(_ widget: RunningWidget) async

    /// False if addresses that a widget wants to open are the app's, and not shown on pages.
    var opensAddresses: Bool { get }

    /// Opens an address elsewhere on the page.
    ///
    /// - Parameter isTouched: true if a person has just acted, and the widget wants it in answer to that.
    /// - Returns: false for one that a person may follow, or that is not followed at all.
    func open(_ address: String, isTouched: Bool) async -> Bool
}

extension LiveSource {
    package var opensAddresses: Bool { true }

    package func findings(in view: View) -> [LiveFinding] { [] }

    package func begin(_ widget: RunningWidget) async { await widget.start() }

    package func end(_ widget: RunningWidget) async { await widget.stop() }

    package func open(_ address: String, isTouched: Bool) async -> Bool { false }

    package func renew(_ widget: RunningWidget) async { await widget.replace(program.planned.program) }
}
