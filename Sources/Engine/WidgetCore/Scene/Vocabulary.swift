/// The words of one authored form: the names under which its expressions and descriptions know what the engine has.
package struct Vocabulary: Sendable {
    /// A property, under an authored name: many names may mean one.
    package struct Meaning: Hashable, Sendable {
        package var property: PropertyName
        /// True if the authored name means the opposite, as `enabled` does of disabled.
        package var isInverse: Bool

        package init(_ property: PropertyName, isInverse: Bool = false) {
            self.property = property
            self.isInverse = isInverse
        }
    }

    /// A fact about an element that expressions can read and bindings cannot set.
    package enum Fact: Hashable, Sendable {
        /// The element itself, under another name.
        case element
        /// A property, under a name that is not a target of bindings.
        case property(PropertyName)
        /// The properties whose names begin with the prefix, as one object.
        case attachments(prefix: String)
        /// The name that a form gives its value, and that value.
        case fieldName, fieldValue
        /// Of a form that takes a picture or a film: the element that holds it, and the answer to its upload.
        case mediaContainer, uploadAnswer
        /// True for a picture or a film, and true for a film.
        case hasMedia, hasFilm
    }

    package var keys: [String: Meaning]
    /// The authored name of a kind's main value.
    package var valueKey: String
    package var facts: [String: Fact]

    package init(keys: [String: Meaning] = [:], valueKey: String = "value", facts: [String: Fact] = [:]) {
        self.keys = keys
        self.valueKey = valueKey
        self.facts = facts
    }

    package func meaning(of key: String, for kind: NodeKind) -> Meaning {
        if key == valueKey { return Meaning(kind.row.value.property) }
        return keys[key] ?? Meaning(PropertyName(key))
    }
}

/// A fact about any record, besides its properties, that expressions can read.
package enum RecordFact: Hashable, Sendable {
    /// Its identity, or its number where it has none.
    case identity
    case entityName
    /// The record that owns it.
    case owner
    /// True if its owner's entity represents the user.
    case isOwn
}

/// Something that only the host of a widget can do.
package enum HostCall: Hashable, Sendable {
    /// Let the user choose a picture or a film; ``Event/pick(_:_:)`` is the answer.
    case pickMedia
    /// A message to an object of the host.
    case message(target: String, selector: String)
    /// Bring one end of a list into sight: its last row, or its first one.
    case scroll(list: String, toEnd: Bool)

    /// The line of the log.
    var summary: String {
        switch self {
        case .pickMedia: "the host lets a picture or a film be picked"
        case .message(let target, let selector): "\(target) \(selector)"
        case .scroll(let list, let toEnd): "\(list) scrolls to its \(toEnd ? "end" : "top")"
        }
    }
}
