/// What a document may not exceed. Each limit has a name, and reaching it is a refusal of its own.
package struct XMLLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole document.
        case byteCount
        /// Elements around an element, itself included.
        case depth
        case elementCount
        /// Attributes of one element.
        case attributeCount
    }

    package var byteCount: Int
    package var depth: Int
    package var elementCount: Int
    package var attributeCount: Int

    package init(
        byteCount: Int = 8 << 20, depth: Int = 256, elementCount: Int = 200_000, attributeCount: Int = 128
    ) {
        (self.byteCount, self.depth) = (byteCount, depth)
        (self.elementCount, self.attributeCount) = (elementCount, attributeCount)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .depth: depth
        case .elementCount: elementCount
        case .attributeCount: attributeCount
        }
    }
}
