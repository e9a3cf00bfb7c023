/// One value of a document, or the name of a member, in eight bytes.
///
/// The nodes of a document stand in a row in its order: a container before what is in it, a name before its
/// value. Scalars know how many bytes they were written with, containers which node comes after their last.
struct JSONNode: Equatable, Sendable {
    enum Kind: UInt32, Sendable {
        case null, `false`, `true`, number, string, escapedString, array, object
    }

    /// More than the extra number can say is never in a document: see ``JSONLimits/largestByteCount``.
    static let extraBitCount: UInt32 = 29

    private let offsetBits: UInt32
    private let kindAndExtra: UInt32

    init(_ kind: Kind, at offset: Int, _ extra: Int) {
        offsetBits = UInt32(truncatingIfNeeded: offset)
        kindAndExtra =
            kind.rawValue << JSONNode.extraBitCount
            | UInt32(truncatingIfNeeded: extra) & (1 << JSONNode.extraBitCount - 1)
    }

    var kind: Kind { Kind(rawValue: kindAndExtra >> JSONNode.extraBitCount) ?? .null }

    var offset: Int { Int(offsetBits) }

    private var extra: Int { Int(kindAndExtra & (1 << JSONNode.extraBitCount - 1)) }

    var isContainer: Bool { kindAndExtra >> JSONNode.extraBitCount >= Kind.array.rawValue }

    /// Bytes of a scalar, with a string's quotes.
    var byteCount: Int { isContainer ? 1 : extra }

    /// What a scalar was written with; of a container its opening bracket.
    var span: JSONSpan { JSONSpan(from: offset, to: offset &+ byteCount) }

    /// The index of the node after this one and everything in it.
    func next(_ index: Int) -> Int { isContainer ? extra : index &+ 1 }
}
