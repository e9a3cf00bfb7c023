/// One of several widgets: the one under the text of a value.
public struct MatchWidget: StyledWidget {
    public var element = WidgetElement.kind("match")

    public init<Choice: Changing>(
        _ value: Choice, _ cases: KeyValuePairs<String, any Widget>, else other: (any Widget)? = nil
    ) {
        self = payload("value", value.operand)
        for (name, widget) in cases { self = slot(name, [widget]) }
        if let other { self = slot("else", [other]) }
    }
}

/// The content of a source: other widgets before there is an answer.
public struct AsyncWidget: StyledWidget {
    public var element: WidgetElement

    public init(_ source: String, @WidgetBuilder _ widgets: () -> [any Widget]) {
        element = .kind("async", widgets())
        self = payload("source", .literal(source))
    }

    public func loading(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("loading", widgets()) }

    public func error(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("error", widgets()) }

    public func empty(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

/// A message that appears in front of the screen when a state becomes true.
public struct AlertWidget: StyledWidget {
    public var element = WidgetElement.kind("alert")

    public init(_ title: String, message: TextValue? = nil, shown: Binding<Bool>) {
        self = payload("title", .literal(title))
        if let message { self = payload("message", message.operand) }
        self = payload("shown", shown.operand)
    }
}

/// The content of a document of the bundle, or of a screen of its storyboard.
public struct DocumentWidget: StyledWidget {
    public var element = WidgetElement.kind("host")

    public init(_ name: String) { self = payload("document", .literal(name)) }
}
