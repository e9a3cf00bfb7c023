/// A type that one JSON value can be turned into.
package protocol JSONDecodable {
    init(json: JSONCursor) throws(JSONError)
}

extension JSONValue: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) { self = json.value }
}

extension String: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let value = json.value.string else { throw json.wrongType(.string) }
        self = value
    }
}

extension Bool: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let value = json.value.boolean else { throw json.wrongType(.boolean) }
        self = value
    }
}

extension Int64: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let number = json.value.number else { throw json.wrongType(.integer) }
        guard let value = number.whole else { throw json.error(.numberNotRepresentable(number.text)) }
        self = value
    }
}

extension Int: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let value = try Int64(json: json)
        guard let narrow = Int(exactly: value) else { throw json.error(.numberNotRepresentable(String(value))) }
        self = narrow
    }
}

extension Double: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let number = json.value.number else { throw json.wrongType(.number) }
        guard let value = number.double else { throw json.error(.numberNotRepresentable(number.text)) }
        self = value
    }
}

extension Array: JSONDecodable where Element: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self = []
        for element in try json.elements() { append(try Element(json: element)) }
    }
}
