internal import WidgetBytes
internal import WidgetPlist

/// Turns archived predicates, which are trees of objects, back into text.
extension ModelReader {
    /// Returns the predicate behind a key as text; `nil` without one, or for one that has no text.
    mutating func predicate(_ owner: KeyedObject, _ key: String) throws(ModelError) -> String? {
        guard let object = try object(owner, key) else { return nil }
        return try predicateText(object)
    }

    /// Returns a predicate's text: archived as text by our own compiler, else made from its tree.
    mutating func predicateText(_ object: KeyedObject) throws(ModelError) -> String? {
        if let text = object.scalar?.string { return try bounded(text) }
        let text = try predicate(object, depth: 0)
        if text == nil { note("\(ShownText.name(object.className ?? "a predicate"))") }
        return text
    }

    mutating func expressionText(_ object: KeyedObject) throws(ModelError) -> String? {
        if let text = object.scalar?.string { return try bounded(text) }
        let text = try expression(object, depth: 0)
        if text == nil { note("\(ShownText.name(object.className ?? "an expression"))") }
        return text
    }

    private mutating func predicate(_ object: KeyedObject, depth: Int) throws(ModelError) -> String? {
        try enter(depth)
        switch object.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSComparisonPredicate": return try comparison(object, depth: depth)
        case "NSCompoundPredicate":
            var parts: [String] = []
            for part in try elements(object, "NSSubpredicates") {
                guard let text = try predicate(part, depth: depth + 1) else { return nil }
                parts.append(text)
            }
            switch try integer(object, "NSCompoundPredicateType") {
            case 0 where parts.count == 1: return try bounded("NOT (\(parts[0]))")
            case 1: return try bounded(joined(parts, " AND "))
            case 2: return try bounded(joined(parts, " OR "))
            default: return nil
            }
        default: return nil
        }
    }

    private func joined(_ parts: [String], _ word: String) -> String {
        parts.count == 1 ? parts[0] : parts.map { "(\($0))" }.joined(separator: word)
    }

    private mutating func comparison(_ object: KeyedObject, depth: Int) throws(ModelError) -> String? {
        guard let left = try self.object(object, "NSLeftExpression"),
            let right = try self.object(object, "NSRightExpression"),
            let comparison = try self.object(object, "NSPredicateOperator"),
            let type = try integer(comparison, "NSOperatorType"), let symbol = Self.operators[type],
            let leftText = try expression(left, depth: depth + 1),
            let rightText = try expression(right, depth: depth + 1)
        else { return nil }
        let modifier =
            switch try integer(comparison, "NSModifier") {
            case 1: "ALL "
            case 2: "ANY "
            default: ""
            }
        var options = ""
        if type >= 6, type != 100 {
            var flags = try integer(comparison, "NSFlags")
            if flags == nil { flags = try integer(comparison, "NSOptions") }
            options = ((flags ?? 0) & 1 != 0 ? "c" : "") + ((flags ?? 0) & 2 != 0 ? "d" : "")
        }
        return try bounded("\(modifier)\(leftText) \(symbol)\(options.isEmpty ? "" : "[\(options)]") \(rightText)")
    }

    private mutating func expression(_ object: KeyedObject, depth: Int) throws(ModelError) -> String? {
        try enter(depth)
        switch object.className {
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression", "NSVariableAssignmentExpression":
            return try string(object, "NSVariable").map { "$\($0)" }
        case "NSKeyPathSpecifierExpression", "NSTokenExpression": return try string(object, "NSKeyPath")
        case "NSConstantValueExpression": return try constant(object)
        case "NSAggregateExpression":
            guard let texts = try expressions(object, "NSCollection", depth: depth) else { return nil }
            return try bounded("{\(texts.joined(separator: ", "))}")
        case "NSKeyPathExpression":
            guard let texts = try expressions(object, "NSArguments", depth: depth), texts.count == 1 else { return nil }
            guard let operand = try self.object(object, "NSOperand"), operand.className != "NSSelfExpression" else {
                return texts[0]
            }
            return try expression(operand, depth: depth + 1).map { "\($0).\(texts[0])" }
        case "NSFunctionExpression":
            guard let selector = try string(object, "NSSelectorName"),
                let texts = try expressions(object, "NSArguments", depth: depth)
            else { return nil }
            if selector == "valueForKeyPath:" || selector == "valueForKey:", texts.count == 1,
                let operand = try self.object(object, "NSOperand")
            {
                return try expression(operand, depth: depth + 1).map { "\($0).\(texts[0])" }
            }
            let name = selector.prefix { $0 != ":" }
            return try bounded("\(name)(\(texts.joined(separator: ", ")))")
        default: return nil
        }
    }

    private mutating func expressions(
        _ owner: KeyedObject, _ key: String, depth: Int
    ) throws(ModelError) -> [String]? {
        var texts: [String] = []
        for element in try elements(owner, key) {
            guard let text = try expression(element, depth: depth + 1) else { return nil }
            texts.append(text)
        }
        return texts
    }

    private func constant(_ object: KeyedObject) throws(ModelError) -> String? {
        let value = try read { () throws(PlistError) in try object.scalar("NSConstantValue") }
        switch value {
        case nil:
            // A value that has no text, such as a list of objects.
            return try self.object(object, "NSConstantValue") == nil ? "nil" : nil
        case .string(let text): return Self.quoted(text)
        case .integer(let number): return "\(number)"
        case .largeInteger(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .boolean(let flag): return flag ? "TRUE" : "FALSE"
        case .date(let date): return "CAST(\(date.secondsSince2001), \"NSDate\")"
        default: return nil
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": result += "\\\(character)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(character)
            }
        }
        return result + "\""
    }

    private mutating func enter(_ depth: Int) throws(ModelError) {
        guard depth < limits.predicateDepth else { throw ModelError(.predicateTooLarge) }
        try spend(1)
    }

    /// Charges the text to the limit on values: parts can be shared, so a text can be far longer than its file.
    private mutating func bounded(_ text: String) throws(ModelError) -> String {
        guard text.utf8.count <= limits.predicateByteCount else { throw ModelError(.predicateTooLarge) }
        try spend(text.utf8.count / 16)
        return text
    }

    private static let operators: [Int64: String] = [
        0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
        10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
}
