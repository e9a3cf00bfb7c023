internal import WidgetPredicates

extension Value {
    /// The value much as JSON has it, for people: with its lists and objects, up to so many bytes.
    package func outline(upTo byteCount: Int) -> String {
        var text = ""
        append(to: &text, byteCount, depth: 0)
        return text.shortened(toByteCount: byteCount)
    }

    /// The most lists and objects within each other that are written out.
    private static let outlineDepth = 6

    private func append(to text: inout String, _ limit: Int, depth: Int) {
        guard text.utf8.count <= limit else { return }
        switch self {
        case .null: text += "null"
        case .string(let string): text += "\"\(string.shortened(toByteCount: limit))\""
        case .array(let elements), .set(let elements):
            guard depth < Value.outlineDepth else { return text += "[…]" }
            text += "["
            for (place, element) in elements.enumerated() {
                guard text.utf8.count <= limit else { return }
                if place > 0 { text += ", " }
                element.append(to: &text, limit, depth: depth + 1)
            }
            text += "]"
        case .dictionary(let dictionary):
            guard depth < Value.outlineDepth else { return text += "{…}" }
            text += "{"
            for (place, (key, value)) in zip(dictionary.keys, dictionary.values).enumerated() {
                guard text.utf8.count <= limit else { return }
                text += "\(place > 0 ? ", " : "")\"\(key.shortened(toByteCount: limit))\": "
                value.append(to: &text, limit, depth: depth + 1)
            }
            text += "}"
        default: text += shown
        }
    }
}
