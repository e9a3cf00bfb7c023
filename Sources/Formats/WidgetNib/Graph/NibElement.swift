internal import WidgetBytes

/// One object of a graph, with accessors for compiled interfaces.
///
/// Accessors return nil for an absent key, and for a value of another kind.
package struct NibElement: Sendable {
    package let graph: NibGraph
    package let index: Int

    init(_ graph: NibGraph, _ index: Int) {
        self.graph = graph
        self.index = index
    }

    /// The archived class, before any fallback or swap.
    package var className: String { graph.className(of: index) }

    /// Keys and values in order.
    package var members: some Sequence<(key: String, content: NibContent)> {
        let graph = graph
        return graph.values(of: index).lazy.map { (graph.keys[Int(bounded: $0.key)], $0.content) }
    }

    package func content(_ key: String) -> NibContent? { graph.value(of: index, key) }

    package func has(_ key: String) -> Bool { content(key) != nil }

    package func element(_ key: String) -> NibElement? {
        guard let object = content(key)?.object else { return nil }
        let element = NibElement(graph, object)
        return element.isNull ? nil : element
    }

    /// True for a keyed archive's stand-in for nil.
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

    /// Returns the text under the key: an object of a text class, or bytes in place.
    package func string(_ key: String) -> String? {
        switch content(key) {
        case .data(let data): graph.text(of: data)
        case .object: element(key)?.text
        default: nil
        }
    }

    /// Returns the elements of a list under the key; empty without one.
    ///
    /// - Parameter count: the number of elements that suffice, where many objects may share one long list.
    package func elements(_ key: String, upTo count: Int = .max) -> [NibElement] {
        if let list = element(key), list.isList { return list.listed(upTo: count) }
        return []
    }

    /// Returns the pairs of a dictionary under the key, in order.
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

    /// This object's text. A translatable text is in the language of its author.
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

    /// The text's key in a file of translations.
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

    /// True if the archive marks the number as a truth value.
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

    /// The elements of this list that are not nil.
    package var listed: [NibElement] { listed(upTo: .max) }

    /// - Parameter count: the number of elements that suffice, where many objects may share one long list.
    package func listed(upTo count: Int) -> [NibElement] {
        let inPlace = references(NibKey.element, count)
        return Array((inPlace.isEmpty ? references(NibKey.elements, count) : inPlace).prefix(count))
    }

    /// - Parameter count: the number of references that suffice. Beside them there are at most as many keys, and a mark
    ///   or two.
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

    /// The pairs of this dictionary in order.
    package var ownPairs: [(key: NibElement, value: NibElement)] { ownPairs(upTo: .max) }

    package func ownPairs(upTo count: Int) -> [(key: NibElement, value: NibElement)] {
        let alternating = references(NibKey.element, count)
        if !alternating.isEmpty {
            return stride(from: 0, to: alternating.count - 1, by: 2).map { (alternating[$0], alternating[$0 + 1]) }
        }
        return zip(references(NibKey.keys, count), references(NibKey.elements, count)).map { ($0, $1) }
    }
}

package struct NibPoint: Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

package struct NibRect: Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

package struct NibInsets: Equatable, Sendable {
    package var top: Double
    package var left: Double
    package var bottom: Double
    package var right: Double

    package init(top: Double, left: Double, bottom: Double, right: Double) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// Points, sizes, rectangles and insets. One form packs the numbers behind a byte for their kind, the other writes them
/// as texts such as `{{0, 0}, {320, 44}}`.
extension NibElement {
    package func point(_ key: String) -> NibPoint? { numbers(key, count: 2).map { NibPoint(x: $0[0], y: $0[1]) } }

    /// Returns width and height.
    package func size(_ key: String) -> NibPoint? { point(key) }

    package func rect(_ key: String) -> NibRect? {
        numbers(key, count: 4).map { NibRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    }

    package func insets(_ key: String) -> NibInsets? {
        numbers(key, count: 4).map { NibInsets(top: $0[0], left: $0[1], bottom: $0[2], right: $0[3]) }
    }

    /// Returns this many numbers under the key, packed or as text.
    package func numbers(_ key: String, count: Int) -> [Double]? {
        if let bytes = data(key), let numbers = NibElement.packed(bytes, count: count) { return numbers }
        guard let text = string(key) else { return nil }
        return NibElement.spelled(text, count: count)
    }

    /// Returns the numbers of an object that is a value itself, as in runtime attributes.
    package func ownNumbers(count: Int) -> [Double]? {
        for key in NibElement.valueKeys {
            if let numbers = numbers(key, count: count) { return numbers }
        }
        return nil
    }

    private static let valueKeys = ["NS.pointval", "NS.sizeval", "NS.rectval", "NS.rangeval"]

    /// Unpacks numbers: the byte 7 announces doubles and 6 floats, both little-endian.
    private static func packed(_ bytes: ArraySlice<UInt8>, count: Int) -> [Double]? {
        let width: Int
        switch bytes.first {
        case 7: width = 8
        case 6: width = 4
        default: return nil
        }
        guard bytes.count == 1 + count * width else { return nil }
        return (0..<count).map { position in
            var bits: UInt64 = 0
            let start = bytes.startIndex + 1 + position * width
            for place in (0..<width).reversed() { bits = bits << 8 | UInt64(bytes[start + place]) }
            return width == 8
                ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        }
    }

    /// Far more than the longest text of four numbers with their braces.
    private static let longestSpelling = 512

    static func spelled(_ text: String, count: Int) -> [Double]? {
        guard text.utf8.count <= longestSpelling else { return nil }
        let words = text.split { "{}, ".contains($0) }
        guard words.count == count else { return nil }
        let numbers = words.compactMap { Double($0) }
        return numbers.count == count ? numbers : nil
    }

    /// Returns the bytes into which Xcode packs these numbers.
    package static func pack(_ numbers: [Double]) -> [UInt8] {
        var bytes: [UInt8] = [7]
        for number in numbers {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * place))) }
        }
        return bytes
    }
}
