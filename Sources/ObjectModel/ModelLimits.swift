package import Plist

/// What a model may not exceed.
package struct ModelLimits: Equatable, Sendable {
    package var plist: PlistLimits
    /// Elements of collections met while reading. Objects can be referred to from many places, so the
    /// file's size is no bound.
    package var valueCount: Int
    /// Expressions and predicates inside each other, and bytes of one predicate's text.
    package var predicateDepth: Int
    package var predicateByteCount: Int
    /// Keys without a meaning that are noted, for people; further ones are not.
    package var unknownKeyCount: Int

    package init(
        plist: PlistLimits = PlistLimits(), valueCount: Int = 100_000, predicateDepth: Int = 48,
        predicateByteCount: Int = 64 << 10, unknownKeyCount: Int = 256
    ) {
        (self.plist, self.valueCount) = (plist, valueCount)
        (self.predicateDepth, self.predicateByteCount) = (min(predicateDepth, 128), predicateByteCount)
        self.unknownKeyCount = unknownKeyCount
    }
}
