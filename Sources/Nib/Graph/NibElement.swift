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
    package func elements(_ key: String) -> [NibElement] {
        if let list = element(key), list.isList { return list.listed }
        return []
    }

    /// The pairs of a dictionary under the key, in their order.
    package func pairs(_ key: String) -> [(key: NibElement, value: NibElement)] { element(key)?.ownPairs ?? [] }
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
    package var listed: [NibElement] {
        let inPlace = references(NibKey.element)
        return inPlace.isEmpty ? references(NibKey.elements) : inPlace
    }

    private func references(_ key: String) -> [NibElement] {
        guard let position = graph.position(ofKey: key) else { return [] }
        var elements: [NibElement] = []
        for value in graph.values(of: index) where value.key == position {
            guard let object = value.content.object else { continue }
            let element = NibElement(graph, object)
            if !element.isNull { elements.append(element) }
        }
        return elements
    }

    /// The pairs of this dictionary in their order.
    package var ownPairs: [(key: NibElement, value: NibElement)] {
        let alternating = references(NibKey.element)
        if !alternating.isEmpty {
            return stride(from: 0, to: alternating.count - 1, by: 2).map { (alternating[$0], alternating[$0 + 1]) }
        }
        return zip(references(NibKey.keys), references(NibKey.elements)).map { ($0, $1) }
    }
}
