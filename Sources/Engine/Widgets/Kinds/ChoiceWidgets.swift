internal import JSONText

/// One of several widgets: the one under the text of a value.
public struct MatchWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("match")

    /// Shows the widget under the text of a value.
    ///
    /// - Parameters:
    ///   - value: the value whose text chooses.
    ///   - cases: the widgets by the texts.
    ///   - other: the widget for all other texts; nothing if left out.
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
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// Shows widgets once the source with that name has an answer.
    public init(_ source: String, @WidgetBuilder _ widgets: () -> [any Widget]) {
        element = .kind("async", widgets())
        self = payload("source", .literal(source))
    }

    /// Shows widgets until the first answer, in place of a spinner.
    public func loading(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("loading", widgets()) }

    /// Shows widgets while there is only a failure, in place of its reason.
    public func error(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("error", widgets()) }

    /// Shows widgets while the answer has nothing in it.
    public func empty(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }
}

extension MatchWidget {
    /// The widgets for each value of a type with few values: the closure is called once for each of them.
    public init<Choice: Changing>(_ value: Choice, @WidgetBuilder each: (Choice.Value) -> [any Widget])
    where Choice.Value: CaseIterable & RawRepresentable, Choice.Value.RawValue == String {
        self = payload("value", value.operand)
        for choice in Choice.Value.allCases { self = slot(choice.rawValue, each(choice)) }
    }
}

/// A message that appears in front of the screen: when a state becomes true, or when `navigator` presents it.
public struct AlertWidget: StyledWidget {
    /// The purpose of a button.
    public enum ActionStyle: Sendable {
        /// A purpose: `standard`, `cancel` for leaving things as they are, or `destructive` for a loss.
        case standard, cancel, destructive
    }

    struct Choice {
        let title: String
        let style: ActionStyle
        var actions: [WidgetAction] = []
        var handler: ((WidgetContext) -> Void)?
    }

    private(set) var choices: [Choice] = []

    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("alert")

    /// An alert that is to be presented.
    public init(title: String, message: TextValue? = nil) {
        self = payload("title", .literal(title))
        if let message { self = payload("message", message.operand) }
    }

    /// Adds a button, which closes the alert. Then its closure is called.
    public func addAction(
        title: String, style: ActionStyle = .standard, file: String = #filePath, line: Int = #line,
        handler: @escaping (WidgetContext) -> Void
    ) -> Self {
        adding(
            Choice(
                title: title, style: style, actions: [.run(file: file, line: line, handler)], handler: handler))
    }

    /// Adds a button, which closes the alert. Actions of data are taken if the alert is itself data.
    public func addAction(title: String, style: ActionStyle = .standard, _ actions: WidgetAction...) -> Self {
        adding(Choice(title: title, style: style, actions: actions))
    }

    private func adding(_ choice: Choice) -> Self {
        var copy = self
        copy.choices.append(choice)
        let choices = copy.choices
        copy.element.parts = [("actions", { writer in .list(choices.map { $0.json(writer) }) })]
        return copy
    }

    /// An alert that appears when a state becomes true. The state becomes false again when it is closed.
    public init(_ title: String, message: TextValue? = nil, shown: Binding<Bool>) {
        self = payload("title", .literal(title))
        if let message { self = payload("message", message.operand) }
        self = payload("shown", shown.operand)
    }
}

/// The screen of an alert that is presented.
struct AlertScreen: WidgetView {
    let alert: AlertWidget
    /// The screen that shows the alert.
    let presenter: ScreenPerformer

    func widget(_ context: WidgetContext) -> any Widget {
        let texts = Dictionary(alert.element.payload.map { ($0.name, Reading<String>($0.value)) }) { $1 }
        let choices = alert.choices.isEmpty ? [.init(title: "OK", style: .cancel)] : alert.choices
        return VStackWidget {
            if let title = texts["title"] { LabelWidget(title).font(.headline) }
            if let message = texts["message"] { LabelWidget(message) }
            for choice in choices {
                ButtonWidget(TextValue(stringLiteral: choice.title)).role(choice.role).onTap { context in
                    context.navigator?.dismiss()
                    // The alert is closed by then: what follows belongs to the screen that has shown it.
                    var below = context
                    below.performer = presenter
                    choice.handler?(below)
                }
            }
        }
        .spacing(12).padding(16)
        .navigationBar(title: "", hidden: true)
    }
}

extension AlertWidget.Choice {
    /// The button as documents have it.
    fileprivate func json(_ writer: SceneWriter) -> JSONValue {
        var members: [(String, JSONValue)] = [("title", .text(title))]
        switch style {
        case .standard: break
        case .cancel: members.append(("style", .text("cancel")))
        case .destructive: members.append(("style", .text("destructive")))
        }
        if !actions.isEmpty { members.append(("actions", writer.actions(actions, "\(title)"))) }
        return .record(members)
    }

    fileprivate var role: ButtonWidget.Role {
        switch style {
        case .standard: .plain
        case .cancel: .cancel
        case .destructive: .destructive
        }
    }
}

/// The content of a document of the bundle, or of a screen of its storyboard.
public struct DocumentWidget: StyledWidget {
    /// The description of the widget, which modifiers change.
    public var element = WidgetElement.kind("host")

    /// Shows the document `NAME.widgets.json`, or the screen of that name.
    public init(_ name: String) { self = payload("document", .literal(name)) }
}
