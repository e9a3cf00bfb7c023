import Testing
import WidgetPredicates

@testable import WidgetCore

/// Goal: a change of one row of a long list costs a piece of the list, and lists are compared as arrays are. Method: the
/// identity of pieces, and random lists beside arrays.
@Suite struct `The children of a node` {
    private static func node(_ number: Int) -> ViewNode { ViewNode(ViewKey(screen: 1, node: number), .label) }

    private static func pieces(_ list: NodeList) -> [NodeList.Piece] {
        if case .pieces(let pieces) = list.storage { pieces } else { [] }
    }

    @Test func `Another row in 10,000 copies one piece of the list`() {
        let nodes = (0..<10_000).map { Self.node($0) }
        let before = NodeList(nodes)
        var after = before
        after.replace(at: 5_000, with: Self.node(10_000))
        let copied = zip(Self.pieces(before), Self.pieces(after)).filter { $0 !== $1 }
        #expect(Self.pieces(before).count > 70 && copied.count == 1 && copied[0].1.nodes.count == NodeList.pieceCount)
        #expect(before.elementsEqual(nodes) { $0 === $1 })
        #expect(after[5_000].key.node == 10_000 && after.count == 10_000)
    }

    @Test(arguments: [0, 1, 5, 127, 128, 129, 256, 300])
    func `Lists are compared as arrays are`(count: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<60 {
            var (first, second) = ((0..<count).map { Self.node($0) }, [ViewNode]())
            second = first
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0...second.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: second.insert(Self.node(-1), at: place)
                case 1 where place < second.count: second[place] = Self.node(-2)
                case 2 where place < second.count: second.remove(at: place)
                default: first.append(Self.node(-3))
                }
            }
            var changed = NodeList(first)
            if first.count == second.count {
                for place in first.indices where first[place] !== second[place] {
                    changed.replace(at: place, with: second[place])
                }
            } else {
                changed = NodeList(second)
            }
            let list = NodeList(first)
            #expect(changed.elementsEqual(second) { $0 === $1 })
            let start = Int.random(in: 0...min(first.count, second.count), using: &random)
            let same = zip(first.dropFirst(start), second.dropFirst(start)).prefix { $0 === $1 }.count
            #expect(NodeList.sharedPrefix(of: list, and: changed, from: start) == start + same)
            let most = Int.random(in: 0...count, using: &random)
            let end = zip(first.reversed(), second.reversed()).prefix { $0 === $1 }.count
            #expect(NodeList.sharedSuffix(of: list, and: changed, atMost: most) == min(end, most))
        }
    }
}
