/// The measures of a list or a grid.
package struct ListGeometry: Equatable, Sendable {
    package enum Style: Int, Sendable { case plain, grouped, insetGrouped, sidebar }

    package enum Separators: Int, Sendable { case none, line, etched }

    package var style = Style.plain
    /// `nil` where rows have the height of their content.
    package var rowHeight: Double?
    package var sectionHeaderHeight: Double?
    package var sectionFooterHeight: Double?
    package var separators = Separators.line
    package var separatorInset: Insets?
    package var separatorColor: Paint?
    package var grid: GridFlow?

    package init() {}
}

/// The flow of a grid's items.
package struct GridFlow: Equatable, Sendable {
    package var itemSize = Size(width: 50, height: 50)
    package var lineSpacing = 10.0
    package var itemSpacing = 10.0
    package var sectionInset = Insets.zero
    package var headerSize: Size?
    package var footerSize: Size?
    package var axis = Axis.vertical
    /// True if items have the size of their content.
    package var estimates = false

    package init() {}
}

package struct StackGeometry: Equatable, Sendable {
    package enum Distribution: Int, Sendable {
        case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    package enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
    }

    package var axis = Axis.horizontal
    package var spacing = 0.0
    package var distribution = Distribution.fill
    package var alignment = Alignment.fill
    package var isBaselineRelative = false
    package var isMarginsRelative = false

    package init() {}
}

package struct Scrolling: Equatable, Sendable {
    package enum InsetAdjustment: Int, Sendable { case automatic, scrollableAxes, never, always }

    package var inset = Insets.zero
    package var adjustment = InsetAdjustment.automatic
    package var pages = false
    package var isEnabled = true
    package var bouncesAlways = false
    package var showsHorizontalIndicator = true
    package var showsVerticalIndicator = true
    /// The size of the content that the author wrote, for views that rules do not size.
    package var contentSize: Size?

    package init() {}
}

/// The bars around a screen.
package struct BarGeometry: Equatable, Sendable {
    package var isDark = false
    package var isTranslucent = true
    package var background: Paint?
    package var tint: Paint?
    package var titleColor: Paint?
    package var prefersLargeTitle = false
    package var isHidden = false
    /// True for a search bar without a ground.
    package var isMinimal = false

    package init() {}
}

/// The edges at which the content of a screen lies under its bars.
package struct ScreenEdges: Equatable, Sendable {
    package var extendsUnderTopBar = true
    package var extendsUnderBottomBar = true
    /// True if it extends under bars that let nothing through, too.
    package var extendsUnderOpaqueBars = false
    /// True if the first scroll view begins below the bars.
    package var adjustsScrollInsets = true
    package var hidesBottomBar = false

    package init() {}
}
