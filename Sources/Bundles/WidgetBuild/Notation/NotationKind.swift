/// A kind of line in the notation of screens: the word with which the line begins.
package enum NotationKind: String, CaseIterable, Sendable {
    case screen, tabs, tab, left, right
    case column, row, view, form, scroll, table, header, footer, collection, cell
    case label, button, image, textField, textView, search
    case `switch`, slider, stepper, segmented, datePicker, picker, activity, progress, pageControl, web

    /// The places in which a line may be.
    enum Place: Sendable {
        /// At the left margin.
        case top
        /// In a line of one of these kinds.
        case within(Set<NotationKind>)
    }

    private static let containers: Set<NotationKind> = [
        .screen, .column, .row, .view, .form, .scroll, .header, .footer, .cell,
    ]

    /// Views, which can be in each container.
    static let views: Set<NotationKind> = [
        .column, .row, .view, .form, .scroll, .table, .collection, .label, .button, .image, .textField, .textView,
        .search, .switch, .slider, .stepper, .segmented, .datePicker, .picker, .activity, .progress, .pageControl, .web,
    ]

    static let controls: Set<NotationKind> = [
        .button, .textField, .switch, .slider, .stepper, .segmented, .datePicker, .pageControl,
    ]

    /// Items of the bar above a screen.
    static let barItems: Set<NotationKind> = [.left, .right]

    var place: Place {
        switch self {
        case .screen, .tabs: .top
        case .tab: .within([.tabs])
        case .left, .right: .within([.screen])
        case .cell: .within([.table, .collection])
        case .header, .footer: .within([.table])
        case .search: .within(NotationKind.containers.union([.table]))
        default: .within(NotationKind.containers)
        }
    }

    /// True if other lines may be in one of this kind.
    var hasLines: Bool {
        NotationKind.containers.contains(self) || [.tabs, .table, .collection].contains(self)
    }

    /// True if views in it follow each other from top to bottom, with a margin around them.
    var isChain: Bool {
        switch self {
        case .screen, .view, .form, .scroll, .header, .footer, .cell: true
        default: false
        }
    }

    /// True if a quoted text may follow the name.
    var hasText: Bool {
        switch self {
        case .screen, .tab, .left, .right, .label, .button, .textField, .textView: true
        default: false
        }
    }

    /// True if a touch on it can lead to a screen.
    var canLead: Bool {
        switch self {
        case .tab, .left, .right, .cell, .button: true
        default: false
        }
    }

    /// True if a view has no margin at its sides.
    var reachesEdges: Bool {
        switch self {
        case .view, .form, .scroll, .table, .collection, .search, .web: true
        default: false
        }
    }

    /// True if a view takes the height that others leave, up to the edges of the screen, because what it shows can be scrolled
    /// from below its bars.
    var fillsHeight: Bool {
        switch self {
        case .scroll, .table, .collection, .web: true
        default: false
        }
    }

    /// True if a view has a width from its content, and is not stretched.
    var keepsWidth: Bool {
        switch self {
        case .switch, .stepper, .activity: true
        default: false
        }
    }

    /// The element of a storyboard. A header and a footer are views with a key.
    var element: String {
        switch self {
        case .screen: "viewController"
        case .tabs: "tabBarController"
        case .tab: "tabBarItem"
        case .left, .right: "barButtonItem"
        case .column, .row: "stackView"
        case .view, .form, .header, .footer: "view"
        case .scroll: "scrollView"
        case .table: "tableView"
        case .collection: "collectionView"
        case .cell: "tableViewCell"
        case .label, .button, .textField, .textView, .switch, .slider, .stepper, .datePicker, .pageControl: rawValue
        case .image: "imageView"
        case .search: "searchBar"
        case .segmented: "segmentedControl"
        case .picker: "pickerView"
        case .activity: "activityIndicatorView"
        case .progress: "progressView"
        case .web: "wkWebView"
        }
    }

    /// A line for the list of kinds.
    package var meaning: String {
        switch self {
        case .screen: "a screen; the text is its title, the name that of its scheme"
        case .tabs: "a bar of tabs, each of which leads to a screen"
        case .tab: "a tab; the text is its title"
        case .left: "a button at the left of the screen's bar"
        case .right: "a button at its right"
        case .column: "views below each other, which share its height"
        case .row: "views beside each other"
        case .view: "views below each other, with a margin"
        case .form: "the same, as a `FormDisplayView`: its fields are one value"
        case .scroll: "the same, and it scrolls"
        case .table: "a list"
        case .header: "views above the rows of a list"
        case .footer: "views below them"
        case .collection: "a grid"
        case .cell: "the pattern of a row; the name is that of the cell, `Cell` without one"
        case .label: "a text that is read"
        case .button: "a button; the text is its title"
        case .image: "a picture"
        case .textField: "a line that is typed; the text is typed already"
        case .textView: "lines that are typed, or read with `readOnly`"
        case .search: "a line to search with; in a `table`, above its rows"
        case .switch: "on or off"
        case .slider: "a number on a line"
        case .stepper: "a number with plus and minus"
        case .segmented: "one of a few words"
        case .datePicker: "a date or a time"
        case .picker: "one of many; its `titles` are the scheme's"
        case .activity: "a sign that something happens; hidden until it turns"
        case .progress: "a share, from 0 to 1"
        case .pageControl: "dots, one for each page"
        case .web: "the address of a page, which hosts show"
        }
    }
}
