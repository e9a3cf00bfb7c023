/// Rows, which may lie in sections.
public struct TableWidget: StyledWidget {
    /// The looks of a table.
    public enum Style: String, Sendable {
        /// A look: rows alone, or sections as groups. `auto` is `grouped` for several sections, and `plain` otherwise.
        case auto, plain, grouped, inset
    }

    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// A table of sections and rows. Other widgets become rows.
    public init(@WidgetBuilder _ sections: () -> [any Widget]) { self.init(sections()) }

    /// A table of the sections and rows of a list.
    public init(_ sections: [any Widget]) { element = .kind("table", sections) }

    /// Chooses the looks.
    public func style(_ style: Style) -> Self { payload("style", .literal(style.rawValue)) }

    /// Shows lines between rows, or hides them.
    public func separators(_ isShown: Bool) -> Self { payload("separators", .literal(isShown)) }

    /// Keeps the end in sight while rows come, as a chat or a log does, until the reader scrolls up.
    public func keepsEnd(_ isKept: Bool = true) -> Self { payload("keeps", .literal(isKept ? "end" : "start")) }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }

    /// Takes actions when a row is selected, unless its cell or its section has some.
    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

    /// Calls a closure when a row is selected, unless its cell or its section has actions.
    public func onSelect(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("select", [.run(file: file, line: line, handler)]) }

    /// The reader pulls the table down: a source is asked again.
    public func onRefresh(_ source: String) -> Self { payload("refresh", .literal(source)) }

    /// The reader pulls the table down.
    ///
    /// - Parameters:
    ///   - isRefreshing: true while the content is fetched again.
    ///   - initialRefresh: true to begin when the screen is made.
    public func onRefresh<Truth: Readable>(
        isRefreshing: Truth, initialRefresh: Bool = false, file: String = #filePath, line: Int = #line,
        handler: @escaping (WidgetContext) -> Void
    ) -> Self where Truth.Value == Bool {
        onRefresh(initialRefresh: initialRefresh, file: file, line: line, handler: handler)
            .payload("refreshing", isRefreshing.operand)
    }

    /// The reader pulls the table down.
    public func onRefresh(
        initialRefresh: Bool = false, file: String = #filePath, line: Int = #line,
        handler: @escaping (WidgetContext) -> Void
    ) -> Self {
        let action = WidgetAction.run(file: file, line: line, handler)
        var copy = on("refresh", [action])
        if initialRefresh { copy = copy.on("appearOnce", [action]) }
        return copy
    }
}

/// Rows of a table that belong together.
public struct TableSectionWidget: StyledWidget, SectionTraits {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// The rows between braces.
    public init(@WidgetBuilder _ rows: () -> [any Widget]) { self.init(rows()) }

    /// The rows of a list.
    public init(_ rows: [any Widget]) { element = .kind("section", rows) }

    /// Takes actions when a row of the section is selected, unless its cell has some.
    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

    /// Calls a closure when a row of the section is selected, unless its cell has actions.
    public func onSelect(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("select", [.run(file: file, line: line, handler)]) }
}

/// Rows of a table, one for each item of a list that changes.
public struct DynamicTableSectionWidget<Item: Codable & Sendable>: StyledWidget, SectionTraits {
    /// The description of the widget, which modifiers change.
    public var element: WidgetElement
    private let item = ItemName(of: Item.self)

    /// The rows of a list that changes.
    ///
    /// - Parameters:
    ///   - key: the member that is different for each item.
    ///   - row: called once, with a stand-in for the item.
    public init<List: Changing>(
        _ list: List, key: KeyPath<Item, some Any>, @WidgetBuilder row: (Reading<Item>) -> [any Widget]
    ) where List.Value == [Item] { self.init(list.operand, MemberPath.keys(key), row) }

    /// The rows of a list that changes. An item is known by its place.
    public init<List: Changing>(_ list: List, @WidgetBuilder row: (Reading<Item>) -> [any Widget])
    where List.Value == [Item] { self.init(list.operand, nil, row) }

    private init(_ list: Operand, _ key: [String]?, _ row: (Reading<Item>) -> [any Widget]) {
        let rows = WidgetElement(
            .repeated(ListRepetition(list: list, item: item, key: key)), row(Reading(Operand(item))))
        element = .kind("section", [ElementWidget(element: rows)])
    }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }

    /// A row was selected.
    public func onSelect(_ actions: (Reading<Item>) -> WidgetAction) -> Self {
        on("select", [actions(Reading(Operand(item)))])
    }

    /// A row was selected. The closure gets its item.
    public func onSelect(
        file: String = #filePath, line: Int = #line, handler: @escaping (WidgetContext, Item) -> Void
    ) -> Self {
        on("select", [.run(with: Reading<Item>(Operand(item)), file: file, line: line, handler)])
    }
}

/// A section with a title and a footer.
public protocol SectionTraits: StyledWidget {}

extension SectionTraits {
    /// Shows a text above the rows.
    public func title(_ text: TextValue) -> Self { payload("title", text.operand) }

    /// Shows a text below the rows.
    public func footer(_ text: TextValue) -> Self { payload("footer", text.operand) }
}

/// A row of a table: its texts, or else its widgets.
public struct TableCellWidget: StyledWidget {
    /// The sign at the trailing edge of a row.
    public enum Accessory: Sendable {
        /// A sign: none, an arrow to another screen, a button for details, or a check mark.
        case none, disclosureIndicator, detailButton, checkmark
    }

    /// The description of the widget, which modifiers change.
    public var element: WidgetElement

    /// A row of texts: a title, a smaller text below it, and a value at the trailing edge.
    public init(_ title: TextValue, subtitle: TextValue? = nil, value: TextValue? = nil) {
        self.init(title.operand, subtitle?.operand, value?.operand)
    }

    /// A row with a title, and a smaller text below it that follows a value.
    public init<Text: Changing>(_ title: TextValue, subtitle: Text) where Text.Value == String {
        self.init(title.operand, subtitle.operand, nil)
    }

    /// A row with a title, and a text at the trailing edge that follows a value.
    public init<Text: Changing>(_ title: TextValue, value: Text) where Text.Value == String {
        self.init(title.operand, nil, value.operand)
    }

    /// A row whose title follows a value.
    @_disfavoredOverload
    public init<Title: Readable>(_ title: Title, subtitle: TextValue? = nil, value: TextValue? = nil)
    where Title.Value == String { self.init(title.operand, subtitle?.operand, value?.operand) }

    /// A row whose title and smaller text follow values.
    @_disfavoredOverload
    public init<Title: Readable, Text: Changing>(_ title: Title, subtitle: Text)
    where Title.Value == String, Text.Value == String { self.init(title.operand, subtitle.operand, nil) }

    /// A row whose title and text at the trailing edge follow values.
    @_disfavoredOverload
    public init<Title: Readable, Text: Changing>(_ title: Title, value: Text)
    where Title.Value == String, Text.Value == String { self.init(title.operand, nil, value.operand) }

    /// A row of any widgets.
    public init(@WidgetBuilder _ widgets: () -> [any Widget]) { element = .kind("cell", widgets()) }

    private init(_ title: Operand, _ subtitle: Operand?, _ value: Operand?) {
        element = .kind("cell")
        element.payload.append(("title", title))
        if let subtitle { element.payload.append(("subtitle", subtitle)) }
        if let value { element.payload.append(("value", value)) }
    }

    /// Shows a picture of the bundle at the leading edge.
    public func image(_ name: TextValue) -> Self { payload("image", name.operand) }

    /// Chooses the sign at the trailing edge.
    public func accessoryType(_ accessory: Accessory) -> Self {
        let word =
            switch accessory {
            case .none: "none"
            case .disclosureIndicator: "disclosure"
            case .detailButton: "detail"
            case .checkmark: "checkmark"
            }
        return payload("accessory", .literal(word))
    }

    /// Takes actions when the row is selected.
    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

    /// Calls a closure when the row is selected.
    public func onSelect(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("select", [.run(file: file, line: line, handler)]) }

    /// The reader deletes the row.
    public func onDelete(_ actions: WidgetAction...) -> Self { on("delete", actions) }
}
