internal import WidgetCore
internal import WidgetNib

/// Reads the measures of elements that arrange others: lists, grids, stacks and scroll views.
extension LookReader {
    // MARK: - Lists and grids

    mutating func list(_ element: NibElement, _ className: String) -> ListGeometry? {
        switch className {
        case "UITableView": table(element)
        case "UICollectionView": grid(element)
        default: nil
        }
    }

    private mutating func table(_ element: NibElement) -> ListGeometry {
        var list = ListGeometry()
        list.style = element.choice("UIStyle") ?? .plain
        list.rowHeight = height("UIRowHeight", of: element)
        list.sectionHeaderHeight = height("UISectionHeaderHeight", of: element)
        list.sectionFooterHeight = height("UISectionFooterHeight", of: element)
        list.separators =
            element.choice("UISeparatorStyleIOS9AndLater") ?? element.choice("UISeparatorStyle") ?? .line
        list.separatorInset = element.insets("UISeparatorInset").map { Insets($0) }
        list.separatorColor = colors.paint("UISeparatorColor", of: element)
        return list
    }

    /// Returns a height; `nil` for one that the content has, which is written as −1.
    private func height(_ key: String, of element: NibElement) -> Double? {
        element.measure(key).flatMap { $0 > 0 ? $0 : nil }
    }

    private func grid(_ element: NibElement) -> ListGeometry {
        var list = ListGeometry()
        list.separators = .none
        guard let layout = element.element("UICollectionLayout") ?? element.element("UICollectionViewLayout") else {
            return list
        }
        var flow = GridFlow()
        if let size = size("UIItemSize", of: layout) { flow.itemSize = size }
        flow.lineSpacing = max(layout.measure("UILineSpacing") ?? flow.lineSpacing, 0)
        flow.itemSpacing = max(layout.measure("UIInteritemSpacing") ?? flow.itemSpacing, 0)
        if let inset = layout.insets("UISectionInset") { flow.sectionInset = Insets(inset) }
        flow.headerSize = size("UIHeaderReferenceSize", of: layout)
        flow.footerSize = size("UIFooterReferenceSize", of: layout)
        flow.axis = layout.integer("UIScrollDirection") == 1 ? .horizontal : .vertical
        // Each size but zero says that items measure themselves; the automatic one is as large as numbers get.
        flow.estimates = layout.size("UIEstimatedItemSize").map { $0.x != 0 || $0.y != 0 } ?? false
        list.grid = flow
        return list
    }

    private func size(_ key: String, of element: NibElement) -> Size? {
        guard let size = element.size(key).map({ Size($0) }), size.width > 0 || size.height > 0 else { return nil }
        return Size(width: max(size.width, 0), height: max(size.height, 0))
    }

    // MARK: - Stacks

    /// The space that a stack has where its author left it to the system.
    private static let systemSpacing = 8.0

    func stack(_ element: NibElement) -> StackGeometry {
        var stack = StackGeometry()
        stack.axis = element.integer("UIStackViewAxis") == 1 ? .vertical : .horizontal
        stack.distribution = element.choice("UIStackViewDistribution") ?? .fill
        stack.alignment = element.choice("UIStackViewAlignment") ?? .fill
        let spacing = element.measure("UIStackViewSpacing") ?? 0
        // The smallest number there is marks the system's spacing.
        stack.spacing =
            spacing > 0 && spacing <= Double(Float.leastNormalMagnitude) ? Self.systemSpacing : spacing
        stack.isBaselineRelative = element.boolean("UIStackViewBaselineRelative") == true
        stack.isMarginsRelative = element.boolean("UIStackViewLayoutMarginsRelative") == true
        return stack
    }

    // MARK: - Scroll views

    func scrolling(_ element: NibElement) -> Scrolling {
        var look = Scrolling()
        if let inset = element.insets("UIContentInset") { look.inset = Insets(inset) }
        look.adjustment = element.choice("UIScrollViewContentInsetAdjustmentBehavior") ?? .automatic
        look.pages = element.boolean("UIPagingEnabled") == true
        look.isEnabled = element.boolean("UIScrollDisabled") != true
        look.bouncesAlways = element.boolean("UIAlwaysBounceVertical") == true
        look.showsHorizontalIndicator = element.boolean("UIShowsHorizontalScrollIndicator") != false
        look.showsVerticalIndicator = element.boolean("UIShowsVerticalScrollIndicator") != false
        look.contentSize = size("UIContentSize", of: element)
        return look
    }
}
