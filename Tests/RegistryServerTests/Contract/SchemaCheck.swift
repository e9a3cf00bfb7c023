import JSONText

/// Holds JSON values against JSON Schema, as far as the contract uses it, and forgives nothing: a member that no
/// schema names is a complaint too.
struct SchemaCheck {
    let document: JSONValue

    /// What a value breaks, each with the path to where.
    func complaints(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return ["\(path): nothing is called \(reference)"] }
            return complaints(value, target, at: path)
        }
        let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? "any"]
        guard types.contains(SchemaCheck.type(of: value)) else {
            return ["\(path): is \(SchemaCheck.type(of: value)), not \(types.joined(separator: " or "))"]
        }
        if let text = value.string { return self.text(text, schema, path) }
        if let number = value.integer { return self.number(number, schema, path) }
        if let elements = value.array { return list(elements, schema, path) }
        if let object = value.object { return self.object(object, schema, path) }
        return []
    }

    func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(document as JSONValue?) { $0?[String($1)] }
    }

    private static func type(of value: JSONValue) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: "boolean"
        case .number: value.integer == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private func text(_ text: String, _ schema: JSONValue, _ path: String) -> [String] {
        var complaints: [String] = []
        if let pattern = schema["pattern"]?.string {
            let matches = (try? Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: text)) ?? nil
            if matches == nil { complaints.append("\(path): \(text) is not like \(pattern)") }
        }
        if let most = schema["maxLength"]?.integer, text.unicodeScalars.count > most {
            complaints.append("\(path): is longer than \(most)")
        }
        if let words = schema["enum"]?.array?.compactMap(\.string), !words.contains(text) {
            complaints.append("\(path): \(text) is none of \(words)")
        }
        if schema["format"]?.string == "date-time", text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil {
            complaints.append("\(path): \(text) is no time")
        }
        return complaints
    }

    private func number(_ number: Int64, _ schema: JSONValue, _ path: String) -> [String] {
        let low = schema["minimum"]?.integer ?? .min
        let high = schema["maximum"]?.integer ?? .max
        return number >= low && number <= high ? [] : ["\(path): \(number) is not in \(low)...\(high)"]
    }

    private func list(_ elements: [JSONValue], _ schema: JSONValue, _ path: String) -> [String] {
        guard let items = schema["items"] else { return ["\(path): the schema says nothing of elements"] }
        var complaints = elements.enumerated().flatMap { self.complaints($1, items, at: "\(path)[\($0)]") }
        if let least = schema["minItems"]?.integer, elements.count < least { complaints.append("\(path): too short") }
        if let most = schema["maxItems"]?.integer, elements.count > most { complaints.append("\(path): too long") }
        return complaints
    }

    private func object(_ object: JSONObject, _ schema: JSONValue, _ path: String) -> [String] {
        let properties = schema["properties"]?.object
        var complaints: [String] = []
        for member in object.members {
            if let known = properties?[member.name] {
                complaints += self.complaints(member.value, known, at: "\(path).\(member.name)")
            } else if let other = schema["additionalProperties"], other.object != nil {
                complaints += self.complaints(member.value, other, at: "\(path).\(member.name)")
            } else {
                complaints.append("\(path).\(member.name): the contract knows no such member")
            }
        }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            complaints.append("\(path).\(name): is missing")
        }
        return complaints
    }
}
