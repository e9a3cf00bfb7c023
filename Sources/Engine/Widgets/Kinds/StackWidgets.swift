/// Widgets side by side.
public struct HStackWidget: StyledWidget, Tappable {
    /// The places of the widgets across the stack.
    public enum Alignment: String, Sendable {
        /// A place: `fill` makes widgets as high as the stack, `baseline` puts the first lines of texts at one height.
        case center, top, bottom, fill, baseline
    }

    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// The widgets between braces, side by side.
    public init(@WidgetBuilder _ widgets: () -> [any Widget] = { [] }) { self.init(widgets()) }

    /// The widgets of a list, side by side.
    public init(_ widgets: [any Widget]) { element = .kind("hstack", widgets) }

    /// The widgets of a list that changes.
    public init(_ list: ForEach) { self.init([list]) }

    /// Places the widgets across the stack.
    public func alignment(_ alignment: Alignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    /// Sets the points between two widgets; 8 if left out.
    public func spacing(_ points: Double) -> Self { payload("spacing", .literal(points)) }

    /// Shares out the room along the stack.
    public func distribution(_ distribution: StackDistribution) -> Self {
        payload("distribute", .literal(distribution.rawValue))
    }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

/// Widgets one above the other.
public struct VStackWidget: StyledWidget, Tappable {
    /// The places of the widgets across the stack.
    public enum Alignment: String, Sendable {
        /// A place: `fill` makes widgets as wide as the stack, the others keep their widths.
        case fill, leading, center, trailing
    }

    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// The widgets between braces, one above the other.
    public init(@WidgetBuilder _ widgets: () -> [any Widget] = { [] }) { self.init(widgets()) }

    /// The widgets of a list, one above the other.
    public init(_ widgets: [any Widget]) { element = .kind("vstack", widgets) }

    /// The widgets of a list that changes.
    public init(_ list: ForEach) { self.init([list]) }

    /// Places the widgets across the stack.
    public func alignment(_ alignment: Alignment) -> Self { payload("align", .literal(alignment.rawValue)) }

    /// Sets the points between two widgets; 8 if left out.
    public func spacing(_ points: Double) -> Self { payload("spacing", .literal(points)) }

    /// Shares out the room along the stack.
    public func distribution(_ distribution: StackDistribution) -> Self {
        payload("distribute", .literal(distribution.rawValue))
    }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

/// The sharing of the room along a stack.
public enum StackDistribution: String, Sendable {
    /// Widgets fill the stack, each in its size as long as that is possible.
    case fill
    /// Widgets fill the stack, all in the same size.
    case fillEqually = "equal"
    /// Gaps between widgets are equal.
    case equalSpacing = "spacing"
    /// Distances between the centres of widgets are equal.
    case equalCentering = "centering"
}

/// Widgets in front of each other; `position` places each.
public struct ZStackWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// The widgets between braces, the last one in front.
    public init(@WidgetBuilder _ widgets: () -> [any Widget]) { self.init(widgets()) }

    /// The widgets of a list, the last one in front.
    public init(_ widgets: [any Widget]) { element = .kind("zstack", widgets) }
}

/// A box around one widget.
public struct ContainerWidget: StyledWidget, Tappable {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// A box around a widget.
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
    /// The direction in which a widget scrolls.
    public enum Axis: String, Sendable {
        /// A direction: up and down, from side to side, or both.
        case vertical, horizontal, both
    }

    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// Scrolls a widget.
    public init(_ widget: any Widget) { element = .kind("scroll", [widget]) }

    /// Scrolls widgets. Several of them lie one above the other.
    public init(@WidgetBuilder _ widgets: () -> [any Widget]) {
        let widgets = widgets()
        element = .kind("scroll", widgets.count == 1 && !(widgets[0] is Group) ? widgets : [VStackWidget(widgets)])
    }

    /// Chooses the direction; `vertical` if left out.
    public func axis(_ axis: Axis) -> Self { payload("axis", .literal(axis.rawValue)) }
}
