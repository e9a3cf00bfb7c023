/// A part of a screen, as a value.
public protocol Widget {
    /// The description of the widget, which becomes a part of a document.
    var element: WidgetElement { get }
}

/// A widget that takes modifiers. `Modified` is what a modifier returns.
public protocol ModifiableWidget: Widget {
    /// The type that a modifier returns.
    associatedtype Modified: StyledWidget

    /// The widget as a copy that modifiers change.
    var modified: Modified { get }
}

/// A widget whose properties are in its element. A modifier returns a copy of its type.
public protocol StyledWidget: ModifiableWidget where Modified == Self {
    /// The description of the widget, which modifiers change.
    var element: WidgetElement { get set }
}

extension StyledWidget {
    /// The widget itself, because its modifiers change a copy.
    public var modified: Self { self }
}

/// A widget made of others: a screen, or a part of one.
public protocol WidgetView: ModifiableWidget where Modified == StyledView {
    /// Builds the widgets that this one is made of.
    ///
    /// - Parameter context: the values that ancestors have put, and the theme of this place.
    @WidgetBuilder func widget(_ context: WidgetContext) -> any Widget
}

extension WidgetView {
    /// The description of the widget, whose parts are built when the screen is written.
    public var element: WidgetElement { WidgetElement(.composite(self)) }

    /// The widget as a copy that takes modifiers.
    public var modified: StyledView { StyledView(element: element) }
}

/// A widget made of others, with modifiers.
public struct StyledView: StyledWidget {
    /// The description of the widget and of its modifiers.
    public var element: WidgetElement
}

/// The list of widgets between braces.
@resultBuilder
public enum WidgetBuilder {
    /// Takes a widget as a list of one. Findings about the widget have its line.
    public static func buildExpression(
        _ widget: any Widget, file: String = #filePath, line: Int = #line
    ) -> [any Widget] {
        let place = SourcePlace(file, line)
        return switch widget {
        case let widget as any StyledWidget: [placed(widget, place)]
        case let view as any WidgetView: [placed(view.modified, place)]
        default: [widget]
        }
    }

    private static func placed(_ widget: some StyledWidget, _ place: SourcePlace) -> any Widget {
        var widget = widget
        widget.element.place = place
        return widget
    }

    /// Takes a list of widgets as it is.
    public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

    /// Joins the widgets of a block.
    public static func buildBlock(_ parts: [any Widget]...) -> [any Widget] { parts.flatMap { $0 } }

    /// Takes the widgets of an `if` without `else`, which may be missing.
    public static func buildOptional(_ part: [any Widget]?) -> [any Widget] { one(part ?? []) }

    /// Takes the widgets of the first branch of a condition.
    public static func buildEither(first: [any Widget]) -> [any Widget] { one(first) }

    /// Takes the widgets of the second branch of a condition.
    public static func buildEither(second: [any Widget]) -> [any Widget] { one(second) }

    /// A condition is one part, whether it holds or not, as a loop is: those after it keep their places.
    private static func one(_ widgets: [any Widget]) -> [any Widget] {
        widgets.count == 1 ? widgets : [Group(widgets)]
    }

    /// Joins the widgets of a loop.
    public static func buildArray(_ parts: [[any Widget]]) -> [any Widget] { [Group(parts.map { Group($0) })] }

    /// Takes the widgets of an `if #available`.
    public static func buildLimitedAvailability(_ part: [any Widget]) -> [any Widget] { part }

    /// Returns the widgets for a parameter that is a list.
    public static func buildFinalResult(_ parts: [any Widget]) -> [any Widget] { parts }

    /// Returns the widgets for a place of one widget: several become a group.
    public static func buildFinalResult(_ parts: [any Widget]) -> any Widget {
        parts.count == 1 ? parts[0] : Group(parts)
    }
}
