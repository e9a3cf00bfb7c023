internal import Predicates

/// A change that turns one view into the next.
package enum Patch: Sendable {
    /// Values that are other than before; `.null` for what is gone.
    case set(ViewKey, [ViewProperty])
    case replace(ViewKey, ViewNode)
    case remove(ViewKey)
    /// A new child, before another or at the end.
    case insert(ViewNode, into: ViewKey, before: ViewKey?)
    /// Everything is new.
    case whole(View)
    case alerts([View.Notice])
    case title(String)
}

extension View {
    /// The patches that make this view of an older one.
    package func difference(from old: View) -> [Patch] {
        guard screen == old.screen, root.key == old.root.key, root.kind == old.root.kind else { return [.whole(self)] }
        var patches: [Patch] = []
        if title != old.title { patches.append(.title(title)) }
        View.compare(old.root, root, &patches)
        if alerts != old.alerts { patches.append(.alerts(alerts)) }
        return patches
    }

    /// Views are no deeper than their budget, which bounds this.
    private static func compare(_ old: ViewNode, _ new: ViewNode, _ patches: inout [Patch]) {
        if old === new { return }
        guard old.kind == new.kind, old.identifier == new.identifier, old.events == new.events else {
            patches.append(.replace(old.key, new))
            return
        }
        let changes = changes(old.properties, new.properties)
        if !changes.isEmpty { patches.append(.set(new.key, changes)) }
        compareChildren(old, new, &patches)
    }

    private static func changes(_ old: [ViewProperty], _ new: [ViewProperty]) -> [ViewProperty] {
        var changes = new.filter { property in
            !old.contains { $0.name == property.name && $0.value.isIdentical(to: property.value) }
        }
        for property in old where !new.contains(where: { $0.name == property.name }) {
            changes.append(ViewProperty(property.name, .null))
        }
        return changes
    }

    private static func compareChildren(_ old: ViewNode, _ new: ViewNode, _ patches: inout [Patch]) {
        let (before, after) = (old.children, new.children)
        var start = 0
        while start < before.count, start < after.count {
            // What is the same needs no comparison, and most of a long list is.
            if before[start] !== after[start] {
                guard before[start].key == after[start].key else { break }
                compare(before[start], after[start], &patches)
            }
            start += 1
        }
        var (oldEnd, newEnd) = (before.count, after.count)
        while oldEnd > start, newEnd > start, before[oldEnd - 1].key == after[newEnd - 1].key {
            compare(before[oldEnd - 1], after[newEnd - 1], &patches)
            oldEnd -= 1
            newEnd -= 1
        }
        for place in start..<oldEnd { patches.append(.remove(before[place].key)) }
        for place in start..<newEnd {
            patches.append(.insert(after[place], into: new.key, before: newEnd < after.count ? after[newEnd].key : nil))
        }
    }
}
