internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// The declarations of a box or wrapper: its place in the thing around it.
///
/// | placement | along an axis |
/// |---|---|
/// | free | `position: absolute` with insets and a length |
/// | cell | an item of a grid with one cell, by alignment and margins |
/// | item | an item of a flex row or column: margins along it, alignment across it |
/// | track | an item of a grid with one track for each, by alignment |
struct BoxStyle {
    /// The kinds of boxes that differ in what their own content does.
    enum Content {
        /// Text that is as wide as it needs to be: of one line, or of words that more lines can hold.
        case text, words
        /// The title of a button, which is wide enough to be touched.
        case title
        /// An element that is stretched only if it is asked to, and one of several parts, which would fill its room.
        case replaced, control
        case other

        var isText: Bool { self == .text || self == .words || self == .title }
        var isReplaced: Bool { self == .replaced || self == .control }
    }

    private let box: PlannedBox
    private let content: Content
    /// The direction of the row or column that the box is an item of.
    private let flow: Axis
    private var style = StyleDeclarations()

    private enum Axis { case horizontal, vertical }

    /// - Parameter isInRow: true for items of a row, false for those of a column.
    static func declarations(_ box: PlannedBox, _ content: Content, isInRow: Bool) -> StyleDeclarations {
        var style = BoxStyle(box: box, content: content, flow: isInRow ? .horizontal : .vertical)
        switch box.placement {
        case .free: style.free()
        case .cell: style.cell()
        case .item(let item): style.item(item)
        case .track: style.track()
        }
        if let ratio = box.ratio, ratio.isFinite { style.style.set("aspect-ratio", .number(ratio)) }
        if let order = box.paintOrder { style.style.set("z-index", .number(Double(order))) }
        if box.hasChangingLength { style.style.set("transition", BoxStyle.transition) }
        return style.style
    }

    /// Boxes glide to the places that a changed constant gives them. The base sheet stops this for readers who asked for
    /// less motion.
    private static let transition: StyleValue =
        "inset .25s,margin .25s,padding .25s,width .25s,height .25s,min-width .25s,min-height .25s,max-width .25s"

    private init(box: PlannedBox, content: Content, flow: Axis) {
        self.box = box
        self.content = content
        self.flow = flow
    }

    private func x(_ length: Affine) -> StyleValue { LengthStyle.value(length, .horizontal) }

    private func y(_ length: Affine) -> StyleValue { LengthStyle.value(length, .vertical) }

    /// A distance that follows sizes of texts, and a limit that it keeps.
    private func y(_ length: Affine, atLeast limit: Affine?) -> StyleValue {
        guard let limit, !length.texts.isEmpty else { return y(length) }
        return .function("max", [y(limit), y(length)])
    }

    // MARK: - Free

    private mutating func free() {
        style.set("position", "absolute")
        if case .both(let left, let right) = box.x.anchor, case .both(let top, let bottom) = box.y.anchor, left.isZero,
            right.isZero, top.isZero, bottom.isZero, hasNoLimits
        {
            style.set("inset", "0")
            if content.isReplaced {
                style.set("width", "100%")
                style.set("height", "100%")
            }
            return
        }
        if case .center(let x) = box.x.anchor, case .center(let y) = box.y.anchor, x.isZero, y.isZero,
            box.x.length == .content, box.y.length == .content, box.x.startLimit == nil, box.x.endLimit == nil
        {
            style.set("inset", "0")
            style.set("margin", "auto")
            style.set("height", "fit-content")
            width(nil)
            height()
            return
        }
        freeX()
        freeY()
    }

    private var hasNoLimits: Bool {
        box.x.least == nil && box.x.most == nil && box.y.least == nil && box.y.most == nil
    }

    private mutating func setStart(_ distance: Affine) {
        if box.x.isPhysical { style.set("left", x(distance)) } else { style.set("inset-inline-start", x(distance)) }
    }

    private mutating func setEnd(_ distance: Affine) {
        if box.x.isPhysical { style.set("right", x(distance)) } else { style.set("inset-inline-end", x(distance)) }
    }

    private mutating func freeX() {
        var limit: Affine?
        switch box.x.anchor {
        case .start(let start):
            setStart(start)
            limit = box.x.endLimit.map { .whole - start - $0 }
        case .end(let end):
            setEnd(end)
            limit = box.x.startLimit.map { .whole - end - $0 }
        case .both(let start, let end):
            setStart(start)
            if content.isReplaced || box.x.most != nil || box.x.least != nil {
                style.set("width", x(.whole - start - end))
            } else {
                setEnd(end)
            }
        case .center(let offset):
            if case .fixed(let length) = box.x.length, box.x.most == nil {
                setStart(Affine(0, share: 0.5) - 0.5 * length + offset)
            } else {
                style.set("inset-inline", offset.isZero ? "0" : .words([x(offset), x(-offset)]))
                style.set("margin-inline", "auto")
                let (start, end) = (box.x.startLimit, box.x.endLimit)
                if start != nil || end != nil { limit = .whole - (start ?? .zero) - (end ?? .zero) }
            }
        case .baseline: setStart(.zero)
        }
        width(limit)
    }

    private mutating func freeY() {
        switch box.y.anchor {
        case .start(let start): style.set("top", y(start, atLeast: box.y.startLimit))
        case .end(let end): style.set("bottom", y(end))
        case .both(let start, let end):
            style.set("top", y(start))
            if content.isReplaced || box.y.most != nil || box.y.least != nil {
                style.set("height", y(.whole - start - end))
            } else {
                style.set("bottom", y(end))
            }
        case .center(let offset):
            if case .fixed(let length) = box.y.length, box.y.most == nil {
                style.set("top", y(Affine(0, share: 0.5) - 0.5 * length + offset))
            } else {
                style.set("inset-block", offset.isZero ? "0" : .words([y(offset), y(-offset)]))
                style.set("margin-block", "auto")
                style.set("height", "fit-content")
                if box.y.startLimit != nil || box.y.endLimit != nil, box.y.most == nil {
                    style.set("max-height", y(.whole - (box.y.startLimit ?? .zero) - (box.y.endLimit ?? .zero)))
                }
            }
        case .baseline: style.set("top", "0")
        }
        height()
    }

    // MARK: - Lengths

    /// - Parameter limit: the most that content may take.
    private mutating func width(_ limit: Affine?) {
        switch box.x.length {
        case .fixed(let length): style.set("width", x(length))
        case .content:
            if content.isText, !isShrinking {
                // Text with a limit is as wide as it needs up to there, which is what an element does by itself.
                if limit != nil || !isLimited { style.set("width", "max-content") }
            } else if case .center = box.x.anchor, content != .replaced {
                style.set("width", "fit-content")
            }
        case .fill: break
        case .ratio: style.set("width", "auto")
        }
        if let least = box.x.least { style.set("min-width", x(least)) }
        switch (box.x.most, limit) {
        case (let most?, let limit?): style.set("max-width", .function("min", [x(most), x(limit)]))
        case (let most?, nil): style.set("max-width", x(most))
        case (nil, let limit?): style.set("max-width", x(limit))
        case (nil, nil): break
        }
    }

    /// True for content that margins limit.
    private var isLimited: Bool {
        if case .free = box.placement { return false }
        if case .item = box.placement, flow == .horizontal { return false }
        switch box.x.anchor {
        case .start: return box.x.endLimit != nil
        case .end: return box.x.startLimit != nil
        case .center: return box.x.startLimit != nil || box.x.endLimit != nil
        case .both, .baseline: return true
        }
    }

    /// True for an item of a row that may be narrower than its text.
    private var isShrinking: Bool {
        if case .item(let item) = box.placement { flow == .horizontal && item.shrinkRank > 0 } else { false }
    }

    private mutating func height() {
        switch box.y.length {
        case .fixed(let length): style.set("height", y(length))
        case .content, .fill: break
        case .ratio: style.set("height", "auto")
        }
        if let least = box.y.least { style.set("min-height", y(least)) }
        if let most = box.y.most { style.set("max-height", y(most)) }
    }

    // MARK: - In the cell

    private mutating func cell() {
        style.set("grid-area", "1/1")
        track()
    }

    private mutating func track() {
        acrossX("justify-self")
        acrossY()
        width(nil)
        height()
    }

    private mutating func margin(start distance: Affine?) {
        guard let distance, !distance.isZero else { return }
        if box.x.isPhysical {
            style.set("margin-left", x(distance))
        } else {
            style.set("margin-inline-start", x(distance))
        }
    }

    private mutating func margin(end distance: Affine?) {
        guard let distance, !distance.isZero else { return }
        if box.x.isPhysical {
            style.set("margin-right", x(distance))
        } else {
            style.set("margin-inline-end", x(distance))
        }
    }

    private mutating func acrossX(_ property: StaticString) {
        let isGrid = property.description == "justify-self"
        switch box.x.anchor {
        case .start(let start):
            style.set(property, isGrid && box.x.isPhysical ? "left" : "start")
            margin(start: start)
            margin(end: box.x.endLimit ?? (box.x.isTied ? box.x.endTie : nil))
        case .end(let end):
            style.set(property, isGrid && box.x.isPhysical ? "right" : "end")
            margin(end: end)
            margin(start: box.x.startLimit)
        case .both(let start, let end):
            if box.x.least != nil || box.x.most != nil {
                style.set(property, "start")
                style.set("width", x(.whole - start - end))
            } else if content != .other {
                // Elements whose drawing has a size are stretched only if asked to.
                style.set(property, "stretch")
                if content.isReplaced { style.set("width", "auto") }
            }
            margin(start: start)
            margin(end: end)
        case .center(let offset):
            style.set(property, "center")
            if !offset.isZero { style.set("inset-inline-start", x(offset)) }
            margin(start: box.x.startLimit)
            margin(end: box.x.endLimit)
        case .baseline: style.set(property, "start")
        }
    }

    private mutating func acrossY() {
        var (top, bottom): (Affine?, Affine?) = (nil, box.y.isTied ? box.y.endTie : nil)
        switch box.y.anchor {
        case .start(let start):
            style.set("align-self", "start")
            top = start
        case .end(let end):
            style.set("align-self", "end")
            (top, bottom) = (box.y.isTied ? box.y.startLimit : nil, end)
        case .both(let start, let end):
            if content != .other { style.set("align-self", "stretch") }
            if content.isReplaced, box.placement != .free, box.placement != .cell { style.set("height", "auto") }
            (top, bottom) = (start, end)
        case .center(let offset):
            style.set("align-self", "center")
            if box.y.isTied, !box.y.isOverhanging {
                // A part that is higher than the one beside it keeps its distance from both ends of a container that fits it.
                (top, bottom) = (box.y.startLimit ?? .zero, bottom ?? .zero)
                if offset.constant > 0 {
                    top = top.map { $0 + 2 * offset }
                } else {
                    bottom = bottom.map { $0 - 2 * offset }
                }
            } else if !offset.isZero {
                style.set("top", y(offset))
            }
        case .baseline(let isLast):
            style.set("align-self", isLast ? "last baseline" : "baseline")
            if box.y.isTied { top = box.y.startLimit }
        }
        if box.y.isOverhanging {
            // Its height counts for nothing beside the part that it is aligned with.
            var shift = bottom.map { -$0 } ?? top ?? .zero
            if case .center(let offset) = box.y.anchor { shift = offset }
            style.set("margin-block", "-9999px")
            if !shift.isZero { style.set("top", y(shift)) }
            return
        }
        if let top, !top.isZero {
            var limit: Affine?
            if case .start = box.y.anchor { limit = box.y.startLimit }
            style.set("margin-top", y(top, atLeast: limit))
        }
        if let bottom, !bottom.isZero { style.set("margin-bottom", y(bottom)) }
    }

    // MARK: - In a row or column

    private mutating func item(_ item: FlowItem) {
        switch flow {
        case .horizontal:
            if item.isGapElastic { style.set("margin-inline-start", "auto") } else { margin(start: item.gap) }
            margin(end: item.trailing)
            flex(item, box.x.length)
            acrossY()
            width(nil)
            height()
            // An author's least width is one that nothing takes away.
            guard item.shrinkRank > 0, box.x.least == nil else { return }
            if !item.keepsContent || item.grows { style.set("min-width", "0") }
            keepWords(item)
        case .vertical:
            if item.isGapElastic {
                style.set("margin-top", "auto")
            } else if !item.gap.isZero {
                style.set("margin-top", y(item.gap))
            }
            if !item.trailing.isZero { style.set("margin-bottom", y(item.trailing)) }
            flex(item, box.y.length)
            acrossX("align-self")
            width(nil)
            height()
            // A control keeps the height that can be touched.
            if item.shrinkRank > 0, !content.isReplaced, box.y.least == nil { style.set("min-height", "0") }
        }
    }

    /// A word keeps the room that the other parts of its row leave, and a line that is cut off keeps that of its beginning.
    private mutating func keepWords(_ item: FlowItem) {
        if content == .text { return style.set("min-width", "calc-size(max-content,min(size,2em,30%))") }
        guard content.isText || item.keepsContent else { return }
        let needs = item.needs ?? RowNeeds(wordCount: 2)
        let share = 1 / Double(max(needs.wordCount, 1))
        let kept = SystemMeasures.cutLine * share
        let styled = needs.styledLines.sorted { $0.key.rawValue < $1.key.rawValue }
        let plain: [StyleValue.Term] = needs.lines > 0 ? [.multiple(-kept, .rem(needs.lines))] : []
        let room = StyleValue.sum(
            [.amount(100 * share, "%"), .amount(-needs.points * share, "px")] + plain
                + styled.map { .multiple(-kept * Double($1), FontStyle.size(of: $0)) })
        var word = StyleValue.function("min", ["size", room])
        // The sheet of all pages sets it for buttons with a title.
        if content == .title { word = .function("max", [.property("--least", or: "0px"), word]) }
        style.set("min-width", .function("calc-size", ["min-content", word]))
    }

    private mutating func flex(_ item: FlowItem, _ length: Extent.Length) {
        let growth = item.grows ? item.growth : 0
        let shrinking = BoxStyle.weight(item.shrinkRank)
        if item.lineRank > 0, content.isText || item.keepsContent {
            // It grows from its longest word, or the beginning of its only line, to its line.
            let word: StyleValue = content == .text ? .number(SystemMeasures.cutLine, "em") : "min-content"
            let lines = item.grows ? .number(growth) : BoxStyle.weight(item.lineRank + 1)
            style.set("flex", .words([lines, shrinking, word]))
            if !item.grows { style.set("max-width", "max-content") }
            return
        }
        let isEmpty = item.grows && length == .fill && (!content.isText || item.isShare)
        if growth == 0, item.shrinkRank <= 0 {
            style.set("flex", "none")
        } else {
            style.set("flex", .words([.number(growth), shrinking, isEmpty ? "0" : "auto"]))
        }
    }

    /// The weight of a rank: a part of a higher rank gives way, or grows, completely before one of a lower rank does, up to a
    /// millionth.
    private static func weight(_ rank: Int) -> StyleValue {
        switch rank {
        case ...0: "0"
        case 1: "1"
        case 2: "1e6"
        case 3: "1e12"
        case 4: "1e18"
        case 5: "1e24"
        default: "1e30"
        }
    }
}
