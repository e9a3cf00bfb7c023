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
        var corners: Set<Corner>?
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

    /// The looks of a screen's bars.
    private struct Bars {
        let top: BarGeometry
        let bottom: BarGeometry
        let tabs: BarGeometry

        /// - Parameter tabScene: the scene that has the bar of the tabs, if it is another.
        init(_ scene: Scene?, _ tabScene: Scene?) {
            top = scene?.navigationBar ?? BarGeometry()
            bottom = scene?.toolbar ?? BarGeometry()
            tabs = (tabScene ?? scene)?.tabBar ?? BarGeometry()
        }

        /// `nil` for a view of another kind.
        func of(_ view: ViewNode) -> BarGeometry? {
            if view.kind == .tabs { return tabs }
            guard view.kind == .bar else { return nil }
            return view.key.node == ViewKey.toolbar ? bottom : top
        }
    }

    private let placed: PlacedScreen
    private let viewport: Viewport
    private let bars: Bars
    private let accessible: [ViewKey: AccessibleNode]
    /// By place.
    private let names: [String]
    /// The places of each key, in paint order.
    private let places: [ViewKey: [Int]]
    /// By place: what buttons and the like are painted with, unless they have a paint.
    private let tints: [Paint?]
    /// By place: true where the colours of the system are those for dark grounds.
    private let isDark: [Bool]

    init(_ view: View, _ placed: PlacedScreen, _ program: Program, _ viewport: Viewport) {
        self.placed = placed
        self.viewport = viewport
        let bars = Bars(
            placed.boxes.first.flatMap { program.scenes[$0.scene] }, view.tabScene.flatMap { program.scenes[$0] })
        self.bars = bars
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
            tints.append(
                box.look?.appearance.tint ?? bars.of(box.view).flatMap { BarSheet.tint(of: $0) } ?? inherited)
        }
        self.tints = tints
        isDark = PaintedElements.darkPlaces(placed, bars, program, viewport)
    }

    /// An opaque ground of the author's decides which colours hold in it; else the scheme does.
    private static func darkPlaces(
        _ placed: PlacedScreen, _ bars: Bars, _ program: Program, _ viewport: Viewport
    ) -> [Bool] {
        var places: [Bool] = []
        places.reserveCapacity(placed.boxes.count)
        for box in placed.boxes {
            let around = box.parent.map { places[$0] } ?? (viewport.scheme == .dark)
            let node = program.scenes[box.scene]?.node(box.key.node)
            if let bar = bars.of(box.view) {
                places.append(BarSheet.isDark(bar) ?? around)
            } else if let node, AppearanceStyle.hasContent(node), let own = AppearanceStyle.ground(of: node) {
                places.append(own)
            } else {
                places.append(around)
            }
        }
        return places
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
            paint: paints(of: box, tints[place], isDark: isDark[place]), accessible: accessible[box.key])
    }

    private func isInSelectedRow(_ box: PlacedBox) -> Bool {
        var parent = box.parent
        while let place = parent {
            if placed.boxes[place].view.isTrue(.selected) { return true }
            parent = placed.boxes[place].parent
        }
        return false
    }

    // MARK: - Colours

    private func paints(of box: PlacedBox, _ tint: Paint?, isDark: Bool) -> Paints {
        let color = { (paint: Paint) in PaintedElements.color(paint, isDark: isDark) }
        let appearance = box.look?.appearance
        var paints = Paints()
        paints.alpha = min(max(box.view.number(.alpha) ?? appearance?.alpha ?? 1, 0), 1)
        paints.cornerRadius = appearance?.cornerRadius ?? 0
        paints.corners = appearance?.corners
        let configuration = box.look?.button?.configuration
        if paints.cornerRadius == 0, let configuration, configuration.groundShare != nil {
            paints.cornerRadius = configuration.cornerRadius(of: box.frame.height)
        }
        paints.borderWidth = appearance?.borderWidth ?? 0
        paints.border = paints.borderWidth > 0 ? color(appearance?.border ?? PaintedElements.usualBorder) : nil
        let background = appearance?.background ?? bars.of(box.view).map { BarSheet.ground(of: $0) }
        paints.background = background.map(color)
        if paints.background == nil, let configuration, let share = configuration.groundShare {
            let usual = configuration.usualGround.map { $0 == .tint ? tint ?? .role(.tint) : .role($0) }
            let isDisabled = box.view.isTrue(.disabled)
            paints.background = (isDisabled ? .role(.fill) : configuration.background ?? usual).map { paint in
                var ground = color(paint)
                if !isDisabled { ground.alpha = UInt8((Double(ground.alpha) * share).rounded()) }
                return ground
            }
        }
        if box.font != nil {
            paints.foreground = color(foreground(of: box, tint))
        } else if [.toggle, .slider, .progress, .pageControl, .segments, .activity].contains(box.view.kind) {
            paints.foreground = (appearance?.foreground).map(color)
        }
        return paints
    }

    /// The paint of tabs that are not chosen.
    private static let otherTab = Paint.pair(
        light: RGBA(red: UInt8(0x63), green: 0x63, blue: 0x66), dark: RGBA(red: UInt8(0xAE), green: 0xAE, blue: 0xB2))

    /// The paint of a border for which its author chose none.
    private static let usualBorder = Paint.value(RGBA(red: UInt8(0), green: 0, blue: 0))

    private func foreground(of box: PlacedBox, _ tint: Paint?) -> Paint {
        let appearance = box.look?.appearance
        switch box.view.kind {
        case .button:
            if let configuration = box.look?.button?.configuration, appearance?.titleColor == nil {
                if box.view.isTrue(.disabled) { return .role(.tertiaryLabel) }
                if let own = configuration.foreground { return own }
                if configuration.isProminent { return .value(RGBA(red: UInt8(255), green: 255, blue: 255)) }
            }
            return appearance?.titleColor ?? tint ?? .role(.tint)
        case .label where appearance?.highlighted != nil && isInSelectedRow(box):
            return appearance?.highlighted ?? .role(.label)
        case .tab: return box.view.isTrue(.selected) ? tint ?? .role(.tint) : PaintedElements.otherTab
        case .barTitle: return appearance?.foreground ?? bars.top.titleColor ?? .role(.label)
        case .textField, .textArea, .searchField:
            let isEmpty = box.view.text(.text).isEmpty
            return isEmpty ? .role(.placeholderText) : appearance?.foreground ?? .role(.label)
        default: return appearance?.foreground ?? .role(.label)
        }
    }

    private static func color(_ paint: Paint, isDark: Bool) -> RGBA {
        switch paint {
        case .value(let value): return value
        case .pair(let light, let dark): return isDark ? dark : light
        case .role(let role):
            let pair = RoleColors.pair(of: role)
            return isDark ? pair.dark : pair.light
        }
    }
}
