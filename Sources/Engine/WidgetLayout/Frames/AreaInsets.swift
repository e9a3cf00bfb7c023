internal import WidgetCore

/// The distances of an area from the edges of its box: left, top, right, bottom.
struct AreaInsets: Equatable {
    var left = 0.0
    var top = 0.0
    var right = 0.0
    var bottom = 0.0

    init(left: Double = 0, top: Double = 0, right: Double = 0, bottom: Double = 0) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    init(_ insets: Insets, isRightToLeft: Bool) {
        let isMirrored = isRightToLeft && !insets.isPhysical
        self.init(
            left: isMirrored ? insets.trailing : insets.leading, top: insets.top,
            right: isMirrored ? insets.leading : insets.trailing, bottom: insets.bottom)
    }

    static func + (first: AreaInsets, second: AreaInsets) -> AreaInsets {
        AreaInsets(
            left: first.left + second.left, top: first.top + second.top, right: first.right + second.right,
            bottom: first.bottom + second.bottom)
    }

    /// The part of a box that the insets of a screen cover.
    static func covered(_ frame: Frame, in screen: Frame, by safe: AreaInsets) -> AreaInsets {
        AreaInsets(
            left: max(screen.x + safe.left - frame.x, 0), top: max(screen.y + safe.top - frame.y, 0),
            right: max(frame.maxX - screen.maxX + safe.right, 0), bottom: max(frame.maxY - screen.maxY + safe.bottom, 0)
        )
    }

    /// The part of a parent's margins that reaches into a box.
    static func inherited(_ margins: AreaInsets, from outer: Frame, into frame: Frame) -> AreaInsets {
        AreaInsets(
            left: max(margins.left - (frame.x - outer.x), 0), top: max(margins.top - (frame.y - outer.y), 0),
            right: max(margins.right - (outer.maxX - frame.maxX), 0),
            bottom: max(margins.bottom - (outer.maxY - frame.maxY), 0))
    }

    /// The part of a frame within the insets.
    func inside(_ frame: Frame) -> Frame {
        let x = min(frame.x + left, frame.maxX)
        let y = min(frame.y + top, frame.maxY)
        return Frame(
            x: x, y: y, width: max(frame.maxX - right - x, 0), height: max(frame.maxY - bottom - y, 0))
    }

    /// The parts of the insets that lie within others.
    func beyond(_ other: AreaInsets) -> AreaInsets {
        AreaInsets(
            left: max(left - other.left, 0), top: max(top - other.top, 0), right: max(right - other.right, 0),
            bottom: max(bottom - other.bottom, 0))
    }

    /// The larger inset at each edge.
    func atLeast(_ other: AreaInsets) -> AreaInsets {
        AreaInsets(
            left: max(left, other.left), top: max(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// - Parameters:
    ///   - geometry: the box's.
    ///   - screenWidth: for the root of a screen and for the content of a row; `nil` for other boxes.
    static func margins(
        _ geometry: Geometry?, screenWidth: Double?, isRow: Bool, safe: AreaInsets, isRightToLeft: Bool
    ) -> AreaInsets {
        var margins: AreaInsets
        if let own = geometry?.margins {
            margins = AreaInsets(own, isRightToLeft: isRightToLeft)
        } else if let screenWidth {
            let side = SystemMeasures.screenMargin(screenWidth)
            let ends = isRow ? SystemMeasures.rowMargin : 0
            margins = AreaInsets(left: side, top: ends, right: side, bottom: ends)
        } else {
            let usual = SystemMeasures.margin
            margins = AreaInsets(left: usual, top: usual, right: usual, bottom: usual)
        }
        return geometry?.addsSafeArea ?? true ? margins + safe : margins
    }

    /// Text that fills the width of a wide screen is hard to read, so its area is limited.
    func readable(inWidth width: Double, textSize: Viewport.TextSize) -> AreaInsets {
        let most = SystemMeasures.readableWidth * textSize.factor
        let rest = width - left - right - most
        guard rest > 0 else { return self }
        var insets = self
        insets.left += rest / 2
        insets.right += rest / 2
        return insets
    }
}
