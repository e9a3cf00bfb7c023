package import Predicates

/// Something that can be asked for by name, and is done if its condition holds.
package struct Action: Sendable {
    package enum Handler: Sendable {
        /// What the widget's service does under that name.
        case service
        case steps([Step])
        /// The host does it.
        case native(HostCall)
    }

    package var id: String
    package var name: String?
    /// Instead, when the condition does not hold.
    package var otherName: String?
    package var condition: CompiledPredicate?
    package var delay = 0.0
    package var service: String?
    /// By the name that is to be done; the service does the others.
    package var handlers: [String: Handler] = [:]
    package var form: NodeID?
    /// What is handed over when there is no form.
    package var argument: Expression?
    package var sender: NodeID?
    package var place: Place?

    package init(_ id: String, name: String? = nil, place: Place? = nil) {
        self.id = id
        self.name = name
        self.place = place
    }
}

/// How far the actions of one name are.
package struct Status: Sendable {
    package var id: String
    package var actionName: String
    /// Whose actions are meant; everyone's without one.
    package var sender: NodeID?
    package var errorTitle: String?
    /// Without one, failures are not shown.
    package var errorMessage: String?
    package var place: Place?

    package init(_ id: String, actionName: String, place: Place? = nil) {
        self.id = id
        self.actionName = actionName
        self.place = place
    }
}
