/// A part of a screen, as a value.
public protocol Widget {
    var element: WidgetElement { get }
}

/// A widget that takes modifiers. `Modified` is what a modifier returns.
public protocol ModifiableWidget: Widget {
    associatedtype Modified: StyledWidget

    var modified: Modified { get }
}

/// A widget whose properties are in its element. A modifier returns a copy of its type.
public protocol StyledWidget: ModifiableWidget where Modified == Self {
    var element: WidgetElement { get set }
}

extension StyledWidget {
    public var modified: Self { self }
}

/// A widget made of others: a screen, or a part of one.
public protocol WidgetView: ModifiableWidget where Modified == StyledView {
    @WidgetBuilder func widget(_ context: WidgetContext) -> any Widget
}

extension WidgetView {
    public var element: WidgetElement { WidgetElement(.composite(self)) }

    public var modified: StyledView { StyledView(element: element) }
}

/// A widget made of others, with modifiers.
public struct StyledView: StyledWidget {
    public var element: WidgetElement
}

/// The list of widgets between braces.
@resultBuilder
public enum WidgetBuilder {
    public static func buildExpression(_ widget: any Widget) -> [any Widget] { [widget] }

    public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

    public static func buildBlock(_ parts: [any Widget]...) -> [any Widget] { parts.flatMap { $0 } }

    public static func buildOptional(_ part: [any Widget]?) -> [any Widget] { one(part ?? []) }

    public static func buildEither(first: [any Widget]) -> [any Widget] { one(first) }

    public static func buildEither(second: [any Widget]) -> [any Widget] { one(second) }

    /// A condition is one part, whether it holds or not, as a loop is: those after it keep their places.
    private static func one(_ widgets: [any Widget]) -> [any Widget] {
        widgets.count == 1 ? widgets : [Group(widgets)]
    }

    public static func buildArray(_ parts: [[any Widget]]) -> [any Widget] { [Group(parts.map { Group($0) })] }

    public static func buildLimitedAvailability(_ part: [any Widget]) -> [any Widget] { part }

    public static func buildFinalResult(_ parts: [any Widget]) -> [any Widget] { parts }

    public static func buildFinalResult(_ parts: [any Widget]) -> any Widget {
        parts.count == 1 ? parts[0] : Group(parts)
    }
}
