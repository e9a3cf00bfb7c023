internal import XMLText

/// The variations of a source that apply to a phone held upright: its default, and the size classes of that device.
/// Interfaces are compiled for it, because no host shows another.
struct Variations {
    /// Attributes and parts in place of an element's own, by the element's number.
    private var attributes: [Int: Replacements<XMLAttribute>] = [:]
    private var parts: [Int: Replacements<XMLElement>] = [:]
    /// The ids of subviews and constraints that are not installed. They exist, but are in no view.
    private var excluded: Set<String> = []

    private static let device: Set<Substring> = ["widthClass=compact", "heightClass=regular"]

    /// Reads the variations of an element, those with more conditions last.
    mutating func read(_ element: XMLElement, _ notes: inout InterfaceNotes) {
        var applicable: [(conditions: Int, element: XMLElement)] = []
        for variation in element.children(named: "variation") {
            let key = variation["key"] ?? ""
            let conditions = key == "default" ? [] : key.split(separator: "-")
            if conditions.allSatisfy({ Variations.device.contains($0) }) {
                applicable.append((conditions.count, variation))
            } else {
                notes.add(
                    "the variation for \(key) was left out: interfaces are compiled for a phone held upright", variation
                )
            }
        }
        for (_, variation) in applicable.sorted(by: {
            ($0.conditions, $0.element.offset) < ($1.conditions, $1.element.offset)
        }) {
            apply(variation, to: element, &notes)
        }
    }

    private mutating func apply(_ variation: XMLElement, to element: XMLElement, _ notes: inout InterfaceNotes) {
        let number = element.number
        for attribute in variation.attributes where attribute.name != "key" {
            attributes[number, default: Replacements()].add(attribute, for: attribute.name)
        }
        for part in variation.children {
            guard part.name == "mask" else {
                parts[number, default: Replacements()].add(part, for: part["key"])
                continue
            }
            Variations.check(part, "key", &notes)
            guard ["subviews", "constraints", "gestureRecognizers"].contains(part["key"] ?? "") else {
                notes.add("a mask for \(part["key"] ?? "nothing") was left out: nothing is known about it", part)
                continue
            }
            for reference in part.children {
                Variations.check(reference, "reference", &notes)
                guard let id = reference["reference"], reference.children.isEmpty else { continue }
                switch reference.name {
                case "exclude": excluded.insert(id)
                case "include": excluded.remove(id)
                default: continue
                }
            }
        }
    }

    /// Notes what is not read of an element with one attribute.
    private static func check(_ element: XMLElement, _ known: String, _ notes: inout InterfaceNotes) {
        for attribute in element.attributes where attribute.name != known {
            notes.add(
                "the attribute \(attribute.name) of \(element.name) was left out: nothing is known about it", element)
        }
        for child in element.children where !["include", "exclude"].contains(child.name) {
            notes.add("\(child.name) in \(element.name) was left out: nothing is known about it", child)
        }
    }

    func isInstalled(_ element: XMLElement) -> Bool { element["id"].map { !excluded.contains($0) } ?? true }

    func attributes(of element: XMLElement) -> [XMLAttribute] {
        guard let others = attributes[element.number] else { return element.attributes }
        return element.attributes.filter { others[$0.name] == nil } + others.all
    }

    func value(_ name: String, of element: XMLElement) -> String? {
        attributes[element.number]?[name]?.value ?? element[name]
    }

    /// Returns the parts of an element, without its variations.
    func parts(of element: XMLElement) -> [XMLElement] {
        let own = element.children.filter { $0.name != "variation" }
        guard let others = parts[element.number] else { return own }
        return own.filter { part in part["key"].map { others[$0] == nil } ?? true } + others.all
    }
}

/// Values in place of others. The last of those with one key counts, in the place of the first; those without a key all
/// count.
private struct Replacements<Value> {
    private(set) var all: [Value] = []
    private var places: [String: Int] = [:]

    mutating func add(_ value: Value, for key: String?) {
        if let key, let place = places[key] {
            all[place] = value
            return
        }
        if let key { places[key] = all.count }
        all.append(value)
    }

    subscript(_ key: String) -> Value? { places[key].map { all[$0] } }
}
