internal import Bytes

/// What a document may not exceed. Each limit has a name, and reaching it is a refusal of its own.
package struct JSONLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole document.
        case byteCount
        /// Arrays and objects around a value.
        case depth
        /// Values of any kind, the root included.
        case valueCount
        /// Bytes of one number's text.
        case numberByteCount
        /// Combining marks in a row in a string or a name: see ``CombiningMarks``.
        case markCount
    }

    package var byteCount: Int
    package var depth: Int
    package var valueCount: Int
    package var numberByteCount: Int
    package var markCount: Int

    /// No depth may be set above this: values are freed from the outside in, on the stack.
    package static let deepest = 512

    /// No document may be larger: nodes count its bytes with so many bits.
    static let largestByteCount = 1 << JSONNode.extraBitCount - 1

    package init(
        byteCount: Int = 1 << 20, depth: Int = 64, valueCount: Int = 200_000, numberByteCount: Int = 1_024,
        markCount: Int = CombiningMarks.mostInARow
    ) {
        self.byteCount = min(byteCount, JSONLimits.largestByteCount)
        self.depth = min(depth, JSONLimits.deepest)
        self.valueCount = valueCount
        self.numberByteCount = numberByteCount
        self.markCount = markCount
    }
}

/// What may stand at the root of a document.
package enum JSONRoot: Sendable {
    case anyValue
    /// An object or an array, as bundles require.
    case container
}
