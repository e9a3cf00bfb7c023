internal import Predicates

/// What a property of a node is at the moment: what was typed or assigned, else what its expression gives.
enum PropertyReader {
    static func value(
        _ property: PropertyName, of id: NodeID, item: ItemScope?, in screen: ScreenScope
    ) -> Value {
        if let slot = slot(property, of: id, item: item?.key, in: screen) { return slot }
        guard let plan = screen.node(id)?[property] else { return .null }
        if let literal = plan.literal { return literal }
        guard let deeper = screen.deeper else {
            screen.meter?.noteCircle(at: id)
            return .null
        }
        screen.meter?.spend(Meter.binding)
        if screen.meter?.isEmpty ?? false { return .null }
        let scope: Value = if let item { .object(item.within(deeper)) } else { .object(deeper) }
        // The view says what is wrong with the property; here it only has no value.
        return (try? plan.expression.value(scope, item?.context ?? deeper.context)) ?? .null
    }

    /// What a form takes from an element: nothing from a text area that is empty.
    static func fieldValue(of id: NodeID, item: ItemScope?, in screen: ScreenScope) -> Value {
        guard let node = screen.scene.node(id) else { return .null }
        let row = node.kind.row
        let value = value(row.value.property, of: id, item: item, in: screen)
        if let media = node.form?.media {
            guard let container = media.container,
                !PropertyReader.value(.value, of: container, item: nil, in: screen).isNull
            else { return .null }
            return PropertyReader.value(.uploadResult, of: id, item: nil, in: screen).member(at: media.resultKeyPath)
        }
        if case .lines = row.typing, case .string("") = value { return .null }
        return value
    }

    static func slot(_ property: PropertyName, of id: NodeID, item: ItemKey?, in screen: ScreenScope) -> Value? {
        if screen.screen.slots.isEmpty { return nil }
        return screen.screen.slots[SlotKey(id, property, item: item)].map { screen.current($0) }
    }
}
