/// Several widgets in place of one, with nothing around them.
public struct Group: Widget {
    /// The description of the widgets.
    public let element: WidgetElement

    /// The widgets between braces, in place of one: `Group { LabelWidget("One"); LabelWidget("Two") }`.
    public init(@WidgetBuilder _ widgets: () -> [any Widget]) { self.init(widgets()) }

    /// The widgets of a list, in place of one.
    public init(_ widgets: [any Widget]) { element = WidgetElement(.group, widgets) }
}

/// Widgets that are shown while a condition holds, and others while it does not. It is data: `if` of Swift decides when
/// the screen is built.
public struct When: Widget {
    /// The description of the widgets and of their condition.
    public let element: WidgetElement

    /// Shows widgets while a condition holds: `When($isOn) { LabelWidget("On") }`.
    public init<Truth: Readable>(_ condition: Truth, @WidgetBuilder _ widgets: () -> [any Widget])
    where Truth.Value == Bool { element = WidgetElement(.conditional(condition.operand), widgets()) }

    /// Shows widgets while a condition holds, and others while it does not.
    public init<Truth: Readable>(
        _ condition: Truth, @WidgetBuilder _ widgets: () -> [any Widget],
        @WidgetBuilder else others: () -> [any Widget]
    ) where Truth.Value == Bool {
        let other = WidgetElement(.conditional(condition.operand.negated), others())
        let first = WidgetElement(.conditional(condition.operand), widgets())
        element = WidgetElement(.group, [ElementWidget(element: first), ElementWidget(element: other)])
    }
}

/// An element as a widget.
struct ElementWidget: Widget {
    let element: WidgetElement
}

/// Widgets for each item of a list.
public struct ForEach: Widget {
    /// The description of the widgets and of their list.
    public let element: WidgetElement

    /// The rows of a list that changes. The closure is called once, with a stand-in for the item.
    ///
    /// - Parameter key: the member that is different for each item, so that rows keep their identity when they move.
    public init<List: Changing, Item>(
        _ list: List, key: KeyPath<Item, some Any>, @WidgetBuilder _ row: (Reading<Item>) -> [any Widget]
    ) where List.Value: RandomAccessCollection, List.Value.Element == Item {
        self.init(list.operand, ItemName(of: Item.self), key: MemberPath.keys(key), row)
    }

    /// The rows of a list that changes. An item is known by its place.
    public init<List: Changing, Item>(_ list: List, @WidgetBuilder _ row: (Reading<Item>) -> [any Widget])
    where List.Value: RandomAccessCollection, List.Value.Element == Item {
        self.init(list.operand, ItemName(of: Item.self), key: nil, row)
    }

    /// A widget for each item of a list that is there when the screen is built.
    public init<Items: Sequence>(_ items: Items, @WidgetBuilder _ row: (Items.Element) -> [any Widget]) {
        element = WidgetElement(.group, items.map { Group(row($0)) })
    }

    /// A widget for each item of a list that is there when the screen is built. States in a row follow its identity.
    public init<Items: Sequence>(
        _ items: Items, id: KeyPath<Items.Element, some Any>, @WidgetBuilder _ row: (Items.Element) -> [any Widget]
    ) {
        element = WidgetElement(
            .group,
            items.map { item in
                var group = WidgetElement(.group, row(item))
                group.identity = "\(item[keyPath: id])"
                return ElementWidget(element: group)
            })
    }

    init<Item>(
        _ list: Operand, _ item: ItemName, key: [String]?, _ row: (Reading<Item>) -> [any Widget]
    ) {
        element = WidgetElement(
            .repeated(ListRepetition(list: list, item: item, key: key)), row(Reading(Operand(item))))
    }
}

/// Another name of the widgets for each item of a list.
public typealias ObservableListBuilder = ForEach
