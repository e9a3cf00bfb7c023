package import JSONText
package import TestSupport

extension WireAnswer {
    /// The value at a path of names and positions such as `candidates.0.sha256`.
    package subscript(_ path: String) -> JSONValue? {
        guard var value = json else { return nil }
        for step in path.split(separator: ".") {
            guard let next = Int(step).map({ value.element($0) }) ?? value[String(step)] else { return nil }
            value = next
        }
        return value
    }

    package var json: JSONValue? { try? JSONValue(parsing: body) }

    package func text(_ path: String) -> String? { self[path]?.string }
    package func number(_ path: String) -> Int? { self[path]?.integer.map(Int.init) }
    package func flag(_ path: String) -> Bool? { self[path]?.boolean }

    /// The names of the members at a path, in their order.
    package func names(_ path: String = "") -> [String] {
        (path.isEmpty ? json : self[path])?.object?.members.map(\.name) ?? []
    }

    /// One member of each element of a list.
    package func texts(_ list: String, _ member: String) -> [String] {
        self[list]?.array?.compactMap { $0[member]?.string } ?? []
    }

    /// The half-open ranges of buckets of a resolve document's candidates.
    package var buckets: [[Int]] {
        self["candidates"]?.array?.map { $0["buckets"]?.array?.compactMap { $0.integer.map(Int.init) } ?? [] } ?? []
    }
}

extension JSONValue {
    package func element(_ index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}
