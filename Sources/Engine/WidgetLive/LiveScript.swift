internal import WidgetRender

/// The script of live pages: `page.js` and `live.js` in this folder. Pages work without it; with it, they are kept up to date.
package enum LiveScript {
    /// The file as it is sent.
    package static let bytes = sent(source)

    /// The files as they are written, in a function: a page may have the script twice.
    package static let source =
        Array("customElements.get(\"widget-view\") || (() => {\n".utf8) + page + live + Array("})()\n".utf8)

    /// A page in a document or a shadow root.
    package static let page: [UInt8] = PackageResources.page_js
    /// The way of a page over HTTP, and the element.
    package static let live: [UInt8] = PackageResources.live_js

    /// Leaves out the lines that are comments, and the tabs and blanks that lines begin with.
    package static func sent(_ source: [UInt8]) -> [UInt8] {
        let lines = source.split(separator: 0x0A).map { $0.drop { $0 == 0x09 || $0 == 0x20 } }
        return Array(lines.filter { !$0.isEmpty && !$0.starts(with: Array("//".utf8)) }.joined(separator: [0x0A]))
    }

    /// The name by which the file never changes.
    package static let fileName = "live-\(PageFiles.digest(of: bytes)).js"

    /// The letters of the operations that the script applies, in the order of `PageOperation`.
    ///
    /// | letter | operation |
    /// |---|---|
    /// | s | values of an element |
    /// | r, i, m, x | an element is replaced, inserted, moved, removed |
    /// | c | rules of the viewing |
    /// | w, t | another screen; the title |
    /// | a | the alert in front |
    /// | g | go to an address of this server |
    /// | f | the focus that the widget wants |
    /// | v | an element is brought into sight |
    /// | e | the events that the view answers |
    /// | n | the line about the page |
    package static let letters = ["s", "r", "i", "m", "x", "c", "w", "t", "a", "g", "f", "v", "e", "n"]
}
