/// The layout of views: below each other with a margin, or in stack views. Frames are those that a phone of 2018 would
/// show, nearly; constraints decide.
extension StoryboardWriter {
    struct Frame: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// A screen's size, and the height of the bars above it.
    private static let screen = Frame(x: 0, y: 0, width: 375, height: 667)
    private static let barHeight = 64.0
    /// The colour behind a screen for which its author chose none. It follows the scheme.
    static let ground = NotationColor.system("systemBackground")

    mutating func screenView(_ number: Int) -> StoryboardElement {
        let node = document.nodes[number]
        let frame = StoryboardWriter.screen
        var view = StoryboardElement(
            "view", ["key": "view", "contentMode": "scaleToFill", "id": id(number, "view")],
            [
                rect(frame.x, frame.y, frame.width, frame.height),
                StoryboardElement(
                    "autoresizingMask", ["key": "autoresizingMask", "widthSizable": "YES", "heightSizable": "YES"]),
            ])
        view.position = node.position
        let parts = chain(number, in: id(number, "view"), frame)
        view.add("subviews", parts.views)
        store(node, &view)
        if node.color("background") == nil {
            view.children.append(StoryboardWriter.color(StoryboardWriter.ground, key: "backgroundColor"))
        }
        view.add("constraints", parts.constraints)
        return view
    }

    // MARK: - Chains

    static func margin(_ node: NotationNode) -> Double { node.number("margin") ?? (node.kind == .cell ? 12 : 16) }

    static func spacing(_ node: NotationNode) -> Double { node.number("spacing") ?? (node.kind == .cell ? 4 : 8) }

    private func isFilling(_ number: Int) -> Bool {
        let node = document.nodes[number]
        return (node.kind.fillsHeight || node.has("fill")) && !node.has("height")
    }

    private func keepsWidth(_ number: Int) -> Bool {
        let node = document.nodes[number]
        return node.kind.keepsWidth || node.has("width")
    }

    /// The space above a view in a chain.
    private func gap(_ previous: Int?, _ number: Int, in node: NotationNode) -> Double {
        let reaches = document.nodes[number].kind.reachesEdges
        guard let previous else { return reaches ? 0 : StoryboardWriter.margin(node) }
        return reaches && document.nodes[previous].kind.reachesEdges ? 0 : StoryboardWriter.spacing(node)
    }

    private func views(in number: Int) -> (flow: [Int], centered: [Int]) {
        let views = document.nodes[number].children.filter {
            NotationKind.views.contains(document.nodes[$0].kind)
        }
        return (
            views.filter { !document.nodes[$0].has("centered") }, views.filter { document.nodes[$0].has("centered") }
        )
    }

    /// Returns the views of a screen, a view or a cell with the constraints that hold them below each other.
    ///
    /// - Parameter container: the id of the view around them.
    mutating func chain(
        _ number: Int, in container: String, _ frame: Frame
    ) -> (views: [StoryboardElement], constraints: [StoryboardElement]) {
        let node = document.nodes[number]
        let (flow, centered) = views(in: number)
        let margin = StoryboardWriter.margin(node)
        let isScreen = node.kind == .screen
        let fillers = isScreen ? flow.filter { isFilling($0) } : []
        let filled = fillerHeight(flow, fillers, node, frame)
        var elements: [StoryboardElement] = []
        var constraints: [StoryboardElement] = []
        var y = 0.0
        var previous: Int?
        var hasWidth = node.kind != .scroll
        for child in flow {
            let own = document.nodes[child]
            let side = own.kind.reachesEdges ? 0 : margin
            let gap = gap(previous, child, in: node)
            y += gap
            // What scrolls begins below the bars by itself.
            let isBelowBars = previous == nil && isScreen && !own.kind.fillsHeight
            if isBelowBars { y += StoryboardWriter.barHeight }
            var place = Frame(x: side, y: y, width: max(frame.width - 2 * side, 0), height: 0)
            if keepsWidth(child) { place.width = width(of: child) }
            place.height = fillers.contains(child) ? filled : height(of: child, width: place.width)
            if own.kind == .activity { place.x = (frame.width - place.width) / 2 }
            y += place.height
            elements.append(view(child, place))
            let item = id(child)
            let above: (String, String) =
                if let previous {
                    (id(previous), "bottom")
                } else if isBelowBars {
                    (id(number, "top"), "bottom")
                } else {
                    (container, "top")
                }
            constraints.append(
                StoryboardWriter.constraint(id(child, "above"), (item, "top"), above, gap, owner: container))
            if own.kind == .activity {
                constraints.append(
                    StoryboardWriter.constraint(
                        id(child, "middle"), (item, "centerX"), (container, "centerX"), owner: container))
            } else {
                constraints.append(
                    StoryboardWriter.constraint(
                        id(child, "leading"), (item, "leading"), (container, "leading"), side, owner: container))
                if !keepsWidth(child) {
                    constraints.append(
                        StoryboardWriter.constraint(
                            id(child, "trailing"), (item, "trailing"), (container, "trailing"), side,
                            owner: container, swapped: true))
                }
            }
            if !hasWidth, !keepsWidth(child) {
                // What scrolls is as wide as what it scrolls in.
                constraints.append(
                    StoryboardWriter.constraint(
                        id(child, "width"), (item, "width"), (container, "width"), -2 * side, owner: container))
                hasWidth = true
            }
            if let first = fillers.first, child != first, fillers.contains(child) {
                constraints.append(
                    StoryboardWriter.constraint(
                        id(child, "share"), (item, "height"), (id(first), "height"), owner: container))
            }
            previous = child
        }
        if let last = previous, !isScreen || !fillers.isEmpty {
            constraints.append(end(last, number, in: container, margin))
        }
        for child in centered {
            let size = (width: width(of: child), height: height(of: child, width: width(of: child)))
            elements.append(
                view(
                    child,
                    Frame(
                        x: (frame.width - size.width) / 2, y: (frame.height - size.height) / 2, width: size.width,
                        height: size.height)))
            for axis in ["centerX", "centerY"] {
                constraints.append(
                    StoryboardWriter.constraint(
                        id(child, axis), (id(child), axis), (container, axis), owner: container))
            }
        }
        return (elements, constraints)
    }

    /// Returns the constraint below the last view.
    private mutating func end(_ last: Int, _ number: Int, in container: String, _ margin: Double) -> StoryboardElement {
        let side = document.nodes[last].kind.reachesEdges ? 0 : margin
        let item = (id(last), "bottom")
        if document.nodes[number].kind == .screen, !document.nodes[last].kind.fillsHeight {
            return StoryboardWriter.constraint(
                id(last, "end"), item, (id(number, "bottom"), "top"), side, owner: container, swapped: true)
        }
        var end = StoryboardWriter.constraint(
            id(last, "end"), item, (container, "bottom"), side, owner: container, swapped: true)
        // Rows of a given height may have room below their views.
        if document.nodes[number].kind == .cell, let table = parents[number],
            document.nodes[table].has("rowHeight") || document.nodes[table].kind == .collection
        {
            end.attributes.insert(
                ("relation", "greaterThanOrEqual"),
                at: end.attributes.firstIndex { $0.name == "secondItem" } ?? end.attributes.count)
        }
        return end
    }

    private mutating func fillerHeight(
        _ flow: [Int], _ fillers: [Int], _ node: NotationNode, _ frame: Frame
    ) -> Double {
        guard !fillers.isEmpty else { return 0 }
        var rest = frame.height
        var previous: Int?
        for child in flow {
            let reaches = document.nodes[child].kind.reachesEdges
            rest -= gap(previous, child, in: node)
            if previous == nil, !document.nodes[child].kind.fillsHeight { rest -= StoryboardWriter.barHeight }
            if !fillers.contains(child) {
                rest -= height(of: child, width: frame.width - (reaches ? 0 : 2 * StoryboardWriter.margin(node)))
            }
            previous = child
        }
        if let previous, !document.nodes[previous].kind.reachesEdges { rest -= StoryboardWriter.margin(node) }
        return max((rest / Double(fillers.count)).rounded(), 0)
    }

    /// Returns the constraints of a view for itself.
    mutating func dimensions(_ number: Int) -> [StoryboardElement] {
        var list: [StoryboardElement] = []
        for side in ["width", "height"] {
            guard let value = document.nodes[number].number(side) else { continue }
            list.append(
                StoryboardElement(
                    "constraint",
                    [
                        "firstAttribute": side, "constant": StoryboardNumber.text(value),
                        "id": id(number, "own \(side)"),
                    ]))
        }
        return list
    }

    /// Returns a constraint in Xcode's form: the owner is not named as the first item.
    ///
    /// - Parameter swapped: whether the owner's side is the first, as at the trailing side and at the bottom.
    static func constraint(
        _ id: String, _ item: (String, String), _ other: (String, String), _ constant: Double = 0, owner: String,
        swapped: Bool = false
    ) -> StoryboardElement {
        var element = StoryboardElement("constraint")
        let (first, second) = swapped ? (other, item) : (item, other)
        if first.0 != owner { element["firstItem"] = first.0 }
        element["firstAttribute"] = first.1
        element["secondItem"] = second.0
        element["secondAttribute"] = second.1
        if constant != 0 { element["constant"] = StoryboardNumber.text(constant) }
        element["id"] = id
        return element
    }

    // MARK: - Stacks

    /// Returns the views of a column or a row.
    mutating func stack(_ number: Int, _ frame: Frame) -> [StoryboardElement] {
        let node = document.nodes[number]
        let spacing = node.number("spacing") ?? 8
        let children = views(in: number).flow
        guard node.kind == .row else {
            var y = 0.0
            var elements: [StoryboardElement] = []
            for child in children {
                let height = height(of: child, width: frame.width)
                elements.append(view(child, Frame(x: 0, y: y, width: frame.width, height: height)))
                y += height + spacing
            }
            return elements
        }
        let kept = children.filter { keepsWidth($0) || document.nodes[$0].kind == .image }
        let taken = kept.reduce(0) { $0 + width(of: $1) } + spacing * Double(max(children.count - 1, 0))
        let share = max((frame.width - taken) / Double(max(children.count - kept.count, 1)), 0).rounded()
        var x = 0.0
        var elements: [StoryboardElement] = []
        for child in children {
            let width = kept.contains(child) ? width(of: child) : share
            let height = height(of: child, width: width)
            elements.append(
                view(child, Frame(x: x, y: max((frame.height - height) / 2, 0), width: width, height: height)))
            x += width + spacing
        }
        return elements
    }

    // MARK: - Sizes

    private func width(of number: Int) -> Double {
        let node = document.nodes[number]
        if let width = node.number("width") { return width }
        switch node.kind {
        case .switch: return 51
        case .stepper: return 94
        case .activity: return 20
        case .image: return 44
        default: return 240
        }
    }

    /// Returns the height that a view would nearly have.
    func height(of number: Int, width: Double) -> Double {
        let node = document.nodes[number]
        if let height = node.number("height") { return height }
        switch node.kind {
        case .label:
            let lines = node.number("lines") ?? 1
            let line = ((node.number("size") ?? 17) * 1.2).rounded()
            return line * min(max(lines, 1), 100)
        case .button, .stepper, .slider, .pageControl: return 32
        case .textField: return 34
        case .textView: return 120
        case .search: return 56
        case .switch, .segmented: return 31
        case .datePicker: return 34
        case .picker: return 216
        case .activity: return 20
        case .progress: return 2
        case .image: return 44
        case .web, .table, .collection: return 240
        case .row: return views(in: number).flow.map { height(of: $0, width: width) }.max() ?? 0
        case .column:
            let heights = views(in: number).flow.map { height(of: $0, width: width) }
            return heights.reduce(0, +) + (node.number("spacing") ?? 8) * Double(max(heights.count - 1, 0))
        default:
            let (flow, _) = views(in: number)
            var sum = 0.0
            var previous: Int?
            for child in flow {
                sum += gap(previous, child, in: node) + height(of: child, width: width)
                previous = child
            }
            if let previous, !document.nodes[previous].kind.reachesEdges { sum += StoryboardWriter.margin(node) }
            return sum
        }
    }
}
