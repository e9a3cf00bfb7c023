internal import JSONText

/// The identity of a screen: their type, and the values of their properties.
enum ScreenKey {
    private static let limit = 10_000
    /// The mark for a value that has no identity when a screen is built again: a closure, an instance, a computed value.
    static let byPlace = "(by place)"

    /// A text that is the same for screens that would be the same document.
    static func text(_ widget: any Widget) -> String {
        var text = ""
        add(widget, to: &text, depth: 0)
        return text
    }

    private static func add(_ value: Any, to text: inout String, depth: Int) {
        guard depth < 6, text.utf8.count < limit else { return }
        if let state = value as? any MountedState {
            text += "state \(ScreenKey.text(state.box.initial))"
            return
        }
        if case .composite(let view)? = (value as? StyledView)?.element.subject {
            add(view, to: &text, depth: depth + 1)
            return
        }
        if let operand = (value as? any Readable)?.operand {
            text += operand.identity
            return
        }
        let mirror = Mirror(reflecting: value)
        let typeName = "\(type(of: value))"
        if mirror.displayStyle == .class || typeName.contains("->") {
            text += byPlace
            return
        }
        text += typeName
        if mirror.children.isEmpty {
            text += "=\(value)"
            return
        }
        text += "("
        for (label, child) in mirror.children {
            text += "\(label ?? "")="
            add(child, to: &text, depth: depth + 1)
            text += ","
        }
        text += ")"
    }
}

extension ScreenKey {
    fileprivate static func text(_ name: any NamedValue) -> String {
        switch name {
        case let item as ItemName: item.wanted
        case let box as AnyStateBox where box.isDerived: byPlace
        case let request as AnswerRequest: request.identity
        case let status as AnswerStatusName: "status of \(status.request.identity)"
        default: "\(ObjectIdentifier(name))"
        }
    }

    static func text(_ json: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(json)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}

extension Operand {
    /// A text that is the same for operands that mean the same.
    var identity: String {
        switch form {
        case .literal(let json): ScreenKey.text(json)
        case .joined(let parts): "[" + parts.map(\.identity).joined(separator: ",") + "]"
        case .match(let subject, let cases, let otherwise):
            "match \(subject.identity) \(cases.map { "\($0.name): \($0.value.identity)" }) \(otherwise?.identity ?? "")"
        case .expression(let pieces, _):
            pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .name(let name, let keys):
                    ScreenKey.text(name) + "." + keys.joined(separator: ".")
                }
            }.joined()
        }
    }
}
