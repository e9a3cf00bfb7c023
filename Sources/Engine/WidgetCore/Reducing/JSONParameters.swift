internal import JSONText
internal import WidgetPredicates

/// Parameters as JSON, in which lists and objects are what they are.
struct JSONParameters {
    /// The JSON; empty after a fault, because a part of it would be another value.
    let bytes: [UInt8]
    /// The reason why the values cannot be written.
    let fault: String?

    init(_ value: Value, _ budget: Budget) {
        var (writer, fault) = (JSONWriter(), String?.none)
        JSONParameters.write(value, to: &writer, budget, depth: 0, &fault)
        if fault == nil, writer.bytes.count > budget.requestByteCount { fault = JSONParameters.tooLong(budget) }
        self.fault = fault
        bytes = fault == nil ? writer.bytes : []
    }

    private static func tooLong(_ budget: Budget) -> String {
        "the parameters have more than \(budget.requestByteCount) bytes"
    }

    /// Recursive, by the depth of the value. It ends at the limit of a body, because a value may have the same part very
    /// many times.
    private static func write(
        _ value: Value, to writer: inout JSONWriter, _ budget: Budget, depth: Int, _ fault: inout String?
    ) {
        guard fault == nil else { return }
        guard writer.bytes.count <= budget.requestByteCount else {
            fault = tooLong(budget)
            return
        }
        guard depth < budget.parameterDepth else {
            fault = "the parameters lie more than \(budget.parameterDepth) deep in each other"
            return
        }
        switch value {
        case .null: writer.null()
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.number(number)
        case .double, .decimal: write(value.number ?? .nan, to: &writer)
        case .string(let text): writer.string(text)
        case .date: writer.string(moment(value.shown))
        case .data: fault = #"a picture or a file cannot be a part of JSON; "isUpload" and "multipart" send it"#
        case .object: fault = "a record cannot be a part of JSON; pass the members that are to be sent"
        case .array(let elements), .set(let elements):
            writer.array { writer in
                for element in elements { write(element, to: &writer, budget, depth: depth + 1, &fault) }
            }
        case .dictionary(let dictionary):
            writer.object { writer in
                for (name, member) in zip(dictionary.keys, dictionary.values) where fault == nil {
                    writer.key(name)
                    write(member, to: &writer, budget, depth: depth + 1, &fault)
                }
            }
        }
    }

    /// A whole number is written without a point.
    private static func write(_ number: Double, to writer: inout JSONWriter) {
        if number.magnitude <= 0x1p53, let whole = Int64(exactly: number) {
            writer.number(whole)
        } else {
            writer.number(number)
        }
    }

    /// A moment as RFC 3339 has it, from its text such as `2026-02-28 09:30:00 +0000`.
    private static func moment(_ text: String) -> String {
        let parts = text.split(separator: " ")
        return parts.count == 3 && parts[2] == "+0000" ? "\(parts[0])T\(parts[1])Z" : text
    }
}
