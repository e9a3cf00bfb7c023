/// An element of a page, as a strict reader of our own pages sees it.
package final class PageNode {
    package let name: String
    package let attributes: [String: String]
    package fileprivate(set) var children: [PageNode] = []
    /// Of a text, whose name is empty.
    package let text: String
    private(set) weak var parent: PageNode?

    init(_ name: String, _ attributes: [String: String] = [:], text: String = "", in parent: PageNode?) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.parent = parent
    }

    package subscript(_ attribute: String) -> String? { attributes[attribute] }

    package var classes: Set<String> { Set((self["class"] ?? "").split(separator: " ").map(String.init)) }

    /// The node and all below it, each before its content.
    package var all: [PageNode] { [self] + children.flatMap(\.all) }

    package var allText: String { name.isEmpty ? text : children.map(\.allText).joined() }

    package func first(_ name: String) -> PageNode? { all.first { $0.name == name } }

    package func has(_ kind: String) -> PageNode? { all.first { $0.classes.contains(kind) } }

    package var ancestors: [PageNode] { parent.map { [$0] + $0.ancestors } ?? [] }
}

package struct PageFault: Error, CustomStringConvertible {
    package let description: String
}

/// Reads a page, and refuses what HTML lets pass: unquoted attributes, open elements, other references.
package struct PageReader {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    private static let void: Set<String> = ["meta", "link", "br", "input", "img", "source", "path", "circle"]

    package static func page(_ bytes: [UInt8]) throws(PageFault) -> PageNode {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw PageFault(description: "not UTF-8") }
        var reader = PageReader(Array(text.unicodeScalars))
        return try reader.read()
    }

    private init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private func fault(_ sentence: String) -> PageFault {
        let around = String(String.UnicodeScalarView(scalars[max(0, place - 60)..<min(scalars.count, place + 40)]))
        return PageFault(description: "\(sentence) at \(place): \(around)")
    }

    private mutating func read() throws(PageFault) -> PageNode {
        let root = PageNode("#root", in: nil)
        var open = [root]
        if starts("<!DOCTYPE html>") { place += 15 }
        while place < scalars.count {
            guard let inner = open.last else { throw fault("nothing is open") }
            if starts("</") {
                place += 2
                let name = word()
                guard name == inner.name, starts(">") else { throw fault("\(name) closes \(inner.name)") }
                place += 1
                open.removeLast()
            } else if starts("<") {
                place += 1
                let element = try start(in: inner)
                inner.children.append(element)
                if !Self.void.contains(element.name) { open.append(element) }
                // A line end right behind this start tag is not part of the text.
                if element.name == "textarea", starts("\n") { place += 1 }
            } else {
                inner.children.append(PageNode("", text: try text(until: "<"), in: inner))
            }
        }
        guard open.count == 1 else { throw fault("\(open.last?.name ?? "") is open") }
        return root
    }

    private func starts(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

    private mutating func word() -> String {
        var word = ""
        while place < scalars.count, !" =>/".unicodeScalars.contains(scalars[place]) {
            word.unicodeScalars.append(scalars[place])
            place += 1
        }
        return word
    }

    private mutating func start(in parent: PageNode) throws(PageFault) -> PageNode {
        let name = word()
        var attributes: [String: String] = [:]
        while starts(" ") {
            place += 1
            let attribute = word()
            guard !attribute.isEmpty, attributes[attribute] == nil else { throw fault("\(attribute) twice") }
            guard starts("=") else {
                attributes[attribute] = ""
                continue
            }
            place += 1
            guard starts("\"") else { throw fault("\(attribute) has no quotes") }
            place += 1
            attributes[attribute] = try text(until: "\"")
            place += 1
        }
        if starts("/>"), Self.void.contains(name) { place += 1 }
        guard starts(">") else { throw fault("\(name) does not end") }
        place += 1
        return PageNode(name, attributes, in: parent)
    }

    private static let references = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]

    private mutating func text(until end: Unicode.Scalar) throws(PageFault) -> String {
        var text = ""
        while place < scalars.count, scalars[place] != end {
            let scalar = scalars[place]
            switch scalar.value {
            case 0x26:
                guard let found = Self.references.first(where: { starts($0.key) }) else { throw fault("a bare &") }
                text += found.value
                place += found.key.unicodeScalars.count
                continue
            case 0x3C, 0x3E, 0x22, 0x27: throw fault("an unescaped \(scalar)")
            case 0x09, 0x0A: break
            case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF, 0x202A...0x202E, 0x2066...0x2069:
                throw fault("U+\(String(scalar.value, radix: 16))")
            default: if scalar.value & 0xFFFE == 0xFFFE { throw fault("U+\(String(scalar.value, radix: 16))") }
            }
            text.unicodeScalars.append(scalar)
            place += 1
        }
        return text
    }
}

/// The rules of HTML on what lies in what, and our own on identities, names and styles.
package enum PageRules {
    private static let interactive: Set<String> = ["a", "button", "input", "select", "textarea", "label"]
    private static let phrasing: Set<String> = [
        "", "a", "button", "input", "select", "textarea", "label", "span", "img", "br", "svg", "path", "circle",
        "output", "progress", "picture", "source",
    ]
    private static let ofPhrasing: Set<String> = ["p", "h1", "h2", "h3", "span", "button", "label", "output", "a"]

    package static func faults(_ page: PageNode) -> [String] {
        var faults: [String] = []
        let all = page.all
        let ids = all.compactMap { $0["id"] }
        if Set(ids).count != ids.count { faults.append("an id occurs twice") }
        for node in all {
            let parent = node.ancestors.first?.name ?? ""
            if node["style"] != nil || node.attributes.keys.contains(where: { $0.hasPrefix("on") }) {
                faults.append("\(node.name) has a style or a handler")
            }
            if ["script", "style", "iframe", "object"].contains(node.name) { faults.append("a \(node.name)") }
            if ofPhrasing.contains(parent), !phrasing.contains(node.name) { faults.append("\(node.name) in \(parent)") }
            if parent == "ul", node.name != "li" { faults.append("\(node.name) in ul") }
            if node.name == "li", parent != "ul" { faults.append("li in \(parent)") }
            if interactive.contains(node.name),
                let outer = node.ancestors.first(where: { interactive.contains($0.name) }),
                !(outer.name == "label" && node.name == "input")
            {
                faults.append("\(node.name) in \(outer.name)")
            }
            if node.name == "form", node.ancestors.contains(where: { $0.name == "form" }) { faults.append("two forms") }
            if node.name == "img", node["alt"] == nil { faults.append("an img without alt") }
            for list in ["aria-labelledby", "aria-describedby"] {
                for id in (node[list] ?? "").split(separator: " ") where !ids.contains(String(id)) {
                    faults.append("\(list) leads to \(id)")
                }
            }
            if interactive.contains(node.name), node["aria-hidden"] == nil, node["type"] != "hidden",
                name(of: node).isEmpty
            {
                faults.append("\(node.name) \(node["id"] ?? "") has no name")
            }
        }
        if all.filter({ $0["autofocus"] != nil }).count > 1 { faults.append("two have the focus") }
        return faults
    }

    /// The accessible name, by those rules that our pages need.
    private static func name(of node: PageNode) -> String {
        if node["aria-labelledby"] != nil { return "by another" }
        if let label = node["aria-label"] { return label }
        let label = node.ancestors.first { $0.name == "label" }
        return (label ?? node).all.map { $0["alt"] ?? $0["aria-label"] ?? $0.text }.joined()
    }
}
