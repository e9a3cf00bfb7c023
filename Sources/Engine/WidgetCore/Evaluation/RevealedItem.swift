internal import WidgetPredicates

/// An item that a link leads to.
package enum RevealedItem: Sendable {
    /// The place of an item among those of a list.
    case row(Int)
    /// An item that elements are repeated for, with its value.
    case repeated(ItemKey, Value)
}

/// The last item of a screen that a link or a step has led to.
package struct RevealedPlace: Equatable, Sendable {
    /// Greater for each that comes later, on whichever screen.
    package var number: Int
    package var item: ItemKey

    package init(number: Int, item: ItemKey) {
        (self.number, self.item) = (number, item)
    }
}

extension View {
    /// The element of the item that was revealed last: its row, or else the first element that is about it.
    package func revealed(_ place: RevealedPlace?) -> ViewNode? {
        guard let item = place?.item else { return nil }
        var found: ViewNode?
        visit { node in
            if node.key.item == item { found = node }
            return found == nil
        }
        return found
    }
}

extension ScreenScope {
    /// The first item of repetitions, or of those within them, that has a text at a key path.
    ///
    /// - Parameter limit: the items of one repetition that are looked at.
    func item(
        of repetitions: [NodeID], having text: String, at keyPath: [String], limit: Int
    ) -> RevealedItem? {
        var pending = repetitions.map { (id: $0, outer: Optional<ItemKey>.none) }
        pending.reverse()
        while let (id, outer) = pending.popLast() {
            guard let repetition = node(id)?.repetition, !(meter?.isEmpty ?? false),
                let items = items(of: repetition, id, outer, limit)
            else { continue }
            meter?.spend(Meter.item * (items.values.count + 1))
            for (place, value) in items.values.enumerated() where value.member(at: keyPath).text == text {
                return .repeated(items.key(place), value.kept)
            }
            let inner = repetition.template.filter { node($0)?.kind != .row }.flatMap(scene.repetitions)
            guard !inner.isEmpty else { continue }
            for place in items.values.indices.reversed() {
                let key = items.key(place)
                pending += inner.reversed().map { ($0, key) }
            }
        }
        return nil
    }

    /// The items of a repetition within an item; `nil` for one that fails, which the view reports.
    private func items(
        of repetition: Repetition, _ id: NodeID, _ outer: ItemKey?, _ limit: Int
    ) -> RepeatedItems? {
        do throws(PredicateError) {
            let around = try scope(of: id, item: outer)
            return try RepeatedItems(
                repetition, of: id, in: around.map { .object($0) } ?? .object(self), context, outer: outer,
                limit: limit)
        } catch {
            return nil
        }
    }
}
