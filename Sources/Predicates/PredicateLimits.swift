/// What a text may not exceed, and what one evaluation may use. Reaching a limit is an error of its own.
package struct PredicateLimits: Equatable, Sendable {
    /// Bytes of a text.
    package var textByteCount: Int
    /// Parentheses, braces, brackets, `NOT` and signs around a place of the text.
    package var nesting: Int
    /// Parts within parts of what was read; a long sum is as deep as it has terms.
    package var depth: Int
    /// Parts of what was read, array arguments included.
    package var nodeCount: Int
    /// Steps of one evaluation: a part evaluated, an element visited, 16 bytes of text compared.
    package var fuel: Int
    /// Bytes of what one evaluation makes, roughly.
    package var memoryByteCount: Int

    /// No limit of depth may be set above this: trees are printed and evaluated on the stack.
    package static let deepest = 1_000

    package init(
        textByteCount: Int = 1 << 20, nesting: Int = 200, depth: Int = deepest, nodeCount: Int = 100_000,
        fuel: Int = 1_000_000, memoryByteCount: Int = 1 << 24
    ) {
        self.textByteCount = min(textByteCount, 1 << 24)
        self.nesting = min(nesting, 200)
        self.depth = min(depth, PredicateLimits.deepest)
        self.nodeCount = min(nodeCount, 1 << 24)
        self.fuel = fuel
        self.memoryByteCount = memoryByteCount
    }
}
