internal import WidgetBytes

/// The children of a node. A long list lies in pieces that lists share: one with another row copies the piece of that row,
/// and two lists are compared piece by piece.
package struct NodeList: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
    /// Boxed, so that passing a piece on counts one reference and not those of its nodes.
    final class Piece: Sendable {
        let nodes: [ViewNode]

        init(_ nodes: [ViewNode]) { self.nodes = nodes }
    }

    enum Storage {
        case few([ViewNode])
        /// All but the last have `pieceCount` nodes.
        case pieces([Piece])
    }

    private(set) var storage: Storage
    package let count: Int

    /// The nodes of a piece. Its square root of a long list would copy least; this one suits lists of some thousands.
    static let pieceCount = 128

    package init(_ nodes: [ViewNode]) {
        count = nodes.count
        guard nodes.count > NodeList.pieceCount else {
            storage = .few(nodes)
            return
        }
        var pieces: [Piece] = []
        pieces.reserveCapacity(nodes.count / NodeList.pieceCount + 1)
        for start in stride(from: 0, to: nodes.count, by: NodeList.pieceCount) {
            pieces.append(Piece(Array(nodes[start..<Swift.min(start + NodeList.pieceCount, nodes.count)])))
        }
        storage = .pieces(pieces)
    }

    package init(arrayLiteral nodes: ViewNode...) { self.init(nodes) }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(place: Int) -> ViewNode {
        switch storage {
        case .few(let nodes): nodes[place]
        case .pieces(let pieces): pieces[place / NodeList.pieceCount].nodes[place % NodeList.pieceCount]
        }
    }

    /// Puts another node into the place of one.
    mutating func replace(at place: Int, with node: ViewNode) {
        switch storage {
        case .few(var nodes):
            storage = .few([])
            nodes[place] = node
            storage = .few(nodes)
        case .pieces(var pieces):
            storage = .few([])
            var nodes = pieces[place / NodeList.pieceCount].nodes
            nodes[place % NodeList.pieceCount] = node
            pieces[place / NodeList.pieceCount] = Piece(nodes)
            storage = .pieces(pieces)
        }
    }

    // MARK: - Comparing

    /// The number of nodes at the beginning that both lists share.
    ///
    /// - Parameter start: nodes before it count without a look.
    package static func sharedPrefix(of first: NodeList, and second: NodeList, from start: Int = 0) -> Int {
        switch (first.storage, second.storage) {
        case (.few(let one), .few(let other)): return SameBits.prefixCount(of: one, and: other, from: start)
        case (.pieces(let one), .pieces(let other)):
            var place = start
            while true {
                let (piece, offset) = (place / pieceCount, place % pieceCount)
                guard piece < one.count, piece < other.count else { break }
                let (nodes, others) = (one[piece].nodes, other[piece].nodes)
                let end = Swift.min(nodes.count, others.count)
                guard offset < end else { break }
                let same =
                    one[piece] === other[piece] ? end : SameBits.prefixCount(of: nodes, and: others, from: offset)
                place = piece * pieceCount + same
                if same < pieceCount { break }
            }
            return Swift.max(place, start)
        default:
            var place = start
            while place < first.count, place < second.count, first[place] === second[place] { place += 1 }
            return place
        }
    }

    /// The number of nodes at the end that both lists share.
    ///
    /// - Parameter most: the number of nodes that may count.
    package static func sharedSuffix(of first: NodeList, and second: NodeList, atMost most: Int) -> Int {
        let most = Swift.min(most, first.count, second.count)
        guard most > 0 else { return 0 }
        switch (first.storage, second.storage) {
        case (.few(let one), .few(let other)): return SameBits.suffixCount(of: one, and: other, atMost: most)
        case (.pieces(let one), .pieces(let other)) where first.count == second.count:
            var count = 0
            var piece = one.count - 1
            while count < most {
                let nodes = one[piece].nodes
                let same =
                    one[piece] === other[piece]
                    ? nodes.count : SameBits.suffixCount(of: nodes, and: other[piece].nodes, atMost: nodes.count)
                count += same
                if same < nodes.count { break }
                piece -= 1
            }
            return Swift.min(count, most)
        default:
            var count = 0
            while count < most, first[first.count - 1 - count] === second[second.count - 1 - count] { count += 1 }
            return count
        }
    }
}

/// The children of a node while it is evaluated. Rows alone keep their storage, by which the next comparison knows them.
struct GrowingNodes {
    private var rows: NodeList = []
    private var nodes: [ViewNode] = []

    var list: NodeList { nodes.isEmpty ? rows : NodeList(nodes) }

    private mutating func open() {
        nodes += rows
        rows = []
    }

    mutating func append(_ node: ViewNode) {
        open()
        nodes.append(node)
    }

    mutating func append(_ more: NodeList) {
        if rows.isEmpty, nodes.isEmpty {
            rows = more
        } else {
            open()
            nodes += more
        }
    }

    /// Puts rows between the headers above them and the footers below.
    mutating func place(_ more: NodeList) {
        guard !rows.isEmpty || !nodes.isEmpty else { return rows = more }
        open()
        nodes = nodes.filter { $0.kind != .sectionFooter } + more + nodes.filter { $0.kind == .sectionFooter }
    }
}
