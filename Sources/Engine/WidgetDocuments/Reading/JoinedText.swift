internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// A text made of parts: `{"$": ["Hello ", "$name", "!"]}`. It has no value while one of its parts has none, so that an
/// address with a hole in it is never opened.
enum JoinedText {
    /// The most parts that a text may have.
    static let partCount = 64

    /// - Parameters:
    ///   - list: the written list.
    ///   - parts: the expressions of its elements.
    static func expression(of list: DocumentValue, _ parts: [Expression]) throws(ElementFault) -> Expression {
        let names = parts.indices.map { "p\($0)" }
        let open = zip(names, parts).filter { $0.1.literal == nil }.map { "\($0.0) == nil" }
        let members = zip(names, parts).map { (name: $0.0, expression: $0.1) }
        let text = Template(names.map { "$\($0)" }.joined(), .keyPaths)
        do throws(PredicateError) {
            let isIncomplete = try CompiledPredicate(open.isEmpty ? "FALSEPREDICATE" : open.joined(separator: " OR "))
            return Expression(
                .members(members),
                [.choice(isIncomplete, whenTrue: .value(.null), whenFalse: .template(text))],
                place: list.place, source: parts.map(source).joined(separator: " "))
        } catch {
            throw list.fault(.badPredicate, "The parts of the text cannot be joined: \(error.sentence)")
        }
    }

    private static func source(_ part: Expression) -> String { part.literal.map { $0.shown }?.excerpt ?? part.source }
}

extension ExpressionReader {
    /// The parts of a joined text, each a literal, a key path or an expression.
    mutating func joined(_ list: DocumentValue) throws(ElementFault) -> Expression {
        let elements = list.elements
        guard !elements.isEmpty, elements.count <= JoinedText.partCount else {
            throw list.fault(
                .countBudget, "A text has \(elements.count) parts; it may have 1 to \(JoinedText.partCount)",
                hint: #"write {"$": ["Hello ", "$name"]}"#)
        }
        var parts: [Expression] = []
        for element in elements {
            let part = try expression(of: element)
            guard part.literal == nil || element.json.array == nil && element.json.object == nil else {
                throw element.fault(
                    .badPayload, "A part of a text is \(element.json.typeName.rawValue)",
                    hint: "a part is a text, a number, a key path or an expression")
            }
            parts.append(part)
        }
        return try JoinedText.expression(of: list, parts)
    }
}
