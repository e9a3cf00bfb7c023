/// The identity of a node in a view, which is stable from event to event.
package struct ViewKey: Hashable, Sendable {
    package var screen: Int
    /// Of the scene; parts that no author wrote have negative numbers.
    package var node: NodeID
    package var item: ItemKey?

    package init(screen: Int, node: NodeID, item: ItemKey? = nil) {
        self.screen = screen
        self.node = node
        self.item = item
    }

    package static let back = -1
    package static let searchCancel = -2
    package static let alertButton = -3
    package static let bar = -4
    package static let barTitle = -5
    package static let toolbar = -6
    package static let tabs = -7
    /// The tab at a place of the bar of tabs.
    package static func tab(_ place: Int) -> NodeID { firstTab - place }

    /// The place of the tab that a node is; `nil` for other nodes.
    package static func tabPlace(_ node: NodeID) -> Int? { node <= firstTab ? firstTab - node : nil }

    private static let firstTab = -20
}

/// The text of a key: `1.9@5r0.2@3v7` is node 9 of screen 1, for record 0 of list 5 in its second repetition, within
/// value 7 of list 3.
///
/// Two keys have two texts, and a key has one: zeros in front, a plus sign and a turn of zero are not written and not read.
extension ViewKey: LosslessStringConvertible {
    /// The items that lie in each other, in a text that is read. Views are no deeper.
    package static let itemCount = 200
    /// The bytes of a text that is read; no key with so many items has more.
    package static let textByteCount = 16 << 10

    package var description: String {
        var text = "\(screen).\(node)"
        var next = item
        while let item = next {
            text += "@\(item.list)\(item.isRecord ? "r" : "v")\(item.number)"
            // Headers and footers of sections have turns below zero.
            if item.turn != 0 { text += ".\(item.turn)" }
            next = item.outer?.key
        }
        return text
    }

    /// Reads the text of a key.
    ///
    /// - Returns: `nil` for a text that no key has.
    package init?(_ text: String) {
        guard text.utf8.count <= ViewKey.textByteCount else { return nil }
        var rest = text.utf8[...]
        guard let screen = ViewKey.number(&rest), ViewKey.take(".", &rest), let node = ViewKey.number(&rest) else {
            return nil
        }
        // The innermost item is written first, and made last.
        var items: [ItemKey] = []
        while !rest.isEmpty {
            guard items.count < ViewKey.itemCount, let item = ViewKey.item(&rest) else { return nil }
            items.append(item)
        }
        var item: ItemKey?
        for var next in items.reversed() {
            next.outer = item.map(OuterItem.init)
            item = next
        }
        self.init(screen: screen, node: node, item: item)
    }

    private static func item(_ rest: inout Substring.UTF8View) -> ItemKey? {
        guard take("@", &rest), let list = number(&rest) else { return nil }
        let isRecord = take("r", &rest)
        guard isRecord || take("v", &rest), let number = number(&rest) else { return nil }
        guard take(".", &rest) else { return ItemKey(list: list, number: number, isRecord: isRecord) }
        guard let turn = ViewKey.number(&rest), turn != 0 else { return nil }
        return ItemKey(list: list, number: number, isRecord: isRecord, turn: turn)
    }

    private static func take(_ sign: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number as it is printed.
    private static func number(_ rest: inout Substring.UTF8View) -> Int? {
        let isNegative = take("-", &rest)
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 && !isNegative else {
            return nil
        }
        var number = 0
        for digit in digits {
            let value = Int(digit) - Int(UInt8(ascii: "0"))
            // Downwards, because the smallest number has no opposite.
            let (product, isTooSmall) = number.multipliedReportingOverflow(by: 10)
            let (sum, isSmaller) = product.subtractingReportingOverflow(value)
            guard !isTooSmall, !isSmaller else { return nil }
            number = sum
        }
        rest = rest[digits.endIndex...]
        if isNegative { return number }
        return number == .min ? nil : -number
    }
}
