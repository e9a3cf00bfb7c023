import PageReading
import WidgetRender

/// An operation that does not fit the page.
struct ModelFault: Error {
    let description: String
}

/// A page as a browser has it: elements that operations change, as a script would.
final class PageModel {
    final class Element {
        let name: String
        var attributes: [String: String]
        var children: [Element] = []
        var text: String
        weak var parent: Element?

        init(_ node: PageNode) {
            (name, attributes, text) = (node.name, node.attributes, node.text)
            for child in node.children {
                let element = Element(child)
                element.parent = self
                children.append(element)
            }
        }

        init(text: String) { (name, attributes, self.text) = ("", [:], text) }

        var elements: [Element] { children.filter { !$0.name.isEmpty } }
        var all: [Element] { [self] + children.flatMap(\.all) }

        /// The lines by which pages are compared. The number of the view and the focus belong to the moment.
        var lines: [String] {
            if name.isEmpty { return ["'\(text)'"] }
            var seen = attributes
            seen["autofocus"] = nil
            if seen["name"] == "n" { seen["value"] = nil }
            let own = seen.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ["\(name) \(own.joined(separator: " "))"] + children.flatMap(\.lines).map { " " + $0 }
        }

        func put(_ new: [Element], before next: Element?) {
            for element in new {
                element.parent?.children.removeAll { $0 === element }
                element.parent = self
            }
            let place = next.flatMap { next in children.firstIndex { $0 === next } } ?? children.count
            children.insert(contentsOf: new, at: place)
        }

        func leave() {
            parent?.children.removeAll { $0 === self }
            parent = nil
        }
    }

    private(set) var root: Element
    private(set) var title: String
    private(set) var rules: [String: String]

    init(_ page: PrintedPage) throws {
        let read = Element(try PageReader.page(page.html))
        root = read
        title = read.all.first { $0.name == "title" }?.children.first?.text ?? ""
        rules = page.rules
    }

    var main: Element? { root.all.first { $0.name == "main" } }

    private func read(_ html: [UInt8]) throws -> [Element] { Element(try PageReader.page(html)).children }

    private func find(_ address: String) throws -> Element {
        var id = ""
        var steps: [Substring] = []
        let end = address.firstIndex { $0 == "/" || $0 == "^" } ?? address.endIndex
        id = String(address[..<end])
        var rest = address[end...]
        while let first = rest.first {
            let stop = rest.dropFirst().firstIndex { $0 == "/" || $0 == "^" } ?? rest.endIndex
            steps.append(first == "^" ? "^" : rest[rest.index(after: rest.startIndex)..<stop])
            rest = rest[stop...]
        }
        let found = root.all.filter { $0.attributes["id"] == id }
        guard found.count == 1, var element = found.first else {
            throw ModelFault(description: "\(address): \(found.count) elements")
        }
        for step in steps {
            if step == "^" {
                guard let parent = element.parent else { throw ModelFault(description: "\(address) leads out") }
                element = parent
            } else {
                guard let place = Int(step), element.elements.indices.contains(place) else {
                    throw ModelFault(description: "\(address) leads nowhere")
                }
                element = element.elements[place]
            }
        }
        return element
    }

    func apply(_ operations: [PageOperation]) throws {
        for operation in operations { try apply(operation) }
    }

    private func apply(_ operation: PageOperation) throws {
        switch operation {
        case .set(let address, let properties):
            let element = try find(address)
            for property in properties { set(property, of: element) }
        case .replace(let address, let html):
            let element = try find(address)
            element.parent?.put(try read(html), before: element)
            element.leave()
        case .insert(let parent, let next, let html):
            try find(parent).put(try read(html), before: try next.map { try find($0) })
        case .move(let address, let parent, let next):
            try find(parent).put([try find(address)], before: try next.map { try find($0) })
        case .remove(let address): try find(address).leave()
        case .rules(let changes):
            for (name, rule) in changes { rules[name] = rule }
        case .whole(let html, let title):
            let old = main
            old?.parent?.put(try read(html), before: old)
            old?.leave()
            self.title = title
        case .title(let text): title = text
        case .alert(let html):
            guard let form = root.all.first(where: { $0.name == "form" }) else { return }
            form.elements.first { $0.name == "dialog" }?.leave()
            if let html {
                let place = form.children.firstIndex { $0.attributes["class"] == "enter" } ?? 0
                let next = form.children.indices.contains(place + 1) ? form.children[place + 1] : nil
                form.put(try read(html), before: next)
            }
            for element in form.elements where !["button", "input", "dialog"].contains(element.name) {
                element.attributes["inert"] = html == nil ? nil : ""
            }
        case .focus(let id), .show(let id): _ = try find(id)
        case .go, .echo, .status: break
        }
    }

    private func set(_ property: PageProperty, of element: Element) {
        switch (property.name, property.value) {
        case ("text", .text(let text)):
            element.children = text.isEmpty ? [] : [Element(text: text)]
        case ("value", .text(let text)) where element.name == "textarea":
            element.children = text.isEmpty ? [] : [Element(text: text)]
        case ("value", .text(let value)) where element.name == "select":
            for option in element.elements {
                option.attributes["selected"] = option.attributes["value"] == value ? "" : nil
            }
        case (let name, .text(let text)): element.attributes[name] = text
        case (let name, .truth(let truth)): element.attributes[name] = truth ? "" : nil
        case (let name, .none): element.attributes[name] = nil
        }
    }
}
