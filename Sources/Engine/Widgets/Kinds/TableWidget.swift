/// Rows, which may lie in sections.
public struct TableWidget: StyledWidget {
    public enum Style: String, Sendable {
        case auto, plain, grouped, inset
    }

    public var element: WidgetElement

    public init(@WidgetBuilder _ sections: () -> [any Widget]) { self.init(sections()) }

    public init(_ sections: [any Widget]) { element = .kind("table", sections) }

    public func style(_ style: Style) -> Self { payload("style", .literal(style.rawValue)) }

    public func separators(_ isShown: Bool) -> Self { payload("separators", .literal(isShown)) }

    /// The widgets that are shown while its list has nothing.
    public func placeholder(@WidgetBuilder _ widgets: () -> [any Widget]) -> Self { slot("empty", widgets()) }

    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

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
    public var element: WidgetElement

    public init(@WidgetBuilder _ rows: () -> [any Widget]) { self.init(rows()) }

    public init(_ rows: [any Widget]) { element = .kind("section", rows) }

    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

    public func onSelect(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("select", [.run(file: file, line: line, handler)]) }
}

/// Rows of a table, one for each item of a list that changes.
public struct DynamicTableSectionWidget<Item: Codable & Sendable>: StyledWidget, SectionTraits {
    public var element: WidgetElement
    private let item = ItemName(of: Item.self)

    /// - Parameters:
    ///   - key: the member that is different for each item.
    ///   - row: called once, with a stand-in for the item.
    public init<List: Changing>(
        _ list: List, key: KeyPath<Item, some Any>, @WidgetBuilder row: (Reading<Item>) -> [any Widget]
    ) where List.Value == [Item] { self.init(list.operand, MemberPath.keys(key), row) }

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
    public func title(_ text: TextValue) -> Self { payload("title", text.operand) }

    public func footer(_ text: TextValue) -> Self { payload("footer", text.operand) }
}

/// A row of a table: its texts, or else its widgets.
public struct TableCellWidget: StyledWidget {
    public enum Accessory: Sendable {
        case none, disclosureIndicator, detailButton, checkmark
    }

    public var element: WidgetElement

    public init(_ title: TextValue, subtitle: TextValue? = nil, value: TextValue? = nil) {
        self.init(title.operand, subtitle?.operand, value?.operand)
    }

    public init<Text: Changing>(_ title: TextValue, subtitle: Text) where Text.Value == String {
        self.init(title.operand, subtitle.operand, nil)
    }

    public init<Text: Changing>(_ title: TextValue, value: Text) where Text.Value == String {
        self.init(title.operand, nil, value.operand)
    }

    @_disfavoredOverload
    public init<Title: Readable>(_ title: Title, subtitle: TextValue? = nil, value: TextValue? = nil)
    where Title.Value == String { self.init(title.operand, subtitle?.operand, value?.operand) }

    @_disfavoredOverload
    public init<Title: Readable, Text: Changing>(_ title: Title, subtitle: Text)
    where Title.Value == String, Text.Value == String { self.init(title.operand, subtitle.operand, nil) }

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

    public func image(_ name: TextValue) -> Self { payload("image", name.operand) }

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

    public func onSelect(_ actions: WidgetAction...) -> Self { on("select", actions) }

    public func onSelect(
        file: String = #filePath, line: Int = #line, _ handler: @escaping (WidgetContext) -> Void
    ) -> Self { on("select", [.run(file: file, line: line, handler)]) }

    /// The reader deletes the row.
    public func onDelete(_ actions: WidgetAction...) -> Self { on("delete", actions) }
}
