internal import WidgetCore
internal import WidgetMarkup

/// Compares the shells of two pages, and finds the operations that turn one into the other.
struct PageComparison {
    private var old: PageTree
    private let new: PageTree
    /// Elements that both pages have, in the order in which they are looked at.
    private var pairs: [(old: Int, new: Int)] = []
    private var replaced: [(old: Int, new: Int)] = []
    private var removed: [Int] = []
    /// The old elements of the children of each new one that has changed children.
    private var origins: [Int: Int] = [:]
    private(set) var operations: [PageOperation] = []
    /// Elements that have to be printed, because new markup holds them.
    private(set) var missing: Set<String> = []

    init(_ old: PageTree, _ new: PageTree) {
        self.old = old
        self.new = new
    }

    /// - Returns: false if the pages have too little in common.
    mutating func run() -> Bool {
        guard match(0, 0) else { return false }
        for (_, part) in replaced { findHoles(in: part) }
        for (_, part) in pairs {
            for child in new[part].children where origins[child] == nil && !isAlert(child) { findHoles(in: child) }
        }
        guard missing.isEmpty else { return true }
        // First of all, so that an identity that appears elsewhere is not there twice.
        for part in removed where !isTooMuch {
            operations.append(.remove(old.address(part)))
            old.remove(part)
        }
        for (one, other) in replaced {
            operations.append(.replace(old.address(one), html: new.html(other)))
            old.replace(one)
        }
        for (one, other) in pairs { set(one, other) }
        for (one, other) in pairs where !isTooMuch { arrange(one, other) }
        return !isTooMuch
    }

    /// True if a whole page is less work: an edit takes as long as its list, and a long list can have many.
    private var isTooMuch: Bool { old.editedCount > PageComparison.editLimit }

    private static let editLimit = 1 << 22

    private func isAlert(_ part: Int) -> Bool { new[part].kind == .element(.dialog) }

    private mutating func findHoles(in part: Int) {
        guard new[part].hasHoles || isHole(new[part]) else { return }
        if isHole(new[part]), let name = new[part].name { missing.insert(name) }
        for child in new[part].children { findHoles(in: child) }
    }

    private func isHole(_ part: PageTree.Part) -> Bool {
        if case .hole = part.kind { true } else { false }
    }

    // MARK: - Matching

    /// Printed elements are no deeper than views, which bounds this.
    ///
    /// - Returns: false if the old element has to be replaced.
    private mutating func match(_ one: Int, _ other: Int) -> Bool {
        guard case .element(let element) = old[one].kind, old[one].kind == new[other].kind,
            old.attribute("id", of: one) == new.attribute("id", of: other),
            old.attribute("type", of: one) == new.attribute("type", of: other)
        else { return false }
        if !old[one].hasHoles, !new[other].hasHoles,
            old.bytes[old[one].range].elementsEqual(new.bytes[new[other].range])
        {
            return true
        }
        let counts = (pairs.count, replaced.count, removed.count)
        pairs.append((one, other))
        if element == .select ? matchOptions(one, other) : matchChildren(one, other) { return true }
        pairs.removeSubrange(counts.0...)
        replaced.removeSubrange(counts.1...)
        removed.removeSubrange(counts.2...)
        return false
    }

    private mutating func matchOptions(_ one: Int, _ other: Int) -> Bool {
        let (before, after) = (old[one].children, new[other].children)
        guard before.count == after.count else { return false }
        for (first, second) in zip(before, after) {
            guard old.text(first) == new.text(second),
                old.attributes(first).filter({ $0.name != "selected" })
                    .elementsEqual(new.attributes(second).filter { $0.name != "selected" }, by: ==)
            else { return false }
            origins[second] = first
        }
        return true
    }

    private mutating func matchChildren(_ one: Int, _ other: Int) -> Bool {
        let (before, after) = (old[one].children, new[other].children)
        if old.text(one) != nil, new.text(other) != nil {
            for child in after { origins[child] = one }
            return true
        }
        let hasContent = (before.map { old[$0] } + after.map { new[$0] }).contains { part in
            switch part.kind {
            case .text, .markup: true
            case .element, .hole, .inserted: false
            }
        }
        if hasContent {
            guard hasSameContent(before, after) else { return false }
            for (child, origin) in zip(after, before)
            where !new.isElement(child) || new[child].kind == .markup(isElement: true) {
                origins[child] = origin
            }
        }
        let alerts = (before.first { old[$0].kind == .element(.dialog) }, after.first { isAlert($0) })
        var known: [String: Int] = [:]
        for (child, key) in PageComparison.keys(old, before.filter { $0 != alerts.0 && !isContent(old[$0]) }) {
            if known.updateValue(child, forKey: key) != nil { return false }
        }
        var seen: Set<String> = []
        for (child, key) in PageComparison.keys(new, after.filter { $0 != alerts.1 && !isContent(new[$0]) }) {
            guard seen.insert(key).inserted else { return false }
            guard let origin = known.removeValue(forKey: key) else { continue }
            origins[child] = origin
            if isHole(old[origin]), isHole(new[child]) { continue }
            if !match(origin, child) { replaced.append((origin, child)) }
        }
        removed += known.values.sorted()
        return true
    }

    private func isContent(_ part: PageTree.Part) -> Bool {
        switch part.kind {
        case .text, .markup: true
        case .element, .hole, .inserted: false
        }
    }

    /// True if texts and markup between the elements are the same, at the same places.
    private func hasSameContent(_ before: [Int], _ after: [Int]) -> Bool {
        guard before.count == after.count else { return false }
        var isPlaceKnown = true
        for (one, other) in zip(before, after) {
            let (first, second) = (old[one], new[other])
            guard isContent(first) == isContent(second) else { return false }
            if isContent(first) {
                guard first.kind == second.kind,
                    old.bytes[first.range].elementsEqual(new.bytes[second.range])
                else { return false }
                if first.kind == .markup(isElement: false) { isPlaceKnown = false }
            } else if !isPlaceKnown
                || PageComparison.keys(old, [one]).map({ $0.1 }) != PageComparison.keys(new, [other]).map({ $0.1 })
            {
                return false
            }
        }
        return true
    }

    /// The names of siblings: the identity of a node, or else their kind and their number among those of the kind.
    private static func keys(_ tree: PageTree, _ parts: [Int]) -> [(Int, String)] {
        var counts: [String: Int] = [:]
        return parts.map { part in
            if let name = tree[part].name ?? tree.attribute("id", of: part) { return (part, name) }
            guard case .element(let element) = tree[part].kind else { return (part, "") }
            let classes = tree.attribute("class", of: part) ?? ""
            let first = classes.split(separator: " ").prefix(classes.hasPrefix(LayoutClasses.absent) ? 2 : 1)
            let kind = ":\(element.rawValue).\(first.joined(separator: "."))"
            counts[kind, default: 0] += 1
            return (part, "\(kind).\(counts[kind] ?? 0)")
        }
    }

    // MARK: - Operations

    private mutating func set(_ one: Int, _ other: Int) {
        guard case .element(let element) = old[one].kind else { return }
        var properties: [PageProperty] = []
        if !old.bytes[old[one].tag].elementsEqual(new.bytes[new[other].tag]) {
            let (before, after) = (old.attributes(one), new.attributes(other))
            for (name, value) in after where !before.contains(where: { $0.name == name && $0.value == value }) {
                properties.append(PageProperty(name, name == "checked" ? .truth(true) : .text(value)))
            }
            for (name, _) in before where !after.contains(where: { $0.name == name }) {
                properties.append(PageProperty(name, name == "checked" ? .truth(false) : .none))
            }
            // The dialog's operation sets this one. The limits of a value come before it.
            properties.removeAll { $0.name == "inert" }
            properties = properties.filter { $0.name != "value" } + properties.filter { $0.name == "value" }
        }
        if element == .select {
            if let value = chosen(other, in: new), value != chosen(one, in: old) {
                properties.append(PageProperty("value", .text(value)))
            }
        } else if let text = new.text(other), let before = old.text(one), text != before {
            properties.append(PageProperty(element == .textarea ? "value" : "text", .text(text)))
        }
        if !properties.isEmpty { operations.append(.set(old.address(one), properties)) }
    }

    private func chosen(_ select: Int, in tree: PageTree) -> String? {
        let options = tree[select].children
        let chosen = options.first { option in tree.attributes(option).contains { $0.name == "selected" } }
        return (chosen ?? options.first).flatMap { tree.attribute("value", of: $0) }
    }

    /// Inserts and moves the children of an element that both pages have.
    private mutating func arrange(_ one: Int, _ other: Int) {
        guard case .element(let element) = new[other].kind, element != .select, new.text(other) == nil else { return }
        let children = new[other].children.filter { !isAlert($0) }
        var places: [Int: Int] = [:]
        for (place, child) in old[one].children.enumerated() { places[child] = place }
        let staying = KeptOrder.staying(children.map { origins[$0].flatMap { places[$0] } })
        // New elements come last, between those that have their places.
        var next: Int?
        for (place, child) in children.enumerated().reversed() where !isTooMuch {
            guard let origin = origins[child] else { continue }
            if !staying[place] {
                operations.append(
                    .move(old.address(origin), into: old.address(one), before: next.map { old.address($0) }))
                old.place(origin, in: one, before: next)
            }
            next = origin
        }
        next = nil
        var pending: [Int] = []
        for child in children.reversed() where !isTooMuch {
            guard let origin = origins[child] else {
                pending.append(child)
                continue
            }
            insert(&pending, into: one, before: next)
            next = origin
        }
        insert(&pending, into: one, before: next)
    }

    /// Inserts neighbours at once.
    private mutating func insert(_ parts: inout [Int], into parent: Int, before next: Int?) {
        guard !parts.isEmpty else { return }
        let html = parts.reversed().flatMap { new.html($0) }
        operations.append(.insert(into: old.address(parent), before: next.map { old.address($0) }, html: html))
        for _ in parts { old.place(nil, in: parent, before: next) }
        parts = []
    }
}
