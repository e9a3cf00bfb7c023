/// One object of a graph, with the readings that compiled interfaces need.
///
/// Every reading is of what stands there: an absent key is nil, and a value of another kind too.
package struct NibElement: Sendable {
    package let graph: NibGraph
    package let index: Int

    init(_ graph: NibGraph, _ index: Int) {
        self.graph = graph
        self.index = index
    }

    /// As archived, before any fallback or swap.
    package var className: String { graph.className(of: index) }

    /// Keys and values in their order.
    package var members: some Sequence<(key: String, content: NibContent)> {
        let graph = graph
        return graph.values(of: index).lazy.map { (graph.keys[Int($0.key)], $0.content) }
    }

    package func content(_ key: String) -> NibContent? { graph.value(of: index, key) }

    package func has(_ key: String) -> Bool { content(key) != nil }

    package func element(_ key: String) -> NibElement? {
        guard let object = content(key)?.object else { return nil }
        let element = NibElement(graph, object)
        return element.isNull ? nil : element
    }

    /// A keyed archive's stand-in for nil.
    package var isNull: Bool { className == NibKey.nullClass }

    package func integer(_ key: String) -> Int? {
        if let number = content(key)?.integer { return Int(exactly: number) }
        return element(key)?.number.flatMap { Int(exactly: $0.rounded()) }
    }

    package func double(_ key: String) -> Double? { content(key)?.double ?? element(key)?.number }

    package func boolean(_ key: String) -> Bool? { content(key)?.boolean ?? element(key)?.truth }

    package func data(_ key: String) -> ArraySlice<UInt8>? {
        if let data = content(key)?.data { return graph.bytes(of: data) }
        guard let inner = element(key), inner.className == "NSData" || inner.className == "NSMutableData" else {
            return nil
        }
        return inner.ownData
    }

    /// A text under the key: an object of a text's class, or bytes in place.
    package func string(_ key: String) -> String? {
        switch content(key) {
        case .data(let data): graph.text(of: data)
        case .object: element(key)?.text
        default: nil
        }
    }

    /// The elements of a list under the key; empty when there is none.
    ///
    /// - Parameter count: how many are enough, where many objects may share one long list.
    package func elements(_ key: String, upTo count: Int = .max) -> [NibElement] {
        if let list = element(key), list.isList { return list.listed(upTo: count) }
        return []
    }

    /// The pairs of a dictionary under the key, in their order.
    package func pairs(_ key: String, upTo count: Int = .max) -> [(key: NibElement, value: NibElement)] {
        element(key)?.ownPairs(upTo: count) ?? []
    }
}

extension NibElement: Equatable {
    package static func == (left: NibElement, right: NibElement) -> Bool {
        left.index == right.index && left.graph === right.graph
    }
}

extension NibElement {
    // MARK: This object itself as a text, a number, a list

    private static let textClasses: Set<String> = [
        "NSString", "NSMutableString", "NSLocalizableString", "NSMutableLocalizableString",
    ]

    package var isText: Bool { NibElement.textClasses.contains(className) }

    /// The text this object is. One that can be translated is in the language of its author.
    package var text: String? {
        guard isText else { return nil }
        for key in [NibKey.bytes, "NS.string"] {
            if let data = content(key)?.data { return graph.text(of: data) }
            if let inner = element(key), inner.index != index, let data = inner.content(NibKey.bytes)?.data {
                return graph.text(of: data)
            }
        }
        guard let inner = element("NSDev"), inner.index != index, let data = inner.content(NibKey.bytes)?.data else {
            return nil
        }
        return graph.text(of: data)
    }

    /// What the text is called in a file of translations.
    package var translationKey: String? { string("NSKey") }

    private static let numberKeys = ["NS.intval", "NS.dblval", "NS.boolval", "NS.floatval", "NS.longval"]

    private static let numberClasses: Set<String> = ["NSNumber", "NSDecimalNumber", "__NSCFNumber", "__NSCFBoolean"]

    package var isNumber: Bool { NibElement.numberClasses.contains(className) }

    package var number: Double? {
        for key in NibElement.numberKeys {
            if let value = content(key)?.double { return value }
        }
        return nil
    }

    var truth: Bool? { number.map { $0 != 0 } }

    /// Whether the number is one of the two truth values, as far as the archive tells.
    package var isTruthValue: Bool { has("NS.boolval") }

    package var ownData: ArraySlice<UInt8>? {
        for key in [NibKey.bytes, "NS.data"] {
            if let data = content(key)?.data { return graph.bytes(of: data) }
        }
        return nil
    }

    private static let listClasses: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]

    package var isList: Bool { NibElement.listClasses.contains(className) }

    /// The elements of this list, without those that are nil.
    package var listed: [NibElement] { listed(upTo: .max) }

    private func listed(upTo count: Int) -> [NibElement] {
        let inPlace = references(NibKey.element, count)
        return Array((inPlace.isEmpty ? references(NibKey.elements, count) : inPlace).prefix(count))
    }

    /// - Parameter count: how many are enough. Beside them stand at most as many keys, and a mark or two.
    private func references(_ key: String, _ count: Int) -> [NibElement] {
        guard let position = graph.position(ofKey: key) else { return [] }
        var elements: [NibElement] = []
        let enough = count < Int.max / 4 ? 2 * count + 8 : .max
        for value in graph.values(of: index).prefix(enough) where value.key == position {
            guard let object = value.content.object else { continue }
            let element = NibElement(graph, object)
            if !element.isNull { elements.append(element) }
        }
        return elements
    }

    /// The pairs of this dictionary in their order.
    package var ownPairs: [(key: NibElement, value: NibElement)] { ownPairs(upTo: .max) }

    private func ownPairs(upTo count: Int) -> [(key: NibElement, value: NibElement)] {
        let alternating = references(NibKey.element, count)
        if !alternating.isEmpty {
            return stride(from: 0, to: alternating.count - 1, by: 2).map { (alternating[$0], alternating[$0 + 1]) }
        }
        return zip(references(NibKey.keys, count), references(NibKey.elements, count)).map { ($0, $1) }
    }
}
