internal import WidgetCore

/// Grids: items in lines, as many in each as fit.
extension ScreenPlacing {
    mutating func placeGrid(_ view: ViewNode, _ box: LayoutSystem.Box, _ frame: Frame, at place: Int) {
        let flow = box.look?.list?.grid ?? GridFlow()
        let inset = box.scrollInset
        let room = Size(
            width: max(frame.width - inset.left - inset.right, 0),
            height: max(frame.height - inset.top - inset.bottom, 0))
        let origin = (x: frame.x + inset.left, y: frame.y + inset.top)
        let isMirrored = viewport.direction == .rightToLeft && !(box.geometry?.isForcedLeftToRight ?? false)
        var lines = GridLines(flow, room)
        for child in view.children {
            switch child.kind {
            case .row:
                let size = itemSize(child, flow, room)
                var own = lines.next(size)
                if isMirrored { own.x = room.width - own.x - own.width }
                _ = placeRow(child, own.width, (own.height, false), at: (origin.x + own.x, origin.y + own.y), in: place)
            case .sectionHeader, .sectionFooter:
                let height = (child.kind == .sectionHeader ? flow.headerSize : flow.footerSize)?.height ?? 0
                let own = lines.supplement(height)
                _ = placeRow(child, own.width, (own.height, false), at: (origin.x + own.x, origin.y + own.y), in: place)
            default: placeOver(child, frame, at: place)
            }
        }
        setContent(place, lines.finish())
    }

    /// The size of an item: the flow's, unless its content decides.
    private mutating func itemSize(_ item: ViewNode, _ flow: GridFlow, _ room: Size) -> Size {
        let size = Size(width: max(flow.itemSize.width, 0), height: max(flow.itemSize.height, 0))
        guard flow.estimates, rules.isPlaced(item.key.node) else { return size }
        var surroundings = LayoutSystem.Surroundings(width: size.width, height: nil)
        surroundings.leastHeight = 0
        return Size(width: size.width, height: solved(item, surroundings).height)
    }
}

/// The flow of a grid's items, along its lines and from line to line.
struct GridLines {
    private let flow: GridFlow
    private let isVertical: Bool
    /// Along a line.
    private let room: Double
    private let inset: (start: Double, lineStart: Double, end: Double, lineEnd: Double)
    private var lineStart: Double
    private var thickness = 0.0
    private var along = 0.0
    private var count = 0
    private var gap = 0.0
    private var mostInLine = 1

    init(_ flow: GridFlow, _ room: Size) {
        self.flow = flow
        isVertical = flow.axis == .vertical
        let drawn = flow.sectionInset
        let own = Insets(
            top: Frame.limited(drawn.top), leading: Frame.limited(drawn.leading), bottom: Frame.limited(drawn.bottom),
            trailing: Frame.limited(drawn.trailing))
        inset =
            isVertical
            ? (own.leading, own.top, own.trailing, own.bottom) : (own.top, own.leading, own.bottom, own.trailing)
        self.room = max(Frame.limited(isVertical ? room.width : room.height) - inset.start - inset.end, 0)
        lineStart = inset.lineStart
    }

    private static let slack = 0.001

    /// The place of the next item.
    mutating func next(_ size: Size) -> Frame {
        let length = max(Frame.limited(isVertical ? size.width : size.height), 0)
        let depth = max(Frame.limited(isVertical ? size.height : size.width), 0)
        let spacing = max(Frame.limited(flow.itemSpacing), 0)
        if count == mostInLine, count > 0 { endLine() }
        if count == 0 {
            let fitting = (room + spacing + GridLines.slack) / max(length + spacing, 1)
            mostInLine = max(Int(min(fitting, 100_000)), 1)
            // The rest of a line lies between its items. A last line that is not full has the same gaps.
            gap = mostInLine > 1 ? (room - Double(mostInLine) * length) / Double(mostInLine - 1) : 0
            along = inset.start
        }
        let frame =
            isVertical
            ? Frame(x: along, y: lineStart, width: size.width, height: size.height)
            : Frame(x: lineStart, y: along, width: size.width, height: size.height)
        along += length + max(gap, 0)
        thickness = max(thickness, depth)
        count += 1
        return frame
    }

    private mutating func endLine() {
        lineStart += thickness + Frame.limited(flow.lineSpacing)
        (thickness, count) = (0, 0)
    }

    /// The place of a header or footer, which has a line alone.
    mutating func supplement(_ length: Double) -> Frame {
        if count > 0 { endLine() }
        let start = lineStart
        let length = max(Frame.limited(length), 0)
        lineStart += length
        let whole = room + inset.start + inset.end
        return isVertical
            ? Frame(x: 0, y: start, width: whole, height: length) : Frame(x: start, y: 0, width: length, height: whole)
    }

    /// The size of all lines.
    mutating func finish() -> Size {
        let end = lineStart + thickness + inset.lineEnd
        let whole = room + inset.start + inset.end
        return isVertical ? Size(width: whole, height: end) : Size(width: end, height: whole)
    }
}
