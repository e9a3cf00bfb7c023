internal import WidgetMarkup

/// Printed markup as a tree that is edited while operations are made, so that their addresses fit the page at that moment.
struct PageTree {
    struct Part {
        enum Kind: Equatable {
            case element(HTMLElement)
            case text
            /// Markup that is not looked into, of one element or of any number.
            case markup(isElement: Bool)
            /// An element that both pages have, and that is not printed.
            case hole(depth: Int)
            /// An element that an operation has inserted.
            case inserted
        }

        let kind: Kind
        /// The node's identity, of the outermost element of a node.
        let name: String?
        let tag: Range<Int>
        /// With all that it holds.
        var range: Range<Int>
        var parent: Int?
        var children: [Int] = []
        var hasHoles = false
    }

    let bytes: [UInt8]
    private(set) var parts: [Part] = []
    /// The children that edits have looked through.
    private(set) var editedCount = 0

    /// - Returns: `nil` for markup that is not one element.
    init?(_ html: HTMLWriter) {
        bytes = html.bytes
        parts.reserveCapacity(html.parts.count)
        var open: [Int] = []
        for part in html.parts {
            switch part.kind {
            case .end:
                guard let last = open.popLast() else { return nil }
                parts[last].range = parts[last].range.lowerBound..<part.range.upperBound
                if parts[last].hasHoles, let outer = open.last { parts[outer].hasHoles = true }
            case .start(let element):
                add(.element(element), part, in: open.last)
                if !element.isVoid { open.append(parts.count - 1) }
            case .text: add(.text, part, in: open.last)
            case .markup(let isElement): add(.markup(isElement: isElement), part, in: open.last)
            case .hole(let depth):
                add(.hole(depth: depth), part, in: open.last)
                if let outer = open.last { parts[outer].hasHoles = true }
            }
        }
        guard open.isEmpty, let first = parts.first, case .element = first.kind else { return nil }
    }

    private mutating func add(_ kind: Part.Kind, _ part: HTMLPart, in parent: Int?) {
        if let parent { parts[parent].children.append(parts.count) }
        parts.append(Part(kind: kind, name: part.name, tag: part.range, range: part.range, parent: parent))
    }

    subscript(_ part: Int) -> Part { parts[part] }

    func html(_ part: Int) -> [UInt8] { Array(bytes[parts[part].range]) }

    func isElement(_ part: Int) -> Bool {
        switch parts[part].kind {
        case .text: false
        case .markup(let isElement): isElement
        case .element, .hole, .inserted: true
        }
    }

    // MARK: - Start tags

    /// The attributes of an element, in their order.
    func attributes(_ part: Int) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        let tag = bytes[parts[part].tag]
        guard var place = tag.firstIndex(of: 0x20) else { return [] }
        while place < tag.endIndex, tag[place] == 0x20 {
            let end = tag[(place + 1)...].firstIndex { $0 == 0x3D || $0 == 0x20 || $0 == 0x3E } ?? tag.endIndex
            let name = String(decoding: tag[(place + 1)..<end], as: UTF8.self)
            guard end < tag.endIndex, tag[end] == 0x3D, end + 2 <= tag.endIndex else {
                found.append((name, ""))
                place = end
                continue
            }
            let close = tag[(end + 2)...].firstIndex(of: 0x22) ?? tag.endIndex
            found.append((name, PageTree.plain(tag[(end + 2)..<close])))
            place = min(close + 1, tag.endIndex)
        }
        return found
    }

    /// A quotation mark in a value is escaped, so that no value looks like an attribute.
    func attribute(_ name: StaticString, of part: Int) -> String? {
        guard case .element = parts[part].kind else { return nil }
        let tag = bytes[parts[part].tag]
        let wanted = Array(" \(name)=\"".utf8)
        var place = tag.startIndex
        while place + wanted.count < tag.endIndex {
            if tag[place] == 0x20, tag[place..<place + wanted.count].elementsEqual(wanted) {
                let start = place + wanted.count
                return PageTree.plain(tag[start..<(tag[start...].firstIndex(of: 0x22) ?? tag.endIndex)])
            }
            place += 1
        }
        return nil
    }

    /// The text of an element that holds nothing but text; `nil` for others.
    func text(_ part: Int) -> String? {
        var text = ""
        for child in parts[part].children {
            guard parts[child].kind == .text else { return nil }
            text += PageTree.plain(bytes[parts[child].range])
        }
        // Behind the start tag of this element the first line end does not count.
        if parts[part].kind == .element(.textarea), text.hasPrefix("\n") { text.removeFirst() }
        return text
    }

    private static let escapes: [([UInt8], UInt8)] = [
        (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3C), (Array("&gt;".utf8), 0x3E),
        (Array("&quot;".utf8), 0x22), (Array("&#39;".utf8), 0x27),
    ]

    private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == 0x26, let found = escapes.first(where: { bytes[place...].starts(with: $0.0) }) {
                plain.append(found.1)
                place += found.0.count
            } else {
                plain.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    // MARK: - Addresses

    /// The address of an element in the tree as it is now.
    func address(_ part: Int) -> String {
        var (steps, place) = ("", part)
        while true {
            if let id = anchor(place) { return id + steps }
            guard let parent = parts[place].parent else { return steps }
            steps = "/\(position(place, in: parent))" + steps
            place = parent
        }
    }

    private func position(_ part: Int, in parent: Int) -> Int {
        var position = 0
        for child in parts[parent].children {
            if child == part { break }
            if isElement(child) { position += 1 }
        }
        return position
    }

    /// The address by the identity of the element or of its node.
    private func anchor(_ part: Int) -> String? {
        switch parts[part].kind {
        case .hole(let depth): return parts[part].name.map { $0 + String(repeating: "^", count: depth) }
        case .element:
            if let id = attribute("id", of: part) { return id }
            guard let name = parts[part].name, let depth = depth(of: name, in: part, within: 3) else { return nil }
            return name + String(repeating: "^", count: depth)
        case .text, .markup, .inserted: return nil
        }
    }

    /// The number of elements around the one with an identity.
    private func depth(of id: String, in part: Int, within limit: Int) -> Int? {
        for child in parts[part].children where limit > 0 {
            if attribute("id", of: child) == id { return 1 }
            if parts[child].name == nil || parts[child].name == id,
                let depth = depth(of: id, in: child, within: limit - 1)
            {
                return depth + 1
            }
        }
        return nil
    }

    // MARK: - Editing

    mutating func remove(_ part: Int) {
        guard let parent = parts[part].parent else { return }
        editedCount += parts[parent].children.count
        parts[parent].children.removeAll { $0 == part }
        parts[part].parent = nil
    }

    /// Forgets what an element was, whose place another one has taken. Its identity can lead to another depth there.
    mutating func replace(_ part: Int) {
        parts[part] = Part(kind: .inserted, name: nil, tag: 0..<0, range: 0..<0, parent: parts[part].parent)
    }

    /// Inserts a new element, or moves one of the tree.
    ///
    /// - Parameter part: `nil` for a new one.
    /// - Returns: the element's number.
    @discardableResult mutating func place(_ part: Int?, in parent: Int, before next: Int?) -> Int {
        if let part { remove(part) }
        let own = part ?? parts.count
        if part == nil { parts.append(Part(kind: .inserted, name: nil, tag: 0..<0, range: 0..<0, parent: parent)) }
        parts[own].parent = parent
        editedCount += parts[parent].children.count
        let place = next.flatMap { parts[parent].children.firstIndex(of: $0) } ?? parts[parent].children.count
        parts[parent].children.insert(own, at: place)
        return own
    }
}
