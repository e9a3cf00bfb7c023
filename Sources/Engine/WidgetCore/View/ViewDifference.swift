internal import WidgetPredicates

/// A change that turns one view into the next. Nodes are named by their keys.
package enum Patch: Sendable {
    /// Changed values; `.null` for removed ones.
    case set(ViewKey, [ViewProperty])
    case replace(ViewKey, ViewNode)
    case remove(ViewKey)
    /// A new child, before another or at the end.
    case insert(ViewNode, into: ViewKey, before: ViewKey?)
    /// A child that comes before another one of its parent, or at the end.
    case move(ViewKey, into: ViewKey, before: ViewKey?)
    /// Everything is new.
    case whole(View)
    case alerts([View.Notice])
    case title(String)
}

extension View {
    /// The patches that make this view of an older one, in the order in which they apply.
    ///
    /// Children that both views have are moved, as few as possible. Where children of one parent share a key, patches
    /// among them would be ambiguous, and the parent is replaced.
    package func difference(from old: View) -> [Patch] {
        guard screen == old.screen, root.key == old.root.key, root.kind == old.root.kind else { return [.whole(self)] }
        var difference = ViewDifference()
        difference.compare(old.root, root)
        return (title == old.title ? [] : [.title(title)]) + difference.patches
            + (alerts == old.alerts ? [] : [.alerts(alerts)])
    }
}

/// The comparison of two trees of nodes.
private struct ViewDifference {
    /// First of all, so that a key that appears below another parent is not there twice.
    private var removals: [Patch] = []
    private var changes: [Patch] = []

    var patches: [Patch] { removals + changes }

    /// Views are no deeper than their budget, which bounds this.
    mutating func compare(_ old: ViewNode, _ new: ViewNode) {
        if old === new { return }
        guard old.kind == new.kind, old.identifier == new.identifier, old.events == new.events, old.frame == new.frame
        else {
            changes.append(.replace(old.key, new))
            return
        }
        let (removalCount, changeCount) = (removals.count, changes.count)
        let properties = ViewDifference.changes(old.properties, new.properties)
        if !properties.isEmpty { changes.append(.set(new.key, properties)) }
        if compareChildren(old, new) { return }
        removals.removeSubrange(removalCount...)
        changes.removeSubrange(changeCount...)
        changes.append(.replace(old.key, new))
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

    // MARK: - Children

    /// - Returns: false if children that come, go or move share a key with others.
    private mutating func compareChildren(_ old: ViewNode, _ new: ViewNode) -> Bool {
        let (before, after) = (old.children, new.children)
        // Identical nodes need no comparison, and most rows of a long list are identical.
        var start = NodeList.sharedPrefix(of: before, and: after)
        while start < before.count, start < after.count {
            if before[start] !== after[start] {
                guard before[start].key == after[start].key else { break }
                compare(before[start], after[start])
            }
            start = NodeList.sharedPrefix(of: before, and: after, from: start + 1)
        }
        let shared = NodeList.sharedSuffix(
            of: before, and: after, atMost: min(before.count, after.count) - start)
        var (oldEnd, newEnd) = (before.count - shared, after.count - shared)
        while oldEnd > start, newEnd > start, before[oldEnd - 1].key == after[newEnd - 1].key {
            compare(before[oldEnd - 1], after[newEnd - 1])
            oldEnd -= 1
            newEnd -= 1
        }
        if start == oldEnd, start == newEnd { return true }
        return arrange(before, start..<oldEnd, after, start..<newEnd, in: new.key)
    }

    /// Patches children between those that both views have at the beginning and at the end.
    private mutating func arrange(
        _ before: NodeList, _ old: Range<Int>, _ after: NodeList, _ new: Range<Int>, in parent: ViewKey
    ) -> Bool {
        var places: [ViewKey: Int] = [:]
        places.reserveCapacity(old.count)
        for place in old { places[before[place].key] = place }
        var wanted = Set<ViewKey>(minimumCapacity: new.count)
        for place in new { wanted.insert(after[place].key) }
        guard places.count == old.count, wanted.count == new.count else { return false }
        // Others of these keys would be mistaken for them, or for the one that they come before.
        let next = new.upperBound < after.count ? after[new.upperBound].key : nil
        for place in after.indices where !new.contains(place) {
            let key = after[place].key
            if places[key] != nil || wanted.contains(key) || place != new.upperBound && key == next { return false }
        }
        for place in old where !wanted.contains(before[place].key) { removals.append(.remove(before[place].key)) }
        let origins = new.map { places[after[$0].key] }
        let staying = KeptOrder.staying(origins)
        // Each comes before the next one that stays, one after the other.
        var anchors: [ViewKey?] = []
        var anchor = next
        for offset in staying.indices.reversed() {
            anchors.append(anchor)
            if staying[offset] { anchor = after[new.lowerBound + offset].key }
        }
        for (offset, anchor) in anchors.reversed().enumerated() {
            let node = after[new.lowerBound + offset]
            guard let origin = origins[offset] else {
                changes.append(.insert(node, into: parent, before: anchor))
                continue
            }
            if !staying[offset] { changes.append(.move(node.key, into: parent, before: anchor)) }
            compare(before[origin], node)
        }
        return true
    }
}
