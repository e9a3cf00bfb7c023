internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup
internal import WidgetPredicates

/// Fields that a person types in, controls whose value a person moves, and two that only show one.
extension PageBody {
    // MARK: - Fields

    mutating func field(_ element: PageElement) {
        let typing = element.look?.typing
        let isCompleted = options.completesFields
        typed(element, "tf", FieldTraits.type(element.node, typing)) { attributes in
            FieldTraits.set(&attributes, element.node, typing, isCompleted: isCompleted)
        }
    }

    mutating func searchField(_ element: PageElement) {
        html.begin(.search) { attributes in
            element.box(&attributes, "sb")
            attributes.set(.label, options.part.flatMap { $0.heading.isEmpty ? nil : $0.heading })
        }
        input(element, "search") { $0.set(.enterkeyhint, "search") }
        children(of: element)
        fault(of: element)
        html.end()
    }

    private mutating func typed(
        _ element: PageElement, _ kind: String, _ type: String, _ more: (inout HTMLAttributes) -> Void
    ) {
        let border = element.look?.appearance.fieldBorder ?? .rounded
        let own = kind == "tf" ? "tf b\(border.rawValue)" : kind
        let name = hasMessageBelow(element) ? "\(own) fl" : own
        html.begin(.span) { element.box(&$0, name) }
        input(element, type, more)
        fault(of: element)
        html.end()
    }

    private mutating func input(_ element: PageElement, _ type: String, _ more: (inout HTMLAttributes) -> Void) {
        let takesFocus = takesFocus(element)
        html.begin(.input) { attributes in
            attributes.set(.type, type)
            element.type(&attributes, takesFocus: takesFocus)
            // A secret is not part of a page.
            if !element.node.isTrue(.isSecure) { attributes.set(.value, element.node.text(.text)) }
            more(&attributes)
        }
    }

    private mutating func takesFocus(_ element: PageElement) -> Bool {
        guard element.node.isTrue(.focused), !element.isDisabled else { return false }
        focused.append(element.id)
        guard !hasFocus, !isOperation else { return false }
        hasFocus = true
        return true
    }

    /// The reason why a field is invalid: below what is typed, where the field can grow, and else beside it.
    mutating func fault(of element: PageElement) {
        guard let fault = element.accessible.fault else { return }
        html.element(.span, text: fault) { attributes in
            attributes.set(.class, "er")
            attributes.set(.id, element.faultName)
        }
    }

    /// True for an invalid field in whose box there is room for a line more: nothing around it has a fixed height, and what
    /// follows makes way.
    private func hasMessageBelow(_ element: PageElement) -> Bool {
        guard element.accessible.fault != nil else { return false }
        guard let plan = plans?.plan, let scene else { return true }
        var next: NodeID? = element.node.key.node
        for _ in 0..<PageBody.climbLimit {
            guard let id = next, let node = scene.node(id) else { return true }
            if id != element.node.key.node, node.look?.scrolling != nil { return true }
            if let box = plan.boxes[id] {
                if case .free = box.placement, id == element.node.key.node { return false }
                if case .fixed = box.y.length { return false }
            }
            next = node.parent
        }
        return false
    }

    /// Boxes around a field that are looked at.
    private static let climbLimit = 100

    mutating func area(_ element: PageElement) {
        let isLine = element.look?.scrolling?.isEnabled == false
        let border = element.look?.appearance.fieldBorder.map { " b\($0.rawValue)" } ?? ""
        guard element.node.isTrue(.readOnly) else {
            let takesFocus = takesFocus(element)
            html.begin(.span) { element.box(&$0, (isLine ? "ta ln" : "ta") + border) }
            html.element(.textarea, text: element.node.text(.text)) {
                element.type(&$0, takesFocus: takesFocus)
            }
            fault(of: element)
            html.end()
            return
        }
        html.begin(.div) { attributes in
            element.identify(&attributes, "ta ro")
            attributes.set(.role, "textbox")
            attributes.set(.isMultiline, "true")
            attributes.set(.isReadOnly, "true")
            attributes.set(.tabindex, "0")
            element.label(&attributes)
        }
        words(of: element, element.node.text(.text), followsLinks: true)
        html.end()
    }

    /// The value is a moment of the reader's day, without a zone, as HTML wants it.
    mutating func datePicker(_ element: PageElement) {
        let name = hasMessageBelow(element) ? "dp fl" : "dp"
        html.begin(.span) { element.box(&$0, name) }
        html.begin(.input) { attributes in
            FieldTraits.set(date: element.node, &attributes)
            element.type(&attributes, takesFocus: false)
        }
        if DateMode(element.node[.dateMode]) == .countdown { html.element(.span, text: "min") }
        fault(of: element)
        html.end()
    }

    // MARK: - Values

    mutating func toggle(_ element: PageElement) {
        html.begin(.input) { attributes in
            attributes.set(.type, "checkbox")
            attributes.set(.role, "switch")
            element.control(&attributes, "sw")
            attributes.set(.value, "on")
            attributes.set(.checked, if: element.node.isTrue(.value))
        }
    }

    mutating func slider(_ element: PageElement) {
        let node = element.node
        html.begin(.input) { attributes in
            attributes.set(.type, "range")
            element.control(&attributes, "sl")
            attributes.set(.min, PageKey.number(node[.minimum]?.number ?? 0))
            attributes.set(.max, PageKey.number(node[.maximum]?.number ?? 1))
            attributes.set(.step, "any")
            attributes.set(.value, PageKey.number(node[.value]?.number ?? 0))
        }
    }

    mutating func stepper(_ element: PageElement) {
        html.begin(.div) { attributes in
            element.identify(&attributes, "st")
            attributes.set(.role, "group")
            element.label(&attributes)
            attributes.set(.describedBy, element.faultName)
        }
        html.element(.output, text: element.accessible.value ?? "") { $0.set(.class, "vh") }
        turn(element, by: -1, words[.decrement], "\u{2212}")
        turn(element, by: 1, words[.increment], "+")
        html.end()
    }

    /// A button that moves the value by one step.
    private mutating func turn(_ element: PageElement, by direction: Double, _ name: String, _ sign: String) {
        let moved = element.node.kind.row.value(of: element.node, moved: direction)?.number
        html.element(.button, text: sign) { attributes in
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.input(element.node.key, moved ?? 0))
            attributes.set(.label, "\(name), \(element.spokenName)")
            attributes.set(.disabled, if: element.isDisabled || moved == nil)
        }
    }

    mutating func pageControl(_ element: PageElement) {
        let count = Int(exactly: (element.node[.pageCount]?.number ?? 0).rounded()) ?? 0
        let page = Int(exactly: (element.node[.value]?.number ?? 0).rounded()) ?? 0
        html.begin(.div) { attributes in
            element.identify(&attributes, "pc")
            attributes.set(.role, "group")
            element.label(&attributes)
        }
        html.element(.output, text: element.accessible.value ?? "") { $0.set(.class, "vh") }
        // Dots are for the eye; many do not fit.
        for dot in 0..<min(max(count, 0), PageBody.dotLimit) {
            html.begin(.span) { $0.set(.class, dot == page ? "dot on" : "dot") }
            html.end()
        }
        turn(element, by: -1, words[.previousPage], "")
        turn(element, by: 1, words[.nextPage], "")
        html.end()
    }

    /// The most dots of a page control.
    private static let dotLimit = 20

    // MARK: - Choices

    private func titles(_ element: PageElement) -> (shown: [String], more: Int) {
        let titles = element.node[.titles]?.elements ?? []
        return (titles.prefix(options.choiceLimit).map { $0.shown }, max(0, titles.count - options.choiceLimit))
    }

    private func choice(_ element: PageElement) -> Int? { element.node[.value]?.number.flatMap { Int(exactly: $0) } }

    mutating func segments(_ element: PageElement) {
        let (titles, chosen) = (titles(element), choice(element))
        html.begin(.fieldset) { attributes in
            element.identify(&attributes, "sg")
            attributes.set(.role, "radiogroup")
            element.label(&attributes)
            element.judge(&attributes)
            attributes.set(.disabled, if: element.isDisabled)
        }
        for (place, title) in titles.shown.enumerated() {
            html.begin(.label)
            html.begin(.input) { attributes in
                attributes.set(.type, "radio")
                attributes.set(.name, element.key)
                attributes.set(.value, "\(place)")
                attributes.set(.checked, if: place == chosen)
                if FitText.seen(title) == nil { attributes.set(.label, words[.segment, ["number": "\(place + 1)"]]) }
            }
            html.element(.span, text: title)
            html.end()
        }
        omitted(titles.more)
        html.end()
    }

    /// The number of choices that a page leaves out.
    private mutating func omitted(_ count: Int) {
        if count > 0 { html.element(.span, text: words[.andMore, ["count": "\(count)"]]) }
    }

    mutating func picker(_ element: PageElement) {
        let (titles, chosen) = (titles(element), choice(element))
        html.begin(.select) { attributes in
            element.control(&attributes, "pk")
        }
        if chosen.map({ !titles.shown.indices.contains($0) }) ?? true {
            html.element(.option, text: element.accessible.value ?? "") { attributes in
                attributes.set(.value, "-1")
                attributes.set(.selected, if: true)
                attributes.set(.disabled, if: true)
                if element.accessible.value?.isEmpty ?? true { attributes.set(.label, words[.nothing]) }
            }
        }
        for (place, title) in titles.shown.enumerated() {
            html.element(.option, text: title) { attributes in
                attributes.set(.value, "\(place)")
                attributes.set(.selected, if: place == chosen)
            }
        }
        if titles.more > 0 {
            html.element(.option, text: "and \(titles.more) more") { $0.set(.disabled, if: true) }
        }
        html.end()
    }

    // MARK: - Progress

    mutating func activity(_ element: PageElement) {
        html.begin(.div) { attributes in
            element.identify(&attributes, element.look?.appearance.isLarge == true ? "ac lg" : "ac")
            attributes.set(.role, "progressbar")
            attributes.set(.label, element.spokenName)
        }
        html.end()
    }

    mutating func progress(_ element: PageElement) {
        let part = element.node[.value]?.number ?? 0
        html.begin(.progress) { attributes in
            element.identify(&attributes, "pg")
            element.label(&attributes)
            attributes.set(.max, "1")
            attributes.set(.value, PageKey.number(min(max(part, 0), 1)))
        }
        html.end()
    }
}
