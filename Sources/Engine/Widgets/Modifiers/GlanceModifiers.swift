internal import JSONText

/// A size in which a host shows a widget.
public enum WidgetMode: String, Sendable {
    /// A mode: `compact` is the smaller one, `expanded` the larger one.
    case compact, expanded
}

/// Statements of the first screen about the widget.
extension ModifiableWidget {
    /// The display modes that the widget has.
    public func displayModes(_ modes: WidgetMode...) -> Modified { term("modes", .literal(modes.map(\.rawValue))) }

    /// The widget has something to show while a condition holds. Hosts hide it otherwise.
    public func visible<Truth: Readable>(if condition: Truth) -> Modified where Truth.Value == Bool {
        term("visible", condition.operand)
    }

    /// The value that an update compares; without it, the whole screen.
    public func watch<Value: Changing>(_ value: Value) -> Modified { term("watch", value.operand) }

    /// Hosts ask for newer data.
    ///
    /// - Parameters:
    ///   - seconds: from one update to the next.
    ///   - deadline: the seconds within which an update ends.
    public func updates(every seconds: Double, deadline: Double? = nil) -> Modified {
        let members = [("interval", JSONValue.number(seconds))] + (deadline.map { [("deadline", .number($0))] } ?? [])
        return term("update", Operand(.literal(.record(members))))
    }

    /// An address that leads to a screen.
    ///
    /// - Parameters:
    ///   - pattern: the address, such as `acme://events/{id:integer}`.
    ///   - list: the `id` of the list in which a row is shown.
    ///   - key: the member of its items that has the value of the part with this name.
    public func link(
        _ name: String, _ pattern: String, to screen: @autoclosure @escaping () -> any Widget,
        revealing key: String? = nil, in list: String? = nil
    ) -> Modified {
        var copy = modified
        copy.element.screen.links.append(
            (
                name,
                { writer in
                    let scene = writer.screen(nil) { _ in screen() }.name
                    var members = [("pattern", JSONValue.text(pattern)), ("scene", .text(scene))]
                    if let list, let key {
                        members.append(("reveal", .record([("list", .text(list)), ("key", .text(key))])))
                    }
                    return .record(members)
                }
            ))
        return copy
    }

    /// An address that the host follows, for the action `open(link:)`.
    public func link(_ name: String, _ pattern: String) -> Modified {
        var copy = modified
        copy.element.screen.links.append((name, { _ in .record([("pattern", .text(pattern))]) }))
        return copy
    }

    private func term(_ name: String, _ value: Operand) -> Modified {
        var copy = modified
        copy.element.screen.members.append((name, value))
        return copy
    }
}

extension WidgetAction {
    /// Opens a declared link with the values of its parts.
    public static func open(link name: String, with values: KeyValuePairs<String, any Readable> = [:]) -> WidgetAction {
        WidgetAction(
            .data { writer in
                var members = [("do", JSONValue.text("open")), ("link", .text(name))]
                if !values.isEmpty {
                    members.append(("with", .record(values.map { ($0.key, writer.json($0.value.operand)) })))
                }
                return .record(members)
            })
    }

    /// Asks a source again.
    public static func refresh<Value>(_ answer: ServiceAnswer<Value>) -> WidgetAction { refresh(answer.request.name) }
}

extension TableWidget {
    /// The reader pulls the table down: a source is asked again.
    public func onRefresh<Value>(_ answer: ServiceAnswer<Value>) -> Self { onRefresh(answer.request.name) }
}

extension Reading where Value == Bool {
    /// True while the host shows the widget in its compact mode.
    public static var isCompact: Reading { .condition("environment.display.mode == 'compact'") }
}
