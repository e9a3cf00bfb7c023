internal import JSONText

/// A step that turns a page that is shown into the next one.
///
/// An address is the `id` of an element and then steps from there: `/2` is the element's child at place 2, counted from 0
/// and among elements alone, and `^` is the parent. It leads to an element of the page as the operations before have left
/// it. Markup has no attribute `autofocus`, since `focus` says what takes the focus.
package enum PageOperation: Equatable, Sendable {
    /// Values of an element. `text` is its text; `value` and `checked` are properties of controls, as they are now; all
    /// other names are attributes.
    case set(String, [PageProperty])
    case replace(String, html: [UInt8])
    /// One element or several, before another of the parent or at its end.
    case insert(into: String, before: String?, html: [UInt8])
    /// An element of the page comes before another of the parent, or at its end.
    case move(String, into: String, before: String?)
    case remove(String)
    /// Rules of the sheet that only this page has, by what they are about; `nil` for those that are gone.
    case rules([String: String?])
    /// Another screen: the whole of `<main>`, and the title of the page.
    case whole(html: [UInt8], title: String)
    case title(String)
    /// The alert in front, as the `<dialog>` behind the button of the class `enter`, or none. While there is one, the other
    /// children of the form that are neither `<button>` nor `<input>` have the attribute `inert`.
    case alert(html: [UInt8]?)
    /// Go to an address of this server.
    case go(String)
    /// The element with this `id` wants the focus.
    case focus(String)
    /// The element with this `id` is brought into sight, once.
    case show(String)
    /// The events up to this serial are in the view.
    case echo(Int)
    /// The line about the page, by the names of its parts.
    case status([String: String?])

    /// The same for a page of others.
    package func contained() -> PageOperation {
        guard case .rules(let rules) = self else { return self }
        return .rules(rules.mapValues { $0.map { ContainedSheet.text($0) } })
    }

    /// The operations as one line of JSON: an array of arrays, each of which begins with a letter.
    package static func json(_ operations: [PageOperation]) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 256)
        writer.array { writer in
            for operation in operations {
                writer.array { operation.write(to: &$0) }
            }
        }
        return writer.bytes
    }

    /// The letter by which scripts know the operation.
    package var letter: String {
        switch self {
        case .set: "s"
        case .replace: "r"
        case .insert: "i"
        case .move: "m"
        case .remove: "x"
        case .rules: "c"
        case .whole: "w"
        case .title: "t"
        case .alert: "a"
        case .go: "g"
        case .focus: "f"
        case .show: "v"
        case .echo: "e"
        case .status: "n"
        }
    }

    private func write(to writer: inout JSONWriter) {
        writer.string(letter)
        switch self {
        case .set(let address, let properties):
            writer.string(address)
            writer.object { writer in
                for property in properties {
                    writer.key(property.name)
                    property.value.write(to: &writer)
                }
            }
        case .replace(let address, let html):
            writer.string(address)
            PageOperation.write(html, to: &writer)
        case .insert(let parent, let next, let html):
            writer.string(parent)
            PageOperation.write(next, to: &writer)
            PageOperation.write(html, to: &writer)
        case .move(let address, let parent, let next):
            writer.string(parent)
            PageOperation.write(next, to: &writer)
            writer.string(address)
        case .remove(let address), .go(let address), .focus(let address), .show(let address): writer.string(address)
        case .rules(let texts), .status(let texts):
            writer.object { writer in
                for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                    writer.key(name)
                    PageOperation.write(text, to: &writer)
                }
            }
        case .whole(let html, let title):
            PageOperation.write(html, to: &writer)
            writer.string(title)
        case .title(let title): writer.string(title)
        case .alert(let html): if let html { PageOperation.write(html, to: &writer) } else { writer.null() }
        case .echo(let serial): writer.number(serial)
        }
    }

    private static func write(_ text: String?, to writer: inout JSONWriter) {
        if let text { writer.string(text) } else { writer.null() }
    }

    private static func write(_ html: [UInt8], to writer: inout JSONWriter) {
        writer.string(String(decoding: html, as: UTF8.self))
    }
}

/// A value of an element of a page, with its name.
package struct PageProperty: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case text(String)
        case truth(Bool)
        /// The attribute is taken away; a control's value becomes empty.
        case none

        fileprivate func write(to writer: inout JSONWriter) {
            switch self {
            case .text(let text): writer.string(text)
            case .truth(let truth): writer.boolean(truth)
            case .none: writer.null()
            }
        }
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
