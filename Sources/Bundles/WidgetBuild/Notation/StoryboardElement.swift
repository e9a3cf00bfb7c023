internal import WidgetBytes

/// An element of a storyboard that is written.
struct StoryboardElement {
    var name: String
    var attributes: [(name: String, value: String)]
    var children: [StoryboardElement]
    /// A comment in the line above, as Xcode writes one above each scene.
    var comment: String?
    /// The line of the notation that it was made of; `nil` for that of the element around it.
    var position: TextPosition?

    init(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [StoryboardElement] = []
    ) {
        self.name = name
        self.attributes = attributes.map { ($0.key, $0.value) }
        self.children = children
    }

    subscript(_ attribute: String) -> String? {
        get { attributes.first { $0.name == attribute }?.value }
        set {
            let place = attributes.firstIndex { $0.name == attribute }
            switch (place, newValue) {
            case (let place?, let value?): attributes[place].value = value
            case (let place?, nil): attributes.remove(at: place)
            case (nil, let value?): attributes.append((attribute, value))
            case (nil, nil): break
            }
        }
    }

    /// Adds an element for a list, unless the list is empty.
    mutating func add(_ list: String, _ elements: [StoryboardElement]) {
        if !elements.isEmpty { children.append(StoryboardElement(list, [:], elements)) }
    }
}

/// A storyboard as text, and for each of its lines the place in the notation.
struct StoryboardText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private(set) var positions: [TextPosition] = [TextPosition(line: 1, column: 1)]

    init(_ root: StoryboardElement) {
        enum Step {
            case element(StoryboardElement, depth: Int, TextPosition)
            case end(String, depth: Int, TextPosition)
        }
        var pending: [Step] = [.element(root, depth: 0, TextPosition(line: 1, column: 1))]
        while let step = pending.popLast() {
            switch step {
            case .end(let name, let depth, let position): add("</\(name)>", depth, position)
            case .element(let element, let depth, let around):
                let position = element.position ?? around
                if let comment = element.comment { add("<!--\(comment)-->", depth, position) }
                let attributes = element.attributes.map { " \($0.name)=\"\(StoryboardText.escaped($0.value))\"" }
                let start = "<\(element.name)\(attributes.joined())"
                if element.children.isEmpty {
                    add("\(start)/>", depth, position)
                } else {
                    add("\(start)>", depth, position)
                    pending.append(.end(element.name, depth: depth, position))
                    pending += element.children.reversed().map { .element($0, depth: depth + 1, position) }
                }
            }
        }
    }

    private mutating func add(_ line: String, _ depth: Int, _ position: TextPosition) {
        text += String(repeating: " ", count: depth * 4) + line + "\n"
        positions.append(position)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns the place in the notation of a place in the storyboard.
    func origin(of position: TextPosition) -> TextPosition {
        positions.indices.contains(position.line - 1) ? positions[position.line - 1] : TextPosition(line: 1, column: 1)
    }
}

/// The ids of objects, in Xcode's form. Each follows from a key, so that it stays when other objects change.
struct StoryboardIDs {
    private var known: [String: String] = [:]
    private var used: Set<String> = []

    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    mutating func id(_ key: String) -> String {
        if let id = known[key] { return id }
        // FNV-1a
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var id = StoryboardIDs.text(hash)
        while !used.insert(id).inserted {
            hash = hash &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            id = StoryboardIDs.text(hash)
        }
        known[key] = id
        return id
    }

    private static func text(_ hash: UInt64) -> String {
        var rest = hash ^ hash >> 32
        var text = ""
        for place in 0..<8 {
            if place == 3 || place == 5 { text.append("-") }
            text.append(signs[Int(rest % UInt64(signs.count))])
            rest /= UInt64(signs.count)
        }
        return text
    }
}
