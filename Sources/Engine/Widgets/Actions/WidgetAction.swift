package import JSONText
internal import WidgetContract

/// Something that happens on an event: data, which a document can have, or a closure of the program.
public struct WidgetAction {
    package enum Form {
        case data((SceneWriter) -> JSONValue)
        case code(WidgetHandler, value: Operand?)
    }

    package let form: Form

    package init(_ form: Form) { self.form = form }

    /// An action of documents, with its members.
    static func action(_ name: String, _ members: [(String, Operand?)]) -> WidgetAction {
        WidgetAction(
            .data { writer in
                .record(
                    [("do", .text(name))] + members.compactMap { name, value in value.map { (name, writer.json($0)) } })
            })
    }

    /// An action of the program.
    public static func run(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> WidgetAction {
        WidgetAction(.code(WidgetHandler(SourcePlace(file, line)) { context, _ in handler(context) }, value: nil))
    }

    /// An action of the program with a value, such as the item of a row.
    public static func run<Value: Readable>(
        with value: Value, file: String = #filePath, line: Int = #line,
        _ handler: @escaping (WidgetContext, Value.Value) -> Void
    ) -> WidgetAction where Value.Value: Decodable {
        WidgetAction(
            .code(
                WidgetHandler(SourcePlace(file, line)) { context, json in
                    guard let value = PlainValue.value(json, as: Value.Value.self) else {
                        context.fault(
                            NativeRemark(
                                "The action got a value that is not a \(Value.Value.self): \(PlainValue.fault(of: json, as: Value.Value.self))",
                                file: file, line: line))
                        return
                    }
                    handler(context, value)
                }, value: value.operand))
    }
}

/// A closure with its place in the source.
package struct WidgetHandler {
    let place: SourcePlace
    let run: (WidgetContext, JSONValue) -> Void

    init(_ place: SourcePlace, _ run: @escaping (WidgetContext, JSONValue) -> Void) {
        self.place = place
        self.run = run
    }
}

extension WidgetAction {
    /// Gives a state another value.
    public static func set<Value, Source: Changing>(_ state: Binding<Value>, to value: Source) -> WidgetAction
    where Source.Value == Value { setting("set", state.operand, [("to", value.operand)]) }

    /// Gives a state another value.
    @_disfavoredOverload
    public static func set<Value>(_ state: Binding<Value>, to value: Value) -> WidgetAction {
        setting("set", state.operand, [("to", .literal(value))])
    }

    /// Gives a text another value.
    public static func set(_ state: Binding<String>, to text: TextValue) -> WidgetAction {
        setting("set", state.operand, [("to", text.operand)])
    }

    /// Gives a text the one that the event brings: that of a field, or the value with which a screen was left.
    public static func setArgument<Value>(_ state: Binding<Value>) -> WidgetAction {
        setting("set", state.operand, [("to", Operand(.expression([.text("argument")], isCondition: false)))])
    }

    /// Turns a state from true to false, and back.
    public static func toggle(_ state: Binding<Bool>) -> WidgetAction { setting("toggle", state.operand, []) }

    /// Adds an item to a list.
    public static func append<Item, Source: Readable>(_ item: Source, to list: Binding<[Item]>) -> WidgetAction
    where Source.Value == Item { setting("append", list.operand, [("item", item.operand)]) }

    /// Adds an item to a list.
    @_disfavoredOverload
    public static func append<Item: Encodable>(_ item: Item, to list: Binding<[Item]>) -> WidgetAction {
        setting("append", list.operand, [("item", .literal(item))])
    }

    /// Removes the items of a list whose member is a value.
    public static func remove<Item, Key, Source: Readable>(
        _ key: KeyPath<Item, Key>, _ value: Source, from list: Binding<[Item]>
    ) -> WidgetAction where Source.Value == Key {
        let keys = MemberPath.keys(key)
        let member = keys.isEmpty ? nil : Operand.literal(keys.joined(separator: "."))
        return setting("remove", list.operand, [("key", member), ("is", value.operand)])
    }

    /// An action on a state, whose name is a text.
    private static func setting(_ name: String, _ state: Operand, _ members: [(String, Operand?)]) -> WidgetAction {
        WidgetAction(
            .data { writer in
                // An action without a state was reported, and does nothing.
                guard let state = writer.stateName(state) else {
                    return .record([("do", .text("when")), ("if", .flag(false)), ("then", .list([]))])
                }
                return .record(
                    [("do", .text(name)), ("state", .text(state))]
                        + members.compactMap { name, value in value.map { (name, writer.json($0)) } })
            })
    }

    /// Takes further actions later.
    public static func after(_ seconds: Double, _ actions: WidgetAction...) -> WidgetAction {
        WidgetAction(
            .data { writer in
                .record([
                    ("do", .text("after")), ("seconds", .number(seconds)), ("then", writer.actions(actions, "after")),
                ])
            })
    }

    /// Takes actions if a condition holds, and others if not.
    public static func when<Truth: Readable>(
        _ condition: Truth, _ actions: [WidgetAction], else others: [WidgetAction] = []
    ) -> WidgetAction where Truth.Value == Bool {
        WidgetAction(
            .data { writer in
                var members: [(String, JSONValue)] = [
                    ("do", .text("when")), ("if", writer.condition(condition.operand)),
                    ("then", writer.actions(actions, "when")),
                ]
                if !others.isEmpty { members.append(("else", writer.actions(others, "when"))) }
                return .record(members)
            })
    }

    /// Shows a message.
    public static func alert(_ title: String, message: TextValue? = nil) -> WidgetAction {
        action("alert", [("title", .literal(title)), ("message", message?.operand)])
    }

    /// Shows a message with the buttons of an alert.
    public static func alert(_ alert: AlertWidget) -> WidgetAction {
        WidgetAction(
            .data { writer in
                .record(
                    [("do", .text("alert"))] + alert.element.payload.map { ($0.name, writer.json($0.value)) }
                        + alert.element.parts.map { ($0.name, $0.write(writer)) })
            })
    }

    /// Chooses the row of a list whose item has a value, without what a touch of it does.
    public static func reveal<Item, Key, Source: Readable>(
        _ key: KeyPath<Item, Key>, _ value: Source, in list: String
    ) -> WidgetAction where Source.Value == Key {
        action(
            "reveal",
            [
                ("list", .literal(list)), ("key", .literal(MemberPath.keys(key).joined(separator: "."))),
                ("is", value.operand),
            ])
    }

    /// Lets the host open an address.
    public static func open(_ address: TextValue) -> WidgetAction { action("open", [("url", address.operand)]) }

    /// Asks a source again; all of them without a name.
    public static func refresh(_ source: String? = nil) -> WidgetAction {
        action("refresh", [("source", source.map { Operand.literal($0) })])
    }

    /// Puts the cursor into the field with that `id`.
    public static func focus(_ id: String) -> WidgetAction { action("focus", [("id", .literal(id))]) }

    /// Returns to the screen below.
    public static var back: WidgetAction { action("back", []) }

    /// Closes the presented screen.
    public static var dismiss: WidgetAction { action("dismiss", []) }

    /// Closes the presented screen with a text for the one below.
    public static func dismiss(returning text: TextValue) -> WidgetAction {
        action("dismiss", [("value", text.operand)])
    }

    /// Closes the presented screen with a value for the one below.
    @_disfavoredOverload
    public static func dismiss<Value: Readable>(returning value: Value) -> WidgetAction {
        action("dismiss", [("value", value.operand)])
    }

    /// Returns to the screen below with a text for it.
    public static func back(returning text: TextValue) -> WidgetAction { action("back", [("value", text.operand)]) }

    /// Returns to the screen below with a value for it.
    @_disfavoredOverload
    public static func back<Value: Readable>(returning value: Value) -> WidgetAction {
        action("back", [("value", value.operand)])
    }
}
