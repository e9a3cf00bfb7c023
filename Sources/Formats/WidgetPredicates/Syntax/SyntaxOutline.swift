/// A tree as lines, for people to read.
package struct SyntaxOutline: Sendable {
    package struct Line: Sendable {
        /// The number of parts around this one.
        package var depth: Int
        /// A short description of the part.
        package var label: String
        package var span: SourceSpan
        /// True for the last child of its parent.
        var isLast: Bool
    }

    package private(set) var lines: [Line] = []

    package init(_ tree: SyntaxTree) {
        var pending = tree.nodes.isEmpty ? [] : [(id: tree.root, depth: 0, isLast: true)]
        while let (id, depth, isLast) = pending.popLast() {
            let node = tree[id]
            lines.append(Line(depth: depth, label: node.kind.label, span: node.span, isLast: isLast))
            var parts: [SyntaxNode.ID] = []
            node.kind.forEachPart { parts.append($0) }
            for (index, part) in parts.enumerated().reversed() {
                pending.append((part, depth + 1, index == parts.count - 1))
            }
        }
    }

    /// With the branches drawn.
    package var drawing: String {
        var text = ""
        /// For each depth, true if the branch continues below.
        var continues: [Bool] = []
        for line in lines {
            continues.removeSubrange(min(line.depth, continues.count)...)
            for isOpen in continues.dropFirst() { text += isOpen ? "│  " : "   " }
            if line.depth > 0 { text += line.isLast ? "└─ " : "├─ " }
            text += line.label + "\n"
            continues.append(!line.isLast)
        }
        return text
    }
}

extension SyntaxNode.Kind {
    fileprivate var label: String {
        switch self {
        case .constant(let literal): return literal.label
        case .subject: return "the object itself"
        case .variable(let name): return "variable $\(name)"
        case .keyPath(nil, let path): return "key path \(path.text)"
        case .keyPath(_?, let path): return "key path .\(path.text) of"
        case .index: return "element [ ]"
        case .place(_, let place): return "element [\(place.rawValue)]"
        case .negation: return "minus"
        case .complement: return "~"
        case .arithmetic(let operation, _, _): return operation.rawValue
        case .function(let function, _): return "function \(function.rawValue)"
        case .call(let function, _): return "FUNCTION \(function.rawValue)"
        case .cast(_, let type): return "CAST to \(type.rawValue)"
        case .aggregate(let parts): return "list of \(parts.count)"
        case .subquery(_, let variable, _): return "SUBQUERY for each $\(variable)"
        case .ternary: return "TERNARY"
        case .assignment(let name, _): return "$\(name) :="
        case .truth(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not: return "NOT"
        case .and: return "AND"
        case .or: return "OR"
        case .comparison(let comparison):
            let options = comparison.options.letters
            return comparison.quantifier.rawValue + comparison.operation.rawValue
                + (options.isEmpty ? "" : "[\(options)]")
        }
    }
}

extension SyntaxNode.Literal {
    fileprivate var label: String {
        switch value {
        case .null: return "nil"
        case .boolean(let value): return value ? "TRUE" : "FALSE"
        case .string(let text):
            var label = "text "
            Quotation.literal(text, into: &label)
            return label
        case .date(let seconds): return "date \(DateText.iso(seconds))"
        case .data(let bytes): return "data of \(bytes.count) bytes"
        case .array, .set, .dictionary, .object: return value.kindName
        case .integer, .double, .decimal: return "number \(value.text ?? "")"
        }
    }
}

extension TextOptions {
    /// In printing order.
    var letters: String {
        (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
            + (contains(.normalized) ? "n" : "") + (contains(.localeSensitive) ? "l" : "")
    }
}
