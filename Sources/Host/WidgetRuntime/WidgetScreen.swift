package import WidgetCore
package import WidgetHosting
internal import WidgetLayout
internal import WidgetRender
internal import WidgetRunning

/// The screen of a widget at one moment.
public struct WidgetScreen: Sendable {
    package let snapshot: RunningWidget.Snapshot
    /// `nil` for a first screen, whose program is not known to its receiver yet.
    package let program: Program?

    package init(_ snapshot: RunningWidget.Snapshot, _ program: Program?) {
        self.snapshot = snapshot
        self.program = program
    }

    /// The name of the screen in its bundle.
    public var name: String { snapshot.view.screen }
    /// The title for people; empty if it has none.
    public var title: String { snapshot.view.title }
    /// False while the widget has nothing to show, and hosts hide it.
    public var isVisible: Bool { snapshot.view.isVisible }
    /// True while this is the screen from last time, because the present one has no data yet.
    public var isFromBefore: Bool { snapshot.isKept }
    /// The sentence for the person: why the last action did nothing, if it did nothing.
    public var notice: String? { snapshot.notice }
    /// The reason why its program is an older one, or its data are not saved.
    public var warning: String? { snapshot.warning }
    /// The outcome of the last link into the widget, which may be another one later while it is pending; `nil` without a link.
    public var link: LinkOutcome? { snapshot.link.map { LinkOutcome($0) } }
    /// The faults of the widget, each with its place and a hint.
    public var faults: [String] { snapshot.view.diagnostics.filter { $0.severity == .error }.map(\.description) }
    /// The age and state of its data.
    public var data: DataAge { DataAge(snapshot.data) }
    /// The titles of the buttons of the alert in front; empty without an alert.
    public var alertButtons: [String] { snapshot.view.alerts.last?.buttons.map(\.title) ?? [] }
    /// The text of the alert in front.
    public var alert: String? {
        snapshot.view.alerts.last.map { [$0.title, $0.message].filter { !$0.isEmpty }.joined(separator: "\n") }
    }
    /// Everything that a person can see or touch, as a tree.
    public var root: ScreenElement { ScreenElement(AccessibleNode(snapshot.view.root)) }

    /// The screen as lines of text.
    ///
    /// - Parameter columns: the width in cells, from 20 to 500.
    public func text(columns: Int = 80) -> String { ViewText(width: columns).text(snapshot.view) }

    /// The screen as a document of JSON, with keys in alphabetical order.
    public func json() -> String {
        guard let program else { return "{}\n" }
        return String(decoding: ViewJSON(program, PrintOptions()).print(snapshot.view, NoAssets()), as: UTF8.self)
    }

    /// The place of each visible element, for hosts that draw them.
    ///
    /// - Parameter size: the size of the screen.
    public func frames(in size: ScreenSize) -> [ElementFrame] {
        guard let program else { return [] }
        return ElementFrame.all(in: frames(of: program, size))
    }

    /// The places of all elements with their fonts and colours, as the document of JSON that docs/frames.md describes.
    ///
    /// - Parameter size: the size of the screen.
    public func frameDocument(in size: ScreenSize) -> String {
        guard let program else { return "{}\n" }
        return String(decoding: frames(of: program, size), as: UTF8.self)
    }

    private func frames(of program: Program, _ size: ScreenSize) -> [UInt8] {
        var viewport = Viewport(size: Size(width: size.width, height: size.height))
        viewport.direction = Viewport.Direction(of: snapshot.view.locale)
        return ViewFrames(program, PrintOptions(viewport: viewport)).print(snapshot.view, NoAssets())
    }
}
