internal import WidgetCore
internal import WidgetLayout

/// The boxes of a screen with their colours for a scheme, and with what they mean to a person.
struct PaintedElements {
    struct Paints {
        var alpha = 1.0
        var background: RGBA?
        var foreground: RGBA?
        var border: RGBA?
        var borderWidth = 0.0
        var cornerRadius = 0.0
    }

    struct Element {
        var box: PlacedBox
        /// Its place in paint order.
        var place: Int
        /// Its name among all: the key, with a number where lists within rows show one record in several of them.
        var name: String
        var parent: String?
        var content: Size?
        var paint: Paints
        /// `nil` for a box that only its content makes visible.
        var accessible: AccessibleNode?
    }

    private let placed: PlacedScreen
    private let viewport: Viewport
    private let bar: BarGeometry
    private let accessible: [ViewKey: AccessibleNode]
    /// By place.
    private let names: [String]
    /// The places of each key, in paint order.
    private let places: [ViewKey: [Int]]
    /// By place: what buttons and the like are painted with, unless they have a paint.
    private let tints: [Paint?]

    init(_ view: View, _ placed: PlacedScreen, _ program: Program, _ viewport: Viewport) {
        self.placed = placed
        self.viewport = viewport
        bar = placed.boxes.first.flatMap { program.scenes[$0.scene]?.navigationBar } ?? BarGeometry()
        var accessible: [ViewKey: AccessibleNode] = [:]
        var pending = [AccessibleNode(view.root)]
        while let node = pending.popLast() {
            accessible[node.key] = node
            pending.append(contentsOf: node.children)
        }
        self.accessible = accessible
        var (names, places): ([String], [ViewKey: [Int]]) = ([], [:])
        names.reserveCapacity(placed.boxes.count)
        for (place, box) in placed.boxes.enumerated() {
            places[box.key, default: []].append(place)
            let turn = places[box.key]?.count ?? 1
            names.append(turn > 1 ? "\(PageKey.text(box.key))~\(turn)" : PageKey.text(box.key))
        }
        (self.names, self.places) = (names, places)
        var tints: [Paint?] = []
        tints.reserveCapacity(placed.boxes.count)
        for box in placed.boxes {
            let inherited = box.parent.flatMap { tints[$0] }
            tints.append(box.look?.appearance.tint ?? (box.view.kind == .bar ? bar.tint : nil) ?? inherited)
        }
        self.tints = tints
    }

    /// Each element before those in it; those in it from top to bottom.
    var inReadingOrder: [Element] {
        guard let root = placed.boxes.first?.view else { return [] }
        var (elements, pending): ([Element], [ViewNode]) = ([], [root])
        elements.reserveCapacity(placed.boxes.count)
        var turns: [ViewKey: Int] = [:]
        while let view = pending.popLast() {
            if let places = places[view.key] {
                let turn = places.count > 1 ? turns[view.key, default: 0] : 0
                if places.count > 1 { turns[view.key] = turn + 1 }
                if turn < places.count { elements.append(element(at: places[turn])) }
            }
            pending.append(contentsOf: ReadingOrder.sorted(view.children).reversed())
        }
        return elements
    }

    private func element(at place: Int) -> Element {
        let box = placed.boxes[place]
        return Element(
            box: box, place: place, name: names[place], parent: box.parent.map { names[$0] },
            content: placed.contents[place],
            paint: paints(of: box, tints[place]), accessible: accessible[box.key])
    }

    // MARK: - Colours

    private func paints(of box: PlacedBox, _ tint: Paint?) -> Paints {
        let appearance = box.look?.appearance
        var paints = Paints()
        paints.alpha = min(max(box.view.number(.alpha) ?? appearance?.alpha ?? 1, 0), 1)
        paints.cornerRadius = appearance?.cornerRadius ?? 0
        paints.borderWidth = appearance?.borderWidth ?? 0
        paints.border = (appearance?.border).map(color)
        let background = appearance?.background ?? (box.view.kind == .bar ? bar.background ?? .role(.bar) : nil)
        paints.background = background.map(color)
        if box.font != nil { paints.foreground = color(foreground(of: box, tint)) }
        return paints
    }

    private func foreground(of box: PlacedBox, _ tint: Paint?) -> Paint {
        let appearance = box.look?.appearance
        switch box.view.kind {
        case .button: return appearance?.titleColor ?? tint ?? .role(.tint)
        case .barTitle: return appearance?.foreground ?? bar.titleColor ?? .role(.label)
        case .textField, .textArea, .searchField:
            let isEmpty = box.view.text(.text).isEmpty
            return isEmpty ? .role(.placeholderText) : appearance?.foreground ?? .role(.label)
        default: return appearance?.foreground ?? .role(.label)
        }
    }

    private func color(_ paint: Paint) -> RGBA {
        let isDark = viewport.scheme == .dark
        switch paint {
        case .value(let value): return value
        case .pair(let light, let dark): return isDark ? dark : light
        case .role(let role):
            let pair = RoleColors.pair(of: role)
            return isDark ? pair.dark : pair.light
        }
    }
}
