/// The tags of an If-Match or If-None-Match field, kept for when the representation they are compared with is
/// known only later (RFC 9110 §13.1).
package struct EntityTagList: Sendable {
    private let bytes: [UInt8]

    package init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// Whether the list, or `*`, holds the strong tag of what there is; nothing is held when there is nothing.
    package func holds(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return EntityTag.list(bytes.span, 0..<bytes.count, holds: Array(tag.utf8), .strong)
    }
}
