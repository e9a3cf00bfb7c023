/// Writes markup, which comes from this program alone, and text from any source, which is escaped and made fit.
///
/// Elements that ``begin(_:_:)`` opens are closed in reverse order, at the latest by ``finish()``, so a page is balanced.
package struct HTMLWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// Elements that are open, the innermost last.
    private var open: [HTMLElement] = []
    /// True directly behind a start tag after which parsers drop a line end.
    private var dropsLineEnd = false
    /// The parts in their order; none for a writer that notes none.
    package private(set) var parts: [HTMLPart] = []
    private let notesParts: Bool
    private var nextName: String?
    /// Written before each address of the same server; text never has it.
    private let addressMark: UInt8?

    /// - Parameters:
    ///   - notesParts: true if the parts of the markup are looked at before it is sent.
    ///   - addressMark: a control character to stand where a path goes that is known later: before each address of the same
    ///     server.
    package init(reservingBytes capacity: Int = 4_096, notesParts: Bool = false, addressMark: UInt8? = nil) {
        self.notesParts = notesParts
        self.addressMark = addressMark
        bytes.reserveCapacity(capacity)
    }

    private mutating func note(_ kind: HTMLPart.Kind, from start: Int) {
        guard notesParts else { return }
        parts.append(HTMLPart(kind: kind, name: nextName, range: start..<bytes.count))
        nextName = nil
    }

    /// Names the next part, for callers that look at the parts; `nil` cancels the name.
    package mutating func name(_ name: String?) {
        if notesParts { nextName = name }
    }

    /// Notes the place of an element that is not written.
    ///
    /// - Parameter depth: the elements around the named one.
    package mutating func hole(_ name: String, depth: Int) {
        nextName = name
        note(.hole(depth: depth), from: bytes.count)
    }

    /// Markup of this program. Where parts are noted, it is one whole element.
    package mutating func markup(_ markup: StaticString) {
        dropsLineEnd = false
        let start = bytes.count
        bytes.append(contentsOf: markup.description.utf8)
        note(.markup(isElement: true), from: start)
    }

    /// Markup of a program that runs here itself, as it is. Nothing of a bundle or a server may come here.
    package mutating func trusted(_ markup: String) {
        dropsLineEnd = false
        let start = bytes.count
        bytes.append(contentsOf: markup.utf8)
        note(.markup(isElement: false), from: start)
    }

    /// Appends markup that a writer has finished: whole elements, fully escaped.
    package mutating func printed(_ markup: [UInt8]) {
        dropsLineEnd = false
        let start = bytes.count
        bytes.append(contentsOf: markup)
        note(.markup(isElement: false), from: start)
    }

    /// Text between tags or inside a quoted attribute.
    package mutating func text(_ text: String) {
        if text.isEmpty { return }
        let start = bytes.count
        FitText.append(text, to: &bytes)
        if dropsLineEnd, bytes.count > start, bytes[start] == 0x0A { bytes.insert(0x0A, at: start) }
        dropsLineEnd = false
        if bytes.count > start { note(.text, from: start) }
    }

    /// An address inside a quoted attribute.
    package mutating func address(_ address: String) {
        if let addressMark, HTMLAttributes.isOfSameServer(address) { bytes.append(addressMark) }
        text(address)
    }

    /// One element with text in it.
    package mutating func element(_ start: StaticString, _ text: String, _ end: StaticString) {
        markup(start)
        self.text(text)
        markup(end)
    }

    // MARK: - Elements

    /// Opens an element, or writes a void one.
    package mutating func begin(_ element: HTMLElement, _ attributes: (inout HTMLAttributes) -> Void = { _ in }) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: element.rawValue.utf8)
        var written = HTMLAttributes(addressMark: addressMark)
        // Swapped there and back, the array always has one owner, and grows in place.
        swap(&bytes, &written.bytes)
        attributes(&written)
        swap(&bytes, &written.bytes)
        bytes.append(UInt8(ascii: ">"))
        note(.start(element), from: start)
        if !element.isVoid { open.append(element) }
        dropsLineEnd = element.dropsLineEnd
    }

    /// Closes the innermost open element.
    package mutating func end() {
        guard let element = open.popLast() else { return }
        dropsLineEnd = false
        let start = bytes.count
        bytes.append(contentsOf: "</".utf8)
        bytes.append(contentsOf: element.rawValue.utf8)
        bytes.append(UInt8(ascii: ">"))
        note(.end, from: start)
    }

    /// An element with its content.
    package mutating func element(
        _ element: HTMLElement, _ attributes: (inout HTMLAttributes) -> Void = { _ in },
        content: (inout HTMLWriter) -> Void
    ) {
        begin(element, attributes)
        let depth = open.count
        content(&self)
        while open.count >= depth, !element.isVoid { end() }
    }

    /// An element with text in it.
    package mutating func element(
        _ element: HTMLElement, text: String, _ attributes: (inout HTMLAttributes) -> Void = { _ in }
    ) {
        begin(element, attributes)
        if element.isVoid { return }
        self.text(text)
        end()
    }

    /// Closes all open elements.
    ///
    /// - Returns: the page.
    package mutating func finish() -> [UInt8] {
        while !open.isEmpty { end() }
        return bytes
    }
}

/// A part of written markup, by the place of its bytes.
package struct HTMLPart: Sendable {
    package enum Kind: Sendable {
        /// A start tag. Void elements have no end.
        case start(HTMLElement)
        case end
        case text
        /// - Parameter isElement: true for exactly one element.
        case markup(isElement: Bool)
        /// An element that is not written.
        case hole(depth: Int)
    }

    package let kind: Kind
    /// The name that the writer's caller gave the part.
    package let name: String?
    package let range: Range<Int>
}

/// The elements that can be written. Scripts, styles and frames are not among them.
package enum HTMLElement: String, CaseIterable, Sendable {
    case html, head, meta, title, link, noscript, body
    case main, header, footer, nav, section, article, search, form, fieldset, legend, dialog, details, summary
    case div, p, span, h1, h2, h3, h4, h5, h6, ul, ol, li, br, dl, dt, dd, pre, code, time, strong, ins, del
    case table, caption, thead, tbody, tr, th, td
    case a, button, input, textarea, select, option, label, output, progress
    case img, picture, source

    package var isVoid: Bool {
        switch self {
        case .meta, .link, .br, .input, .img, .source: true
        default: false
        }
    }

    /// True if parsers drop a line end directly behind its start tag.
    fileprivate var dropsLineEnd: Bool { self == .textarea || self == .pre }
}

/// The names of attributes. Styles and handlers of events are not among them.
package enum HTMLAttribute: String, CaseIterable, Sendable {
    case id, `class`, lang, dir, hidden, inert, tabindex, title, role, name, value, type, method, action
    case href, rel, target, src, srcset, media, alt, width, height, charset, content
    case httpEquiv = "http-equiv"
    case `for`
    case dateTime = "datetime"
    case scope, list, form
    case formAction = "formaction"
    case maxLength = "maxlength"
    case required
    case dataSince = "data-since"
    case dataPair = "data-pair"
    case dataLimit = "data-limit"
    case dataChanges = "data-changes"
    case dataSource = "data-source"
    case dataServers = "data-servers"
    case dataTitle = "data-title"
    case dataChoice = "data-choice"
    case dataValue = "data-value"
    case dataAct = "data-act"
    case placeholder, autocomplete, autocapitalize, spellcheck, inputmode, enterkeyhint, autofocus
    case checked, selected, disabled, novalidate, readonly, min, max, step, open, accept, enctype
    case label = "aria-label"
    case labelledBy = "aria-labelledby"
    case describedBy = "aria-describedby"
    case description = "aria-description"
    case current = "aria-current"
    case pressed = "aria-pressed"
    case expanded = "aria-expanded"
    case controls = "aria-controls"
    case isChecked = "aria-checked"
    case isSelected = "aria-selected"
    case isHidden = "aria-hidden"
    case isInvalid = "aria-invalid"
    case isReadOnly = "aria-readonly"
    case isMultiline = "aria-multiline"
    case isBusy = "aria-busy"
    case isModal = "aria-modal"
    case live = "aria-live"
    case dataID = "data-id"
    case dataUnnamed = "data-unnamed"
    case dataRevision = "data-revision"
    case dataAttempt = "data-attempt"
    case dataLive = "data-live"
    case dataBegin = "data-begin"
    case dataDepth = "data-depth"
    case dataOpen = "data-open"
    case dataView = "data-view"
    case dataRun = "data-run"
    case dataSlot = "data-slot"
    case dataHost = "data-host"
    case dataWords = "data-words"

    /// True if the attribute's value is an address.
    fileprivate var isAddress: Bool {
        switch self {
        case .href, .src, .action, .formAction, .dataChanges, .dataSource: true
        default: false
        }
    }
}

/// The attributes of one start tag. Each name is written once, and each value in quotes.
package struct HTMLAttributes {
    fileprivate var bytes: [UInt8] = []
    private var written: Set<HTMLAttribute> = []
    private let addressMark: UInt8?

    fileprivate init(addressMark: UInt8?) { self.addressMark = addressMark }

    /// True for a path; two slashes begin the address of another server.
    fileprivate static func isOfSameServer(_ address: String) -> Bool {
        address.hasPrefix("/") && !address.hasPrefix("//")
    }

    /// Adds an attribute. The first value of a name counts; without a value nothing is added.
    package mutating func set(_ name: HTMLAttribute, _ value: String?) {
        guard let value, written.insert(name).inserted else { return }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: name.rawValue.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        if let addressMark, name.isAddress, HTMLAttributes.isOfSameServer(value) { bytes.append(addressMark) }
        FitText.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds an attribute that is true by being there.
    package mutating func set(_ name: HTMLAttribute, if isSet: Bool) {
        guard isSet, written.insert(name).inserted else { return }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: name.rawValue.utf8)
    }
}
