internal import JSONText
internal import Predicates
internal import WidgetCore

/// A binding as it was described: where its value goes, and the way to it.
struct Binding: Sendable {
    var target: String
    var expression: Expression
    /// Stands in for a picture that is not there yet.
    var placeholder: String?
}

/// Reads bindings and evaluations: the same description, with and without a target.
enum BindingReader {
    private static let keys: Set<String> = [
        "to", "from", "predicateFormat", "ifTrue", "ifFalse", "transformer", "format", "placeholder", "***",
    ]

    static func binding(_ value: SchemeValue, _ diagnostics: inout [Diagnostic]) -> Binding? {
        guard let object = value.json.object else {
            diagnostics.append(Diagnostic(.error, .badValue, "A binding must be an object", at: value.place))
            return nil
        }
        for member in object.members where !keys.contains(member.name) {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownKey, "A binding has no use for \(member.name)", at: value.place,
                    hint: "it can have \(keys.subtracting(["***"]).sorted().joined(separator: ", "))"))
        }
        guard let expression = expression(object, value.place, &diagnostics) else { return nil }
        return Binding(
            target: object["to"]?.string ?? "wx_value", expression: expression,
            placeholder: object["placeholder"]?.string)
    }

    /// Everything but where the value goes.
    static func expression(
        _ object: JSONObject, _ place: Place, _ diagnostics: inout [Diagnostic]
    ) -> Expression? {
        var expression = Expression(.scope, place: place, source: source(of: object))
        if let from = object["from"]?.string, !from.isEmpty {
            do throws(PredicateError) {
                expression.start = try .compiled(CompiledExpression("%K", arguments: [.string(from)]))
            } catch {
                diagnostics.append(Diagnostic(.error, .badPredicate, "`\(from)`: \(error.sentence)", at: place))
                return nil
            }
        }
        if let format = object["predicateFormat"]?.string {
            do throws(PredicateError) {
                expression.steps.append(choice(try CompiledPredicate(format), object))
            } catch {
                diagnostics.append(
                    Diagnostic(
                        .error, .badPredicate, "`\(format)`: \(error)", at: place, hint: error.hint))
                return nil
            }
        }
        if let name = object["transformer"]?.string { expression.steps.append(.transformer(name)) }
        if let format = object["format"]?.string { expression.steps.append(.format(Template(format, .format))) }
        if let placeholder = object["placeholder"], !placeholder.isNull {
            expression.steps.append(.placeholder(Value(placeholder)))
        }
        return expression
    }

    /// One of both is enough: what is not given leaves the value as it is. Without either, the answer is the value.
    private static func choice(_ predicate: CompiledPredicate, _ object: JSONObject) -> Expression.Step {
        let (whenTrue, whenFalse) = (object["ifTrue"], object["ifFalse"])
        if whenTrue == nil, whenFalse == nil { return .truth(predicate) }
        return .choice(predicate, whenTrue: whenTrue.map(picked), whenFalse: whenFalse.map(picked))
    }

    private static func picked(_ json: JSONValue) -> Expression.Choice {
        guard let text = json.string else { return .value(Value(json)) }
        let template = Template(text, .keyPaths)
        return template.hasTokens ? .template(template) : .value(.string(text))
    }

    /// As it was written, shortened, for explanations of a value.
    private static func source(of object: JSONObject) -> String {
        var parts: [String] = []
        if let from = object["from"]?.string { parts.append(from) }
        if let predicate = object["predicateFormat"]?.string { parts.append("[\(predicate)]") }
        if let name = object["transformer"]?.string { parts.append("| \(name)") }
        if let format = object["format"]?.string { parts.append("\"\(format)\"") }
        return parts.isEmpty ? "the scope" : parts.joined(separator: " ").excerpt
    }
}
