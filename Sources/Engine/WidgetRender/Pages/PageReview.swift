package import WidgetCore
internal import WidgetLayout
internal import WidgetPredicates

/// The faults that screens of a program would have, found without running it: text that is hard to read or would be cut
/// off, controls without names, and rules that contradict each other or leave a place open. Each is a warning, because the
/// widget runs all the same.
package struct PageReview: Sendable {
    /// The contrasts that texts need: WCAG's, for text and for large text.
    package static let leastContrast = 4.5
    package static let leastContrastOfLargeText = 3.0
    /// Text of so many points is large; bold text of somewhat less, too.
    private static let largeSize = 24.0
    private static let largeBoldSize = 18.66
    private static let boldWeight = 600
    /// Text has to fit when readers make it twice as large.
    private static let zoom = 2.0
    /// Views around a text that its ground is looked for in.
    private static let groundDepth = 100
    /// Siblings that may lie behind a text, by container. Behind more of them its ground is not known.
    private static let painterCount = 16
    /// Nodes of all screens together. Beyond them the screens are not looked at.
    package static let nodeLimit = 50_000

    package private(set) var diagnostics: [Finding]

    /// - Parameters:
    ///   - most: the most findings.
    ///   - pictureFault: returns the reason why a picture of the bundle cannot be shown; `nil` for the others.
    package init(
        _ program: Program, upTo most: Int = Program.diagnosticCount,
        pictureFault: (String) -> String? = { _ in nil }
    ) {
        let count = program.scenes.values.reduce(0) { $0 + $1.nodes.count }
        guard count <= PageReview.nodeLimit else {
            diagnostics = [
                Finding(
                    .warning, .notReviewed,
                    "The screens have \(count) elements together, and were not looked at for what readers would miss",
                    hint: "up to \(PageReview.nodeLimit) are looked at")
            ]
            return
        }
        diagnostics = Array(PlannedProgram(program).findings.prefix(most))
        diagnostics += PictureReview.diagnostics(of: program, pictureFault).prefix(most - diagnostics.count)
        diagnostics += RuleReview(program, upTo: most - diagnostics.count).findings
        diagnostics += ReachReview(program, upTo: most - diagnostics.count).findings
        var sites: Set<Site> = []
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) {
            var review = SceneReview(scene, sites)
            review.find(upTo: most - diagnostics.count)
            diagnostics += review.diagnostics
            sites = review.sites
        }
    }

    /// A place in a file with a fault of it. A part that several screens use is reported once.
    private struct Site: Hashable {
        let code: Finding.Code
        let place: Place
        /// Of a place without a line, which many elements of a compiled file share.
        let message: String?

        init(_ code: Finding.Code, _ place: Place, _ message: String) {
            self.code = code
            self.place = place
            self.message = place.line > 0 ? nil : message
        }
    }

    private struct SceneReview {
        let scene: Scene
        var diagnostics: [Finding] = []
        /// Those that are reported.
        var sites: Set<Site>
        /// The heights that rules fix, by node.
        private var heights: [NodeID: Double] = [:]
        /// Selected backgrounds and the like, which are behind nothing most of the time.
        private let hidden: Set<NodeID>
        /// The lists that rows belong to.
        private var lists: [NodeID: NodeID] = [:]
        /// The grounds that were found so far, by node; `nil` for one that is not known.
        private var grounds: [NodeID: Paint?] = [:]
        /// The children of each container that may lie behind later ones, in their order.
        private var painters: [NodeID: [(place: Int, frame: Frame)]] = [:]
        /// The places of children among their siblings.
        private var places: [NodeID: Int] = [:]
        /// The numbers of elements without names among those of their class in a compiled file, if it has several.
        private var turns: [NodeID: Int] = [:]

        init(_ scene: Scene, _ sites: Set<Site>) {
            self.scene = scene
            self.sites = sites
            hidden = Set(scene.nodes.indices.filter { scene.nodes[$0].look?.geometry.role == .selectedBackground })
            for (id, node) in scene.nodes.enumerated() {
                guard let list = node.list else { continue }
                for prototype in list.prototypes.values { lists[prototype] = id }
            }
            for (id, node) in scene.nodes.enumerated() { findPainters(of: id, node) }
            findTurns()
            for rule in scene.rules
            where rule.attribute == .height && rule.relation != .greaterOrEqual && rule.second == nil
                && rule.priority == LayoutRule.required && rule.node == nil && rule.first.area == .bounds
            {
                heights[rule.first.node] = rule.constant
            }
        }

        mutating func find(upTo limit: Int) {
            for id in scene.nodes.indices {
                guard diagnostics.count < limit else { return }
                let node = scene.nodes[id]
                checkContrast(id, node)
                checkName(id, node)
                checkDrawing(id, node)
                checkHeight(id, node)
            }
        }

        private mutating func report(
            _ code: Finding.Code, _ message: String, _ id: NodeID, _ node: Node, hint: String
        ) {
            var place = node.place
            if let turn = turns[id] { place?.path += " \(turn)" }
            if let place, !sites.insert(Site(code, place, message)).inserted { return }
            diagnostics.append(
                Finding(.warning, code, message, at: place, value: node.identifier?.excerpt, hint: hint))
        }

        /// Numbers the elements that neither a name nor a line distinguishes.
        private mutating func findTurns() {
            var unnamed: [Place: [NodeID]] = [:]
            for (id, node) in scene.nodes.enumerated() where node.identifier == nil {
                if let place = node.place, place.line == 0 { unnamed[place, default: []].append(id) }
            }
            for ids in unnamed.values where ids.count > 1 {
                for (turn, id) in ids.enumerated() { turns[id] = turn + 1 }
            }
        }

        /// The name of a node in a sentence.
        private func name(_ node: Node) -> String {
            node.identifier.map { "\(node.kind.row.name) \($0.excerpt)" } ?? "A \(node.kind.row.name)"
        }

        // MARK: - Contrast

        private mutating func checkContrast(_ id: NodeID, _ node: Node) {
            guard let look = node.look, node.kind.showsText, node[.hidden]?.literal?.truth != true else { return }
            let appearance = look.appearance
            guard let paint = appearance.titleColor ?? appearance.foreground, let ground = ground(of: id),
                !Contrast.isOfSystem(paint, on: ground)
            else { return }
            let font = appearance.font
            let size = font?.size ?? 17
            let isLarge =
                size >= PageReview.largeSize
                || size >= PageReview.largeBoldSize && (font?.weight ?? 400) >= PageReview.boldWeight
            let least = isLarge ? PageReview.leastContrastOfLargeText : PageReview.leastContrast
            for (isDark, scheme) in [(false, "light"), (true, "dark")] {
                let contrast = Contrast.ratio(of: paint, on: ground, isDark: isDark)
                guard contrast < least else { continue }
                report(
                    .lowContrast,
                    "\(name(node)) has a contrast of \(Contrast.shown(contrast)) : 1 in the \(scheme) scheme", id, node,
                    hint: "readers need \(Contrast.shown(least)) : 1; make its colour or its background differ more")
                return
            }
        }

        /// Records where children stand, and which of them may lie behind those that come later: pictures, and boxes with
        /// a background.
        private mutating func findPainters(of id: NodeID, _ node: Node) {
            for (place, child) in node.children.enumerated() {
                places[child] = place
                guard let other = scene.node(child), !hidden.contains(child), let frame = other.frame,
                    other.kind == .image || other.look?.appearance.background?.isOpaque == true,
                    painters[id, default: []].count <= PageReview.painterCount
                else { continue }
                painters[id, default: []].append((place, frame))
            }
        }

        /// The nearest background that lets nothing through; `nil` where a picture or a bar may lie behind a text.
        private mutating func ground(of id: NodeID) -> Paint? {
            var (passed, place): ([NodeID], NodeID?) = ([], id)
            var found: Paint?
            while let current = place, passed.count < PageReview.groundDepth, let node = scene.node(current) {
                if let known = grounds[current] {
                    found = known
                    break
                }
                passed.append(current)
                if let paint = node.look?.appearance.background, paint.isOpaque {
                    found = paint
                    break
                }
                if let parent = node.parent, liesOverPainter(current, node, in: parent) { break }
                if current == scene.root {
                    found = .role(.background)
                    break
                }
                place = node.parent ?? lists[current]
            }
            for node in passed { grounds.updateValue(found, forKey: node) }
            return found
        }

        /// True if an earlier sibling may lie behind a node.
        private func liesOverPainter(_ id: NodeID, _ node: Node, in parent: NodeID) -> Bool {
            guard let frame = node.frame, let own = places[id], let painters = painters[parent] else { return false }
            for (count, painter) in painters.enumerated() where painter.place < own {
                let isApart =
                    painter.frame.x + painter.frame.width <= frame.x || frame.x + frame.width <= painter.frame.x
                    || painter.frame.y + painter.frame.height <= frame.y
                    || frame.y + frame.height <= painter.frame.y
                if !isApart || count == PageReview.painterCount { return true }
            }
            return false
        }

        // MARK: - Names

        /// Reports a control without a name: without text, picture, placeholder and accessible name.
        private mutating func checkName(_ id: NodeID, _ node: Node) {
            guard node.kind.row.isControl || node.kind == .button, node.look != nil else { return }
            let names: [PropertyName] = [.accessibleName, .text, .titles, .placeholder, .image, .imageURL]
            let hasName = names.contains { name in
                guard let expression = node[name] else { return false }
                return expression.literal.map { !$0.isEmptyText } ?? true
            }
            guard !hasName else { return }
            report(
                .missingName, "\(name(node)) has no name that can be read aloud", id, node,
                hint: "give it an accessibility label")
        }

        /// Reports a view that code draws.
        private mutating func checkDrawing(_ id: NodeID, _ node: Node) {
            guard case .unknown(let name) = node.kind else { return }
            report(
                .notDrawn, "\(name.excerpt) is drawn by code, and a page has a box with its name in its place", id,
                node,
                hint: "show it with labels and pictures, if readers of pages need it")
        }

        // MARK: - Height

        /// Reports text in a height that a rule fixes and twice the text would not fit in.
        private mutating func checkHeight(_ id: NodeID, _ node: Node) {
            guard node.kind.showsText, let height = heights[id], let look = node.look else { return }
            let size = look.appearance.font?.size ?? 17
            let needed = size * ResolvedFont.lineHeight * PageReview.zoom
            guard height > 0, height < needed else { return }
            report(
                .clippedText, "\(name(node)) is \(Contrast.shown(height)) points high, however long its text is", id,
                node,
                hint: "text of twice the size needs \(Contrast.shown(needed)); let the height follow the text")
        }
    }
}

/// The contrast of two colours, as WCAG defines it.
enum Contrast {
    /// True for a colour of the system on one of its grounds, which it is made for: the system's values are kept, and a
    /// reader who needs more contrast asks the system for it.
    static func isOfSystem(_ paint: Paint, on ground: Paint) -> Bool {
        guard case .role(let color) = paint, case .role(let base) = ground else { return false }
        return color.isSystemInk && base.isGround
    }

    static func ratio(of paint: Paint, on ground: Paint, isDark: Bool) -> Double {
        let below = ground.value(isDark: isDark)
        let above = paint.value(isDark: isDark).over(below)
        let (one, other) = (above.luminance, below.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// With one digit behind the point.
    static func shown(_ number: Double) -> String {
        let tenths = Int((min(max(number, 0), 1e6) * 10).rounded(.down))
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Paint {
    fileprivate func value(isDark: Bool) -> RGBA {
        switch self {
        case .role(let role):
            let pair = RoleColors.pair(of: role)
            return isDark ? pair.dark : pair.light
        case .value(let color): return color
        case .pair(let light, let dark): return isDark ? dark : light
        }
    }

    fileprivate var isOpaque: Bool {
        switch self {
        case .role(let role):
            let pair = RoleColors.pair(of: role)
            return pair.light.alpha == 255 && pair.dark.alpha == 255
        case .value(let color): return color.alpha == 255
        case .pair(let light, let dark): return light.alpha == 255 && dark.alpha == 255
        }
    }
}

extension ColorRole {
    /// True for the colours that the system draws texts and signs with.
    fileprivate var isSystemInk: Bool {
        switch self {
        case .label, .secondaryLabel, .tertiaryLabel, .quaternaryLabel, .placeholderText, .link, .tint, .blue, .brown,
            .cyan, .green, .indigo, .mint, .orange, .pink, .purple, .red, .teal, .yellow, .gray, .gray2:
            true
        default: false
        }
    }

}

extension RGBA {
    /// The colour that shows where this one lies over another, which is opaque.
    fileprivate func over(_ ground: RGBA) -> RGBA {
        let share = Int(alpha)
        func mixed(_ above: UInt8, _ below: UInt8) -> UInt8 {
            let sum = Int(above) * share + Int(below) * (255 - share)
            return UInt8((sum + 127) / 255)
        }
        return RGBA(
            red: mixed(red, ground.red), green: mixed(green, ground.green), blue: mixed(blue, ground.blue))
    }
}

extension NodeKind {
    /// True if a text of it is drawn in a colour of the author's.
    fileprivate var showsText: Bool {
        switch self {
        case .label, .button, .textField, .textArea: true
        default: false
        }
    }
}

extension Value {
    fileprivate var isEmptyText: Bool { elements?.isEmpty ?? (string?.isEmpty ?? (shown.isEmpty)) }
}
