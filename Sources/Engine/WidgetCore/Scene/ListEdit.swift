/// A change of a list that is a state, or a part of one.
package struct ListEdit: Sendable {
    package enum Operation: Sendable {
        case append
        case remove
        case update
    }

    package var state: StatePath
    package var operation: Operation
    /// The new item; of an update, also the members that an item gets.
    package var value: Expression?
    /// True if the members of the value are added to those of the item.
    package var merges = false
    /// The member by which items are found; `nil` for the items themselves.
    package var key: [String] = []
    /// The value that the found items have.
    package var match: Expression?
    /// The place of the item instead.
    package var place: Expression?
    package var origin: Place?

    package init(_ operation: Operation, state: StatePath) {
        self.operation = operation
        self.state = state
    }
}
