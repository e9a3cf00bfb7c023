internal import Bytes

/// What a property list may not exceed. Each limit has a name, and reaching it is a refusal of its own.
package struct PlistLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole file.
        case byteCount
        /// Arrays and dictionaries around a value.
        case depth
        /// Objects the file declares; keys are objects.
        case objectCount
        /// Values met when walking the whole tree. The binary form can refer to one object from many
        /// places, so a small file can hold a tree too large to walk.
        case visitCount
        /// Bytes of strings and data met when walking the whole tree.
        case expandedByteCount
        /// Combining marks in a row in a string or a key: see ``CombiningMarks``.
        case markCount
    }

    package var byteCount: Int
    package var depth: Int
    package var objectCount: Int
    package var visitCount: Int
    package var expandedByteCount: Int

    /// No depth may be set above this: values are freed from the outside in, on the stack.
    package static let deepest = 512

    package init(
        byteCount: Int = 1 << 20, depth: Int = 64, objectCount: Int = 100_000, visitCount: Int = 400_000,
        expandedByteCount: Int = 16 << 20
    ) {
        // Sums of two counts within their limits never overflow.
        let largest = 1 << 40
        self.byteCount = min(byteCount, largest)
        self.depth = min(depth, PlistLimits.deepest)
        self.objectCount = min(objectCount, largest)
        self.visitCount = min(visitCount, largest)
        self.expandedByteCount = min(expandedByteCount, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .depth: depth
        case .objectCount: objectCount
        case .visitCount: visitCount
        case .expandedByteCount: expandedByteCount
        case .markCount: CombiningMarks.mostInARow
        }
    }
}
