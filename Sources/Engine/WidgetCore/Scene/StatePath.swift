/// The place of a value within the states of a scene: a state, a member of a record, or an item of a list.
package struct StatePath: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case member(String)
        /// The item in which an event happens, of the list at the path so far. The node repeats its children for that list.
        case item(NodeID)
    }

    package let state: String
    /// The way from the state to the value; empty for the state itself.
    package private(set) var parts: [Part] = []

    package init(_ state: String) {
        self.state = state
    }

    package func appending(_ part: Part) -> StatePath {
        var path = self
        path.parts.append(part)
        return path
    }

    /// The same path in a scene whose nodes have other places.
    func moved(_ place: (NodeID) -> NodeID) -> StatePath {
        var path = self
        path.parts = parts.map { part in
            if case .item(let list) = part { .item(place(list)) } else { part }
        }
        return path
    }

    /// The path to one of the parts on the way.
    package func prefix(_ count: Int) -> StatePath {
        var path = self
        path.parts = Array(parts.prefix(count))
        return path
    }
}

extension StatePath: CustomStringConvertible {
    package var description: String {
        parts.reduce(into: state) { text, part in
            switch part {
            case .member(let key): text += ".\(key)"
            case .item: text += "[]"
            }
        }
    }
}
