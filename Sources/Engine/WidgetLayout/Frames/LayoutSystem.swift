internal import WidgetCore

/// The boxes of one part of a screen: the screen itself, a row, or a header. Those that rules place are solved together;
/// the others follow from the boxes around them.
struct LayoutSystem {
    struct Box {
        var node: NodeID
        /// `nil` for a node that is hidden. It still has its place, since rules of others may name it.
        var view: ViewNode?
        var kind: NodeKind
        var look: Look?
        /// In the list of boxes; -1 for the first, which is around all others.
        var parent: Int
        /// The frame in its parent that the author drew.
        var drawn: Frame?
        var isRuled: Bool
        /// In the bounds of the first box.
        var frame = Frame.zero
        /// The content of a box that scrolls, likewise.
        var content: Frame?
        /// Covered by bars and by the device.
        var safe = AreaInsets()
        /// The part of the margins of the box around it that reaches into it.
        var inherited = AreaInsets()
        /// Around the content of a box that scrolls.
        var scrollInset = AreaInsets()
        /// True if bars that cover the box are a part of it.
        var insetsBars = false
        var text: ContentSizes.ShownText?
        var size = PartialSize(width: nil, height: nil)

        var geometry: Geometry? { look?.geometry }

        var isScrolling: Bool { look?.scrolling != nil && ![.list, .grid, .textArea].contains(kind) }
    }

    /// The surroundings of the first box.
    struct Surroundings {
        var width: Double
        /// `nil` where the content decides.
        var height: Double?
        var leastHeight = 0.0
        /// Its place on the screen, for safe areas.
        var safe = AreaInsets()
        /// True for the root of a screen's views.
        var isScreen = false
        /// True if its first scrolling box begins below bars.
        var adjustsInsets = true
        /// The constants that a running widget has set, by the nodes of their rules.
        var constants: [NodeID: Double] = [:]
    }

    let rules: SceneRules
    let surroundings: Surroundings
    let viewport: Viewport
    private(set) var boxes: [Box] = []
    /// The boxes that rules name.
    private(set) var places: [NodeID: Int] = [:]
    /// The boxes of nodes that are made for several items, in their order.
    private(set) var copies: [NodeID: [Int]] = [:]
    private var placesOfItems: [NodeID: [ItemKey: Int]] = [:]

    init(_ root: ViewNode, _ rules: SceneRules, _ surroundings: Surroundings, _ viewport: Viewport) {
        self.rules = rules
        var usable = surroundings
        let size = Frame(
            x: 0, y: surroundings.leastHeight, width: surroundings.width, height: surroundings.height ?? 0
        ).harmless
        usable.width = size.width
        usable.height = surroundings.height.map { _ in size.height }
        usable.leastHeight = max(size.y, 0)
        self.surroundings = usable
        self.viewport = viewport
        collect(root)
        for index in boxes.indices where rules.isPlaced(boxes[index].node) { addHidden(in: index) }
        boxes[0].frame = Frame(x: 0, y: 0, width: usable.width, height: usable.height ?? usable.leastHeight)
        boxes[0].safe = surroundings.safe
        insetScrolling()
    }

    var scene: Scene { rules.scene }

    /// The boxes that a stack view arranges, by the box they are in. Hidden ones leave no gap.
    ///
    /// Found in one pass, because a hostile document has thousands of stack views.
    var arranged: [[Int]] {
        var arranged = [[Int]](repeating: [], count: boxes.count)
        for index in boxes.indices where boxes[index].parent >= 0 {
            let isContent = (boxes[index].geometry?.role ?? .content) == .content
            if isContent, boxes[index].view != nil, boxes[index].isRuled { arranged[boxes[index].parent].append(index) }
        }
        return arranged
    }

    private mutating func collect(_ root: ViewNode) {
        // A row's background for its selection lies in it or in its content.
        var pending = [(root, -1, root.isTrue(.selected))]
        while let (view, parent, isSelected) = pending.popLast() {
            let index = boxes.count
            append(view.key.node, view, parent)
            if [.list, .grid].contains(view.kind) { continue }
            for child in view.children.reversed() where isSelected || !isSelectedBackground(child) {
                pending.append((child, index, isSelected))
            }
        }
    }

    private func isSelectedBackground(_ view: ViewNode) -> Bool {
        scene.node(view.key.node)?.look?.geometry.role == .selectedBackground
    }

    private mutating func append(_ node: NodeID, _ view: ViewNode?, _ parent: Int) {
        let isAuthored = scene.nodes.indices.contains(node)
        let look = isAuthored ? scene.nodes[node].look : nil
        let drawn = isAuthored ? scene.nodes[node].frame : view?.frame
        let isRuled = boxes.isEmpty || rules.isPlaced(node) && boxes[parent].isRuled
        if isRuled {
            if let item = view?.key.item, scene.node(item.list)?.repetition != nil {
                copies[node, default: []].append(boxes.count)
                placesOfItems[node, default: [:]][item] = boxes.count
            }
            places[node] = boxes.count
        }
        boxes.append(
            Box(
                node: node, view: view, kind: view?.kind ?? scene.nodes[node].kind, look: look, parent: parent,
                drawn: drawn.flatMap { $0.isUsable ? $0 : nil }, isRuled: isRuled))
    }

    /// Adds hidden nodes that rules name, or that contain such.
    private mutating func addHidden(in index: Int) {
        var pending = [index]
        while let current = pending.popLast() {
            let node = boxes[current].node
            guard scene.nodes.indices.contains(node), boxes.count < LayoutSystem.hiddenCount else { continue }
            if [.list, .grid].contains(boxes[current].kind) { continue }
            for child in scene.nodes[node].children where rules.isPlaced(child) && places[child] == nil {
                guard scene.nodes.indices.contains(child) else { continue }
                append(child, nil, current)
                pending.append(boxes.count - 1)
            }
        }
    }

    /// Lets rules that name a node mean one of its boxes; those of another node mean the box of the same item.
    mutating func choose(_ index: Int, beside other: NodeID?) {
        places[boxes[index].node] = index
        guard let other, let candidates = placesOfItems[other] else { return }
        var item = boxes[index].view?.key.item
        while let key = item {
            if let same = candidates[key] {
                places[other] = same
                return
            }
            item = key.outer?.key
        }
    }

    /// Boxes beyond this number are no hidden ones.
    private static let hiddenCount = 100_000

    /// Boxes that scroll lie under the bars, and their content begins below them. Where they lie is known once they are placed;
    /// until then it is where they were drawn.
    private mutating func insetScrolling() {
        let indices = boxes.indices.filter { boxes[$0].look?.scrolling != nil }
        guard !indices.isEmpty else { return }
        let first = surroundings.isScreen ? scene.firstScrolling : nil
        for index in indices {
            guard let scrolling = boxes[index].look?.scrolling else { continue }
            let node = boxes[index].node
            boxes[index].insetsBars =
                surroundings.isScreen && !isInScrolling(index)
                && scene.insetsContent(of: node, isFirst: node == first, adjusts: surroundings.adjustsInsets)
            let top = index == 0 ? 0 : drawnTop(index)
            let covered = index == 0 || top <= surroundings.safe.top ? surroundings.safe : AreaInsets()
            boxes[index].scrollInset = inset(of: index, scrolling, covered, top: top)
        }
    }

    private func inset(of index: Int, _ scrolling: Scrolling, _ covered: AreaInsets, top: Double) -> AreaInsets {
        var inset = AreaInsets(scrolling.inset, isRightToLeft: isRightToLeft(index))
        guard boxes[index].insetsBars else { return inset }
        inset = inset + covered
        // What begins below the edge is covered by less.
        inset.top -= min(max(top, 0), covered.top)
        return inset
    }

    /// The insets of boxes that scroll, now that their places are known.
    ///
    /// - Returns: true if one has changed.
    mutating func updateScrollInsets() -> Bool {
        var hasChanged = false
        for index in boxes.indices.dropFirst() where boxes[index].isRuled && boxes[index].insetsBars {
            guard let scrolling = boxes[index].look?.scrolling else { continue }
            let (frame, screen, safe) = (boxes[index].frame, boxes[0].frame, surroundings.safe)
            let covered = AreaInsets(
                left: frame.x < safe.left ? safe.left : 0, top: max(safe.top - max(frame.y, 0), 0),
                right: frame.maxX > screen.maxX - safe.right ? safe.right : 0,
                bottom: max(safe.bottom - max(screen.maxY - frame.maxY, 0), 0))
            let inset = inset(of: index, scrolling, covered, top: 0)
            if inset == boxes[index].scrollInset { continue }
            boxes[index].scrollInset = inset
            hasChanged = true
        }
        return hasChanged
    }

    private func drawnTop(_ index: Int) -> Double {
        var (current, top) = (index, 0.0)
        while current > 0 {
            top += max(boxes[current].drawn?.y ?? 0, 0)
            current = boxes[current].parent
        }
        return top
    }

    private func isInScrolling(_ index: Int) -> Bool {
        var current = boxes[index].parent
        while current >= 0 {
            if boxes[current].look?.scrolling != nil { return true }
            current = boxes[current].parent
        }
        return false
    }

    func isRightToLeft(_ index: Int) -> Bool {
        viewport.direction == .rightToLeft && !(boxes[index].geometry?.isForcedLeftToRight ?? false)
    }

    /// The distances of a box's content from its edges.
    func margins(_ index: Int) -> AreaInsets {
        let box = boxes[index]
        let isRow = box.kind == .row || box.geometry?.role == .contentView
        let isScreen = index == 0 && surroundings.isScreen
        let own = AreaInsets.margins(
            box.geometry, screenWidth: isScreen || isRow ? viewport.size.width : nil, isRow: isRow, safe: box.safe,
            isRightToLeft: isRightToLeft(index))
        return own.atLeast(box.inherited)
    }

    /// The number of boxes around one, up to a few hundred.
    func depth(_ index: Int) -> Int {
        var (current, depth) = (boxes[index].parent, 0)
        while current >= 0, depth < LayoutSystem.mostDepth {
            current = boxes[current].parent
            depth += 1
        }
        return depth
    }

    private static let mostDepth = 200

    func isInside(_ inner: Int, _ outer: Int) -> Bool {
        var current = boxes[inner].parent
        while current >= 0 {
            if current == outer { return true }
            current = boxes[current].parent
        }
        return false
    }

    // MARK: - Results

    mutating func set(_ index: Int, _ frame: Frame, content: Frame? = nil) {
        boxes[index].frame = frame.harmless
        boxes[index].content = content?.harmless
    }

    mutating func setText(_ index: Int, _ text: ContentSizes.ShownText?, size: PartialSize) {
        boxes[index].text = text
        boxes[index].size = size
    }

    mutating func setSafe(_ index: Int, _ safe: AreaInsets) { boxes[index].safe = safe }

    mutating func setInherited(_ index: Int, _ margins: AreaInsets) { boxes[index].inherited = margins }

    /// Places all boxes as they were drawn, once the budget for rules is used up.
    mutating func placeAsDrawn() {
        for index in boxes.indices.dropFirst() where boxes[index].isRuled {
            let outer = boxes[boxes[index].parent].frame
            let own = boxes[index].drawn ?? Frame(x: 0, y: 0, width: outer.width, height: outer.height)
            set(index, own.moved(x: outer.x, y: outer.y))
        }
    }

    // MARK: - Boxes without rules

    /// Places the boxes that no rule places, each after the one around it.
    mutating func placeOthers(_ sizes: inout ContentSizes) {
        for index in boxes.indices.dropFirst() where !boxes[index].isRuled {
            guard let view = boxes[index].view else { continue }
            let parent = boxes[boxes[index].parent]
            var frame = frame(of: index, in: parent, view, &sizes)
            frame = frame.moved(x: parent.frame.x, y: parent.frame.y)
            if parent.isScrolling { frame = frame.moved(x: parent.scrollInset.left, y: parent.scrollInset.top) }
            set(index, frame)
        }
        for index in boxes.indices where boxes[index].isScrolling && boxes[index].content == nil {
            boxes[index].content = contentByChildren(of: index)
        }
    }

    /// The content of a box that scrolls without rules: the size that its author wrote, or what holds its children.
    private func contentByChildren(of index: Int) -> Frame {
        let box = boxes[index]
        var content = Frame(
            x: box.frame.x + box.scrollInset.left, y: box.frame.y + box.scrollInset.top, width: 0, height: 0)
        if let size = box.look?.scrolling?.contentSize {
            (content.width, content.height) = (size.width, size.height)
            return content.harmless
        }
        for child in boxes where child.parent == index && child.view != nil {
            content.width = max(content.width, child.frame.maxX - content.x)
            content.height = max(content.height, child.frame.maxY - content.y)
        }
        return content
    }

    /// The frame of a box in its parent.
    private func frame(of index: Int, in parent: Box, _ view: ViewNode, _ sizes: inout ContentSizes) -> Frame {
        let (box, room) = (boxes[index], parent.frame)
        let whole = Frame(x: 0, y: 0, width: room.width, height: room.height)
        switch box.geometry?.role ?? .content {
        case .contentView: return contentFrame(in: boxes[index].parent, whole)
        case .background, .selectedBackground: return whole
        case .accessory:
            let size = box.drawn ?? .zero
            let x = isRightToLeft(index) ? SystemMeasures.separatorInset : room.width - size.width
            return Frame(
                x: isRightToLeft(index) ? x : x - SystemMeasures.separatorInset, y: (room.height - size.height) / 2,
                width: size.width, height: size.height)
        case .content, .header, .footer: break
        }
        if view.key.node == ViewKey.searchCancel { return searchCancel(index, view, room, &sizes) }
        guard let drawn = box.drawn else {
            let size = sizes.size(of: view, box.look, width: room.width, frame: nil)
            guard size.width != nil || size.height != nil else { return whole }
            return Frame(x: 0, y: 0, width: size.width ?? room.width, height: size.height ?? room.height)
        }
        guard let springs = box.geometry == nil ? Springs(rawValue: 0) : box.geometry?.springs else {
            let size = sizes.size(of: view, box.look, width: drawn.width, frame: drawn)
            return Frame(
                x: drawn.x, y: drawn.y, width: size.width ?? drawn.width, height: size.height ?? drawn.height)
        }
        let design = self.design(of: index)
        let x = SpringLine.horizontal(drawn, in: design, springs).place(in: room.width)
        let y = SpringLine.vertical(drawn, in: design, springs).place(in: room.height)
        return Frame(x: x.start, y: y.start, width: max(x.size, 0), height: max(y.size, 0))
    }

    /// The place of the button that ends a search: behind the field.
    private func searchCancel(
        _ index: Int, _ view: ViewNode, _ bar: Frame, _ sizes: inout ContentSizes
    ) -> Frame {
        let width = sizes.size(of: view, boxes[index].look, width: bar.width, frame: nil).width ?? 0
        let inset = SystemMeasures.searchFieldInset
        return Frame(
            x: isRightToLeft(index) ? inset.x : bar.width - inset.x - width, y: inset.y, width: width,
            height: max(bar.height - inset.y * 2, 0))
    }

    /// The bounds of its parent in which a box was drawn.
    func design(of index: Int) -> Size {
        if let design = boxes[index].geometry?.design { return design }
        let parent = boxes[boxes[index].parent]
        if let drawn = parent.drawn { return Size(width: drawn.width, height: drawn.height) }
        return Size(width: parent.frame.width, height: parent.frame.height)
    }

    /// The part of a row that its accessory leaves for its content.
    func contentFrame(in row: Int, _ whole: Frame) -> Frame {
        let width = accessoryWidth(of: row)
        return Frame(
            x: isRightToLeft(row) ? width : 0, y: 0, width: max(whole.width - width, 0), height: whole.height)
    }

    func accessoryWidth(of row: Int) -> Double {
        guard boxes[row].kind == .row else { return 0 }
        return scene.accessoryWidth(ofRow: boxes[row].node)
    }
}

extension Frame {
    /// Lengths beyond these are no places on a screen.
    static let largest = 1e6

    var isUsable: Bool { [x, y, width, height].allSatisfy { $0.isFinite && abs($0) <= Frame.largest } }

    /// The same frame without negative sizes and endless numbers.
    var harmless: Frame {
        Frame(
            x: Frame.limited(x), y: Frame.limited(y), width: max(Frame.limited(width), 0),
            height: max(Frame.limited(height), 0))
    }

    static func limited(_ length: Double) -> Double {
        length.isNaN ? 0 : min(max(length, -largest), largest)
    }
}
