package import WidgetCore
package import WidgetRender
package import WidgetRunning

/// A program that is shown live, prepared once for all of its pages.
package struct LiveProgram: Sendable {
    package let planned: PlannedProgram
    package let assets: any ViewAssets

    package init(_ program: Program, _ assets: any ViewAssets) {
        planned = PlannedProgram(program)
        self.assets = assets
    }
}

/// Widgets of one kind, of which each viewing gets its own.
package protocol LiveSource: Sendable {
    /// The program that new viewings begin with.
    var program: LiveProgram { get }

    /// A widget for one viewing, which has not begun.
    func widget() async -> RunningWidget

    /// The first view, of a widget that asks no server.
    func still() -> View
}
