internal import WidgetCore

/// The navigation bar: items at both ends, the title in the middle as long as there is room.
extension ScreenPlacing {
    /// - Parameters:
    ///   - frame: the bar below the device's safe area.
    ///   - top: what it covers above.
    mutating func placeBar(_ bar: ViewNode, _ frame: Frame, top: Double, in parent: Int) {
        let place = append(
            bar, Frame(x: 0, y: frame.y - top, width: frame.width, height: frame.height + top), parent: parent,
            look: look(bar))
        for item in bar.children { sizes.barItems.insert(item.key) }
        let isMirrored = viewport.direction == .rightToLeft
        let margin = SystemMeasures.screenMargin(viewport.size.width)
        var (start, end) = (margin, frame.width - margin)
        let title = bar.children.firstIndex { $0.kind == .barTitle }
        var frames: [Int: Frame] = [:]
        func placed(_ x: Double, _ width: Double) -> Frame {
            Frame(
                x: isMirrored ? frame.width - x - width : x, y: frame.y, width: width,
                height: SystemMeasures.navigationBar)
        }
        for (index, item) in bar.children.enumerated() where index < title ?? 0 {
            let width = itemWidth(item, room: end - start)
            frames[index] = placed(start, width)
            start += width + SystemMeasures.barGap
        }
        for (index, item) in bar.children.enumerated().reversed() where title.map({ index > $0 }) ?? true {
            let width = itemWidth(item, room: end - start)
            frames[index] = placed(end - width, width)
            end -= width + SystemMeasures.barGap
        }
        // The title may come nearer to the items than they to each other.
        if start > margin { start -= SystemMeasures.barGap - SystemMeasures.margin }
        if end < frame.width - margin { end += SystemMeasures.barGap - SystemMeasures.margin }
        if let title, frame.height > SystemMeasures.navigationBar {
            frames[title] = largeTitleFrame(bar.children[title], frame, margin)
        } else if let title {
            let natural = sizes.text(of: bar.children[title], look(bar.children[title])).map { sizes.size(of: $0) }
            let width = min(natural?.width ?? 0, max(end - start, 0))
            // In the middle of the bar, or of what the items leave.
            let x = min(max((frame.width - width) / 2, start), max(end - width, start))
            var middle = placed(x, width)
            if let height = natural?.height, height < middle.height {
                middle.y += (middle.height - height) / 2
                middle.height = height
            }
            frames[title] = middle
        }
        for (index, item) in bar.children.enumerated() {
            guard let own = frames[index] else { continue }
            let inner = append(item, own, parent: place, look: look(item))
            for child in item.children { append(child, own, parent: inner, look: look(child)) }
        }
    }

    /// The toolbar: items with the same room between them.
    mutating func placeToolbar(_ bar: ViewNode, _ frame: Frame, itemHeight: Double, in parent: Int) {
        let place = append(bar, frame, parent: parent, look: look(bar))
        for item in bar.children { sizes.barItems.insert(item.key) }
        let isMirrored = viewport.direction == .rightToLeft
        let margin = SystemMeasures.screenMargin(viewport.size.width)
        let room = max(frame.width - 2 * margin, 0)
        let widths = bar.children.map { itemWidth($0, room: room) }
        let gap = widths.count > 1 ? max(room - widths.reduce(0, +), 0) / Double(widths.count - 1) : 0
        var x = margin
        for (item, width) in zip(bar.children, widths) {
            let own = Frame(
                x: isMirrored ? frame.width - x - width : x, y: frame.y, width: width, height: itemHeight)
            let inner = append(item, own, parent: place, look: look(item))
            for child in item.children { append(child, own, parent: inner, look: look(child)) }
            x += width + gap
        }
    }

    /// The place of a title below the items, at the leading edge.
    private mutating func largeTitleFrame(_ title: ViewNode, _ bar: Frame, _ margin: Double) -> Frame {
        sizes.largeTitle = title.key
        let natural = sizes.text(of: title, look(title)).map { sizes.size(of: $0) }
        let width = min(natural?.width ?? 0, max(bar.width - 2 * margin, 0))
        let height = min(natural?.height ?? 0, SystemMeasures.largeTitle)
        return Frame(
            x: viewport.direction == .rightToLeft ? bar.width - margin - width : margin,
            y: bar.y + SystemMeasures.navigationBar + (SystemMeasures.largeTitle - height) / 2, width: width,
            height: height)
    }

    private mutating func itemWidth(_ item: ViewNode, room: Double) -> Double {
        let size = sizes.size(of: item, look(item), width: .infinity, frame: item.frame)
        let drawn = item.kind == .button ? 0 : item.frame?.width ?? 0
        let mark = item.key.node == ViewKey.back ? SystemMeasures.backMark : 0
        let least = item.kind == .button ? SystemSymbol.side : 0
        return min(max((size.width ?? drawn) + mark, least), max(room, 0))
    }
}
