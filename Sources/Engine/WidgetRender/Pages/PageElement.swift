internal import WidgetCore
internal import WidgetMarkup

/// A node about to be written, with all that its element says about it.
struct PageElement {
    let node: ViewNode
    let look: Look?
    /// Role, name, value and states, as every printer says them.
    let accessible: AccessibleNode
    let place: PageBody.Place
    let id: String
    private var nodeClass: String?
    private let words: SystemWords

    init(
        _ node: ViewNode, _ look: Look?, _ plans: PlannedScene?, _ place: PageBody.Place, id: String,
        _ words: SystemWords
    ) {
        self.node = node
        self.look = look
        self.place = place
        accessible = AccessibleNode(alone: node)
        self.id = id
        self.words = words
        nodeClass = node.key.node >= 0 ? plans?.name(of: node.key.node) : nil
    }

    var key: String { PageKey.text(node.key) }
    var isDisabled: Bool { node.isTrue(.disabled) }
    var isSelected: Bool { node.isTrue(.selected) }
    /// The look of a button that is disabled or selected.
    var state: StateLook? { look?.button?.state(isDisabled: isDisabled, isSelected: isSelected) }
    /// True for a button whose tap has a person pick a picture or a film.
    var takesFile: Bool { node.kind == .button && node.events.contains(.pick) }
    var isTappable: Bool { node.events.contains(.tap) }
    /// Empty where a reader would see and hear nothing.
    var name: String { FitText.seen(accessible.name) ?? "" }

    /// A name for assistive technology, where the author gave none.
    var spokenName: String {
        if !name.isEmpty { return name }
        return FitText.seen(node.identifier) ?? FitText.seen(word) ?? words[.element]
    }

    /// The word for its kind.
    private var word: String {
        if case .unknown(let name) = node.kind { return name }
        let word: SystemWord =
            switch node.kind {
            case .button: .button
            case .image: .picture
            case .textField, .textArea: .text
            case .searchField: .search
            case .toggle: .switch
            case .slider: .slider
            case .stepper: .stepper
            case .segments, .picker: .choice
            case .datePicker: .date
            case .pageControl: .pages
            case .activity: .loading
            case .progress: .progress
            case .web: .webPage
            case .native: .drawing
            case .list, .grid: .list
            case .row: .row
            case .form: .form
            case .tabs: .tabs
            case .tab: .tab
            case .box, .unknown, .label, .sectionHeader, .sectionFooter, .bar, .barTitle, .screen, .constraint: .element
            }
        return words[word]
    }

    // MARK: - Attributes

    /// The element without its place, which the box around it has.
    var held: PageElement {
        var held = self
        held.nodeClass = LayoutClasses.inner
        return held
    }

    /// The attributes of the box around an element that cannot hold its children itself.
    func hold(_ attributes: inout HTMLAttributes, _ kind: String) {
        attributes.set(.class, nodeClass.map { "\($0) \(kind)" } ?? kind)
    }

    /// Identity and class, of the element whose box is the node's.
    func identify(_ attributes: inout HTMLAttributes, _ kind: String) {
        attributes.set(.id, id)
        box(&attributes, kind)
        attributes.set(.dataID, node.identifier)
    }

    /// The class alone: of a box around the element that has the identity.
    func box(_ attributes: inout HTMLAttributes, _ kind: String) {
        var classes = nodeClass.map { [$0, kind] } ?? [kind]
        if let alpha = node[.alpha]?.number, alpha < 1 { classes.append(PageElement.alphaClass(alpha)) }
        if node.isTrue(.invalid) { classes.append("iv") }
        if look?.appearance.blur != nil { classes.append("fx") }
        switch look?.geometry.role ?? .content {
        case .selectedBackground: classes.append("sel")
        case .background: classes.append("bg")
        case .header: classes.append("hd")
        case .footer: classes.append("ft")
        case .content, .accessory, .contentView: break
        }
        attributes.set(.class, classes.joined(separator: " "))
        attributes.set(.inert, if: place.isInert)
        attributes.set(.description, look?.accessibility?.hint)
        if look?.accessibility?.updatesFrequently == true { attributes.set(.live, "polite") }
        if look?.accessibility?.hidesElements == true { attributes.set(.isHidden, "true") }
    }

    /// The name as an attribute. One that no author gave is marked.
    func label(_ attributes: inout HTMLAttributes) {
        attributes.set(.label, spokenName)
        attributes.set(.dataUnnamed, if: name.isEmpty)
    }

    /// The attributes of all elements in which a person types.
    func type(_ attributes: inout HTMLAttributes, takesFocus: Bool) {
        attributes.set(.id, id)
        attributes.set(.name, key)
        attributes.set(.dataID, node.identifier)
        attributes.set(.placeholder, node[.placeholder]?.shown)
        label(&attributes)
        attributes.set(.disabled, if: isDisabled)
        attributes.set(.readonly, if: node.isTrue(.readOnly))
        attributes.set(.autofocus, if: takesFocus)
        judge(&attributes)
    }

    /// The identity of the message about a value that cannot be taken; `nil` without one.
    var faultName: String? { accessible.fault == nil ? nil : "\(id)e" }

    /// The attributes of a value that cannot be taken, and its message.
    func judge(_ attributes: inout HTMLAttributes) {
        guard node.isTrue(.invalid) else { return }
        attributes.set(.isInvalid, "true")
        attributes.set(.describedBy, faultName)
    }

    /// Identity, name and state of an element whose value a person moves.
    func control(_ attributes: inout HTMLAttributes, _ kind: String) {
        identify(&attributes, kind)
        attributes.set(.name, key)
        label(&attributes)
        attributes.set(.disabled, if: isDisabled)
        judge(&attributes)
    }

    /// The event that a button sends.
    func tap(_ attributes: inout HTMLAttributes) {
        attributes.set(.name, "do")
        attributes.set(.value, PageKey.action(.tap, node.key))
        attributes.set(.disabled, if: isDisabled)
    }

    /// Steps of 5 %, so that a few classes have all of them.
    static func alphaClass(_ alpha: Double) -> String {
        let step = Int((min(max(alpha, 0), 1) * 20).rounded())
        return "o\(step * 5)"
    }
}
