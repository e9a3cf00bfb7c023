/// Widgets side by side.
public struct HStackWidget: StyledWidget, Tappable {
    public enum Alignment: String, Sendable {
        case center, top, bottom, fill, baseline
    }

    public var element: WidgetElement

    public init(@WidgetBuilder _ widgets: () -> [any Widget] = { [] }) { self.init(widgets()) }

    public init(_ widgets: [any Widget]) { element = .kind("hstack", widgets) }

    /// The widgets of a list that changes.
    public init(_ list: ForEach) { self.init([list]) }

    public func alignment(_ alignment: Alignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    public func spacing(_ points: Double) -> Self { payload("spacing", .literal(points)) }

    public func distribution(_ distribution: StackDistribution) -> Self {
        payload("distribute", .literal(distribution.rawValue))
    }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

/// Widgets one above the other.
public struct VStackWidget: StyledWidget, Tappable {
    public enum Alignment: String, Sendable {
        case fill, leading, center, trailing
    }

    public var element: WidgetElement

    public init(@WidgetBuilder _ widgets: () -> [any Widget] = { [] }) { self.init(widgets()) }

    public init(_ widgets: [any Widget]) { element = .kind("vstack", widgets) }

    /// The widgets of a list that changes.
    public init(_ list: ForEach) { self.init([list]) }

    public func alignment(_ alignment: Alignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    public func spacing(_ points: Double) -> Self { payload("spacing", .literal(points)) }

    public func distribution(_ distribution: StackDistribution) -> Self {
        payload("distribute", .literal(distribution.rawValue))
    }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

/// The sharing of the room along a stack.
public enum StackDistribution: String, Sendable {
    case fill
    case fillEqually = "equal"
    case equalSpacing = "spacing"
    case equalCentering = "centering"
}

/// Widgets in front of each other; `position` places each.
public struct ZStackWidget: StyledWidget {
    public var element: WidgetElement

    public init(@WidgetBuilder _ widgets: () -> [any Widget]) { self.init(widgets()) }

    public init(_ widgets: [any Widget]) { element = .kind("zstack", widgets) }
}

/// A box around one widget.
public struct ContainerWidget: StyledWidget, Tappable {
    public var element: WidgetElement

    public init(_ widget: any Widget) { element = .kind("box", [widget]) }

    /// Several widgets lie one above the other. Without any it is a ground alone.
    public init(@WidgetBuilder _ widgets: () -> [any Widget] = { [] }) {
        let widgets = widgets()
        element = .kind(
            "box", widgets.isEmpty || widgets.count == 1 && !(widgets[0] is Group) ? widgets : [VStackWidget(widgets)])
    }
}

/// A widget that may be larger than its place, and scrolls.
public struct ScrollWidget: StyledWidget {
    public enum Axis: String, Sendable {
        case vertical, horizontal, both
    }

    public var element: WidgetElement

    public init(_ widget: any Widget) { element = .kind("scroll", [widget]) }

    public init(@WidgetBuilder _ widgets: () -> [any Widget]) {
        let widgets = widgets()
        element = .kind("scroll", widgets.count == 1 && !(widgets[0] is Group) ? widgets : [VStackWidget(widgets)])
    }

    public func axis(_ axis: Axis) -> Self { payload("axis", .literal(axis.rawValue)) }
}
