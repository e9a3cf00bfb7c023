internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// Writes the elements of one view. Siblings in this folder write the elements of each subject.
struct PageBody {
    var html: HTMLWriter
    var pictures: PagePictures
    let view: View
    /// The words of the system in the view's language.
    let words: SystemWords
    let options: PageOptions
    let scene: Scene?
    let images: [String: ImageInfo]?
    let plans: PlannedScene?
    let program: PlannedProgram?
    /// The names of regions that were given so far, because no two may have the same.
    private var regionNames: [String: Int] = [:]
    private(set) var regions: [PageRegion] = []
    /// True once a region was written that lies in a row.
    private(set) var hasRegionInRow = false
    /// The elements that were written so far, by their keys.
    private(set) var idCounts: [String: Int] = [:]
    /// True once an element has taken the focus of the page.
    var hasFocus = false
    /// The identities of fields that want the focus, in their order.
    var focused: [String] = []
    /// The numbers of rows of long lists.
    var rowCounts: [ViewKey: Int] = [:]
    /// The rows of lists that show all of theirs, and more than a long list would; `nil` for other lists.
    var fullLists: [ViewKey: Int?] = [:]
    /// The keys of the elements that were written, for a page that is compared.
    private var keys: [ViewKey] = []
    /// The rows that long lists show, if not as many as usual.
    let windows: [ViewKey: Int]
    /// For markup of operations, which is never a whole page.
    private(set) var shell: PageShell?
    let isOperation: Bool

    init(
        _ view: View, of program: PlannedProgram?, _ options: PageOptions, _ pictures: PagePictures,
        windows: [ViewKey: Int] = [:], shell: PageShell? = nil, isOperation: Bool = false
    ) {
        html = HTMLWriter(reservingBytes: shell == nil ? 16 << 10 : 2 << 10, notesParts: shell != nil)
        self.view = view
        words = view.words
        self.windows = windows
        self.shell = shell
        self.isOperation = isOperation
        self.program = program
        self.options = options
        self.pictures = pictures
        scene = program.flatMap { SceneOfView.scene(of: view, in: $0.program) }
        images = program?.program.images
        plans = scene.flatMap { program?.scene($0) }
        hasFocus = options.part != nil || !options.takesFocus
    }

    mutating func finish() -> PrintedPage {
        PrintedPage(
            html: html.finish(), pictures: pictures.files,
            rules: keptRules.merging(rules) { first, _ in first }, remarks: pictures.remarks)
    }

    /// The rules of the pictures and of the kinds of elements that were written. A page keeps those that it has had.
    var keptRules: [String: String] { BaseParts.rules(in: html.bytes).merging(pictures.rules) { first, _ in first } }

    /// The rules of this view alone.
    var rules: [String: String] {
        constants.merging(solvedFrames) { first, _ in first }.merging(surroundings) { first, _ in first }
    }

    /// True for a program with places that depend on all elements of a page.
    var hasSolvedFrames: Bool { !(plans?.solved.isEmpty ?? true) }

    /// True if a node occurs twice, so that its identity has a number.
    var hasDoubledIDs: Bool { idCounts.values.contains { $0 > 1 } }

    /// The keys of elements that another page does not have.
    func newKeys(since old: PageBody) -> [ViewKey] {
        keys.filter { old.idCounts[PageKey.id($0, letter: options.letter)] == nil }
    }

    /// The margins of the widget, and the ground of its host where it is made to lie on one.
    private var surroundings: [String: String] {
        var rules: [String] = []
        let insets = view.insets
        if insets != .zero {
            // Elements are placed within the border, which lets the widget's ground through.
            let widths = [insets.top, insets.trailing, insets.bottom, insets.leading].map(PageKey.points)
            rules.append("border:solid transparent;border-width:\(widths.joined(separator: " "))")
        }
        if program?.program.isOverlay ?? false { rules.append("background:none") }
        guard !rules.isEmpty else { return [:] }
        let selector = "[id=\"\(PageKey.id(view.root.key, letter: options.letter))\"]"
        return [selector: "\(selector){\(rules.joined(separator: ";"))}"]
    }

    /// The places in containers that no stylesheet can express, for the viewport of the page.
    private var solvedFrames: [String: String] {
        guard let program, let plans, !plans.solved.isEmpty else { return [:] }
        return SolvedFrames(view, program.program, plans, options.viewport, letter: options.letter) {
            idCounts[$0] != nil
        }.rules
    }

    /// Rules with the constants that a running widget has set, by their selectors: of the whole screen, or of one row.
    private var constants: [String: String] {
        guard let scene, let plans else { return [:] }
        var values: [String: [String]] = [:]
        for (key, value) in view.constants.sorted(by: { $0.key.node < $1.key.node }) where value.isFinite {
            var selector = ".\(plans.name(of: scene.root))"
            if options.part != nil {
                // Another widget on the page may have the same program.
                let root = "[id=\"\(PageKey.id(view.root.key, letter: options.letter))\"]"
                selector = ":is(\(root),\(root) *)\(selector)"
            }
            if let item = key.item {
                let row = scene.node(key.node)?.prototype ?? key.node
                let rowKey = ViewKey(screen: key.screen, node: row, item: item)
                selector = "[id=\"\(PageKey.id(rowKey, letter: options.letter))\"]"
            }
            values[selector, default: []].append("\(LayoutClasses.constant(key.node)):\(PageKey.points(value))")
        }
        return Dictionary(
            uniqueKeysWithValues: values.map { ($0.key, "\($0.key){\($0.value.joined(separator: ";"))}") })
    }

    func look(_ node: ViewNode) -> Look? { scene?.node(node.key.node)?.look }

    // MARK: - The screen

    /// The widget: alerts, the bar and the screen in one form.
    mutating func screen() {
        let root = view.root
        let id = PageKey.id(root.key, letter: options.letter)
        html.begin(options.part == nil ? .main : .div) { attributes in
            attributes.set(.class, "w")
            attributes.set(.id, id)
            attributes.set(.dataID, root.identifier)
            attributes.set(.inert, if: options.live?.isStill ?? false)
        }
        let takesFiles = plans?.takesFiles ?? false
        html.begin(.form) { attributes in
            attributes.set(.id, options.live?.isStill ?? false ? nil : options.formName)
            attributes.set(.class, "f")
            attributes.set(.method, "post")
            attributes.set(.action, options.action)
            // The widget says what is wrong with a field; a browser's own rules would keep every button from being sent.
            attributes.set(.novalidate, if: true)
            if takesFiles { attributes.set(.enctype, "multipart/form-data") }
        }
        if let number = options.viewNumber {
            html.begin(.input) { attributes in
                attributes.set(.type, "hidden")
                attributes.set(.name, "n")
                attributes.set(.value, "\(number)")
            }
        }
        // The first button is the one that Enter in a field presses.
        html.begin(.button) { attributes in
            attributes.set(.class, "enter")
            attributes.set(.name, "do")
            attributes.set(.value, "[\"enter\"]")
            attributes.set(.tabindex, "-1")
            attributes.set(.isHidden, "true")
        }
        html.end()
        alert()
        let isInert = !view.alerts.isEmpty
        let children = ReadingOrder.sorted(root.children)
        let bars = children.filter { $0.kind == .bar }
        let top = bars.filter { $0.key.node != ViewKey.toolbar }
        for bar in top { node(bar, in: Place(isInert: isInert, isInBar: true)) }
        let toolbar = bars.first { $0.key.node == ViewKey.toolbar }
        let tabs = children.first { $0.kind == .tabs }
        let kind = screenKind(hasBar: !top.isEmpty) + bottomKind(hasTabs: tabs != nil)
        html.begin(.div) { attributes in
            attributes.set(.class, kind)
            attributes.set(.inert, if: isInert)
        }
        for child in children where child.kind != .bar && child.kind != .tabs { node(child, in: Place(isRoot: true)) }
        html.end()
        self.toolbar(toolbar, isInert: isInert)
        if let tabs { self.tabs(tabs, isInert: isInert) }
        html.end()
        html.end()
    }

    /// The widget while it has nothing to show.
    mutating func hiddenScreen() {
        html.begin(options.part == nil ? .main : .div) { attributes in
            attributes.set(.class, "w")
            attributes.set(.id, PageKey.id(view.root.key, letter: options.letter))
            attributes.set(.dataID, view.root.identifier)
        }
        html.element(.p, text: words[.nothingToShow])
        if let name = options.formName, !(options.live?.isStill ?? false) {
            html.begin(.form) { attributes in
                attributes.set(.id, name)
                attributes.set(.method, "post")
                attributes.set(.action, options.action)
            }
            html.end()
        }
        html.end()
    }

    /// A screen lies under a bar that lets it through, or begins below it.
    private func screenKind(hasBar: Bool) -> String {
        guard hasBar, let scene else { return hasBar ? "scr below" : "scr" }
        let isTranslucent = scene.navigationBar?.isTranslucent ?? true
        let extends = scene.edges.extendsUnderTopBar && (isTranslucent || scene.edges.extendsUnderOpaqueBars)
        return extends ? "scr" : "scr below"
    }

    /// The last alert is the one in front; those behind it are shown once it is gone.
    mutating func alert() {
        guard let alert = view.alerts.last else { return }
        let id = PageKey.id(alert.key, letter: options.letter)
        html.begin(.dialog) { attributes in
            attributes.set(.class, "al")
            attributes.set(.open, if: true)
            attributes.set(.role, "alertdialog")
            // The others of a page with several widgets can be used meanwhile.
            attributes.set(.isModal, options.part == nil ? "true" : nil)
            attributes.set(.labelledBy, "\(id)t")
            attributes.set(.describedBy, "\(id)m")
        }
        html.element(heading(2), text: alert.title) { $0.set(.id, "\(id)t") }
        html.element(.p, text: alert.message) { $0.set(.id, "\(id)m") }
        let isFirst = !hasFocus
        hasFocus = true
        for (place, button) in alert.buttons.enumerated() {
            html.element(.button, text: FitText.seen(button.title) ?? words[.ok]) { attributes in
                attributes.set(.id, PageKey.id(button.key, letter: options.letter))
                attributes.set(.class, button.style == .usual ? nil : button.style.rawValue)
                attributes.set(.name, "do")
                attributes.set(.value, PageKey.action(.tap, button.key))
                attributes.set(.autofocus, if: place == 0 && !isOperation && isFirst)
            }
        }
        html.end()
    }

    /// A heading of a level from 1 on, within those that the page around the widget leaves to it.
    func heading(_ level: Int) -> HTMLElement {
        let levels = options.part?.levels ?? 1...2
        let elements: [HTMLElement] = [.h1, .h2, .h3, .h4, .h5, .h6]
        return elements[min(max(min(levels.lowerBound + level - 1, levels.upperBound), 1), 6) - 1]
    }

    // MARK: - Nodes

    /// The surroundings of a node.
    struct Place {
        /// True directly within the screen.
        var isRoot = false
        /// True behind an alert.
        var isInert = false
        var isInBar = false
    }

    /// Views are no deeper than their budget, which bounds this.
    mutating func node(_ node: ViewNode, in place: Place = Place()) {
        let element = element(node, in: place)
        if isHole(element, in: nil) { return }
        if node.kind == .constraint { return }
        html.name(element.id)
        guard PageBody.isHeld(element) else {
            write(element)
            return
        }
        // HTML's own elements hold no others: a box has the place, with the element and what lies over it or belongs to it.
        let hasMessage = PageBody.hasMessageBeside(element)
        html.begin(.div) { element.hold(&$0, hasMessage ? "v fc" : "v") }
        write(element.held)
        if hasMessage { fault(of: element) }
        children(of: element)
        html.end()
    }

    private static func isHeld(_ element: PageElement) -> Bool {
        !element.node.children.isEmpty && !holdsChildren(element.node.kind) || hasMessageBeside(element)
    }

    /// True for an invalid control in which nothing is typed: fields have their messages in their own boxes.
    private static func hasMessageBeside(_ element: PageElement) -> Bool {
        switch element.node.kind {
        case .toggle, .slider, .stepper, .segments, .picker: element.accessible.fault != nil
        default: false
        }
    }

    /// True for an element that both of two pages have, when they are compared. Its place is noted.
    mutating func isHole(_ element: PageElement, in list: ViewKey?) -> Bool {
        guard shell != nil, element.node.kind != .constraint else { return false }
        let hole = PageHole(isRoot: element.place.isRoot, isInBar: element.place.isInBar, list: list)
        guard shell?.takes(element.node, element.id, hole) ?? false else { return false }
        html.hole(element.id, depth: depth(of: element))
        return true
    }

    /// The elements around the one with the identity of a node.
    private mutating func depth(of element: PageElement) -> Int {
        let node = element.node
        let own =
            switch node.kind {
            case .textField, .searchField, .datePicker, .barTitle: 1
            case .textArea: node.isTrue(.readOnly) ? 0 : 1
            case .image: isPictureForTwoSchemes(element) ? 1 : 0
            case .button: element.takesFile ? 1 : 0
            default: 0
            }
        return own + (PageBody.isHeld(element) ? 1 : 0)
    }

    /// A name that no other region of the page has.
    mutating func regionName(_ element: PageElement) -> String {
        let own = element.name.isEmpty ? (view.title.isEmpty ? words[.content] : view.title) : element.name
        let place = options.part?.heading ?? ""
        let base = place.isEmpty ? own : "\(own), \(place)"
        let count = regionNames[base, default: 0] + 1
        regionNames[base] = count
        var name = count == 1 ? base : "\(base) \(count)"
        if let known = shell?.regions[element.id], known.base == base { name = known.name }
        regions.append(PageRegion(id: element.id, base: base, name: name))
        if element.node.key.item != nil { hasRegionInRow = true }
        return name
    }

    /// True for elements that are written with their children.
    private static func holdsChildren(_ kind: NodeKind) -> Bool {
        switch kind {
        case .searchField, .list, .grid, .row, .bar, .barTitle, .tabs, .form, .screen, .box, .sectionHeader,
            .sectionFooter,
            .unknown, .constraint:
            true
        case .label, .button, .image, .textField, .textArea, .toggle, .slider, .stepper, .segments, .picker,
            .datePicker, .pageControl, .activity, .progress, .web, .native, .tab:
            false
        }
    }

    private mutating func write(_ element: PageElement) {
        switch element.node.kind {
        case .label: label(element)
        case .button: button(element)
        case .image: image(element)
        case .textField: field(element)
        case .textArea: area(element)
        case .searchField: searchField(element)
        case .toggle: toggle(element)
        case .slider: slider(element)
        case .stepper: stepper(element)
        case .segments: segments(element)
        case .picker: picker(element)
        case .datePicker: datePicker(element)
        case .pageControl: pageControl(element)
        case .activity: activity(element)
        case .progress: progress(element)
        case .web: web(element)
        case .native: native(element)
        case .list, .grid: list(element)
        case .row: row(element, in: nil)
        case .bar: bar(element)
        case .barTitle: barTitle(element)
        case .form: form(element)
        case .tab: tab(element)
        case .screen, .box, .sectionHeader, .sectionFooter, .tabs: box(element)
        case .unknown(let name): placeholder(element, name)
        // A constraint is a number for the sheet.
        case .constraint: break
        }
    }

    mutating func element(_ node: ViewNode, in place: Place = Place()) -> PageElement {
        let id = nextID(of: node.key)
        idCounts[PageKey.id(node.key, letter: options.letter), default: 0] += 1
        if shell != nil { keys.append(node.key) }
        return PageElement(node, look(node), plans, place, id: id, words)
    }

    /// The identity that the next element with a key gets. Lists within rows can show one record in several of them.
    func nextID(of key: ViewKey) -> String {
        let id = PageKey.id(key, letter: options.letter)
        return idCounts[id].map { "\(id)~\($0 + 1)" } ?? id
    }

    /// The children, nested as the plan of the scene says; those that it does not have follow in reading order.
    mutating func children(of element: PageElement) {
        var left = UnplacedChildren(of: element.node)
        let container = element.node.key.node
        if let plan = plans?.plan, let planned = plan.containers[container], !planned.arrangement.isEmpty {
            arrange(planned.arrangement, of: container, planned, &left)
        }
        for child in left.nodes { node(child) }
    }

    /// Wrappers are no deeper than the plan, which bounds this.
    private mutating func arrange(
        _ parts: [Arranged], of container: NodeID, _ planned: PlannedContainer, _ left: inout UnplacedChildren
    ) {
        for part in parts {
            switch part {
            case .node(let id):
                let found = left.take(id)
                for child in found { node(child) }
                if found.isEmpty, keepsPlaces(planned), !left.hasPlaced(id) {
                    let name = plans?.name(of: id) ?? ""
                    html.begin(.div) { $0.set(.class, "\(LayoutClasses.absent) \(name)") }
                    html.end()
                }
            case .wrapper(let index, let parts):
                let name = plans?.wrapper(container, index)
                html.begin(.div) { $0.set(.class, name) }
                arrange(parts, of: container, planned, &left)
                html.end()
            }
        }
    }

    /// True if hidden children keep their places. Stack views close the gaps.
    private func keepsPlaces(_ planned: PlannedContainer) -> Bool {
        if case .stack = planned.form { false } else { true }
    }

    /// The button that a tap anywhere in an element presses. It lies under the element's own buttons, because a button
    /// cannot hold others.
    mutating func hit(_ element: PageElement, labelledBy ids: [String] = [], describedBy more: [String] = []) {
        html.begin(.button) { attributes in
            attributes.set(.class, "hit")
            if let isChecked = element.node[.checked] {
                attributes.set(.role, "checkbox")
                attributes.set(.isChecked, isChecked.truth ? "true" : "false")
            }
            if element.node.kind == .row, element.isSelected { attributes.set(.current, "true") }
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.action(.tap, element.node.key))
            attributes.set(.labelledBy, ids.isEmpty ? nil : ids.joined(separator: " "))
            attributes.set(.describedBy, more.isEmpty ? nil : more.joined(separator: " "))
            attributes.set(.label, ids.isEmpty ? element.spokenName : nil)
            attributes.set(.disabled, if: element.isDisabled)
        }
        html.end()
    }
}

/// The children of an element that have no place on the page yet.
private struct UnplacedChildren {
    private(set) var nodes: [ViewNode]
    /// The row that the element itself lies in.
    private let around: ItemKey?
    private var placed: Set<NodeID> = []

    init(of element: ViewNode) {
        nodes = Array(ReadingOrder.sorted(element.children))
        around = element.key.item
    }

    /// The child that a node has made. What is repeated with it follows it: all items, each with its parts.
    mutating func take(_ id: NodeID) -> [ViewNode] {
        guard let place = nodes.firstIndex(where: { $0.key.node == id }) else { return [] }
        var end = place + 1
        if let list = nodes[place].key.item?.list, nodes[place].key.item != around {
            end = nodes[place...].firstIndex { $0.key.item?.list != list } ?? nodes.endIndex
        }
        let found = Array(nodes[place..<end])
        nodes.removeSubrange(place..<end)
        if found.count > 1 { placed.formUnion(found.map { $0.key.node }) }
        return found
    }

    func hasPlaced(_ id: NodeID) -> Bool { placed.contains(id) }
}

/// Finds the scene that a view was made of.
enum SceneOfView {
    /// Of several with one name, the first by their own names.
    static func scene(of view: View, in program: Program) -> Scene? {
        let found = program.scenes.values.filter { ($0.identifier ?? $0.name) == view.screen }
        return found.min { $0.name < $1.name }
    }
}
