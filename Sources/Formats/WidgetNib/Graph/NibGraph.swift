internal import WidgetBytes

/// The class of archived objects.
package struct NibClass: Equatable, Sendable {
    package var name: String
    /// Positions of the classes that replace this one on hosts without it, best first.
    package var fallbacks: [Int32]
    /// True if the name ended with a zero byte, as with every known writer.
    package var isTerminated = true

    package init(_ name: String, fallbacks: [Int32] = []) {
        self.name = name
        self.fallbacks = fallbacks
    }
}

/// An object: its class, and the range of its values in the graph.
package struct NibObject: Equatable, Sendable {
    package var classIndex: UInt32
    package var firstValue: UInt32
    package var valueCount: UInt32

    package var values: Range<Int> { Int(bounded: firstValue)..<Int(bounded: firstValue) + Int(bounded: valueCount) }
}

package struct NibValue: Equatable, Sendable {
    package var key: UInt32
    package var content: NibContent
}

/// The content of a compiled interface, in the order of the file: classes, keys, objects, values.
///
/// All indexes are checked: of objects, keys, classes and values, and the ranges in `bytes`.
package final class NibGraph: Sendable {
    package let classes: [NibClass]
    package let keys: [String]
    package let objects: [NibObject]
    package let values: [NibValue]
    /// The bytes that data values refer to.
    package let bytes: [UInt8]
    /// The index of the root object, which leads to all others.
    package let root: Int

    private let keyPositions: [String: UInt32]
    private let index: NibValueIndex

    /// Makes a graph; the caller has checked every index.
    init(
        classes: [NibClass], keys: [String], objects: [NibObject], values: [NibValue], bytes: [UInt8], root: Int
    ) {
        self.classes = classes
        self.keys = keys
        self.objects = objects
        self.values = values
        self.bytes = bytes
        self.root = root
        var positions: [String: UInt32] = [:]
        positions.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() where positions[key] == nil { positions[key] = UInt32(position) }
        keyPositions = positions
        index = NibValueIndex(objects, values, keyCount: keys.count)
    }

    package func bytes(of data: NibData) -> ArraySlice<UInt8> { bytes[data.range] }

    /// Returns the text of a piece; invalid UTF-8 becomes replacement characters.
    package func text(of data: NibData) -> String { String(decoding: bytes[data.range], as: UTF8.self) }

    package func position(ofKey key: String) -> UInt32? { keyPositions[key] }

    package func values(of object: Int) -> ArraySlice<NibValue> { values[objects[object].values] }

    package func className(of object: Int) -> String { classes[Int(bounded: objects[object].classIndex)].name }

    /// Returns the object's first value for that key.
    package func value(of object: Int, _ key: String) -> NibContent? {
        guard let position = keyPositions[key] else { return nil }
        if let places = index.places(of: object) {
            return places.first(where: position).map { values[$0].content }
        }
        for index in objects[object].values where values[index].key == position { return values[index].content }
        return nil
    }

    package var rootElement: NibElement { NibElement(self, root) }

    package func element(_ index: Int) -> NibElement { NibElement(self, index) }
}

extension NibGraph: Equatable {
    /// Compares the tables; bytes outside all values do not matter.
    package static func == (left: NibGraph, right: NibGraph) -> Bool {
        guard left.root == right.root, left.classes == right.classes, left.keys == right.keys,
            left.objects == right.objects, left.values.count == right.values.count
        else { return false }
        for (mine, other) in zip(left.values, right.values) {
            guard mine.key == other.key else { return false }
            switch (mine.content, other.content) {
            case (.data(let first), .data(let second)):
                guard left.bytes(of: first) == right.bytes(of: second) else { return false }
            default: guard mine.content == other.content else { return false }
            }
        }
        return true
    }
}

/// A value under a key, with its archived type.
package enum NibContent: Equatable, Sendable {
    case int8(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case boolean(Bool)
    /// The bits of the number, so that every NaN keeps its own.
    case float(bits: UInt32)
    case double(bits: UInt64)
    case data(NibData)
    case null
    case object(UInt32)
}

/// A range of the graph's bytes.
package struct NibData: Equatable, Hashable, Sendable {
    package var start: UInt32
    package var count: UInt32

    package var range: Range<Int> { Int(bounded: start)..<Int(bounded: start) + Int(bounded: count) }
}

extension NibContent {
    package static func float(_ value: Float) -> NibContent { .float(bits: value.bitPattern) }

    package static func double(_ value: Double) -> NibContent { .double(bits: value.bitPattern) }

    package var integer: Int64? {
        switch self {
        case .int8(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .int64(let value): value
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// A number of any kind.
    package var double: Double? {
        switch self {
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        default: integer.map { Double($0) }
        }
    }

    /// UIKit's interpretation: a number is true unless it is zero.
    package var boolean: Bool? { integer.map { $0 != 0 } }

    package var object: Int? {
        if case .object(let index) = self { Int(bounded: index) } else { nil }
    }

    package var data: NibData? {
        if case .data(let data) = self { data } else { nil }
    }

    package var typeName: String {
        switch self {
        case .int8: "int8"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .boolean: "boolean"
        case .float: "float"
        case .double: "double"
        case .data: "data"
        case .null: "nil"
        case .object: "object"
        }
    }
}

/// The positions of large objects' keys. Many places of an interface may refer to one object and ask it for the same
/// keys; scanning an object with 100,000 values each time would be too slow.
struct NibValueIndex: Sendable {
    /// Larger objects are rare: lists, which have one or two keys.
    private static let largestScanned = 64

    fileprivate struct Entry {
        var key: UInt32
        var value: UInt32
    }

    /// The first value of each key of one object, by key.
    struct Places {
        fileprivate let entries: ArraySlice<Entry>

        func first(where key: UInt32) -> Int? {
            var (low, high) = (entries.startIndex, entries.endIndex)
            while low < high {
                let middle = low + (high - low) / 2
                if entries[middle].key < key { low = middle + 1 } else { high = middle }
            }
            guard low < entries.endIndex, entries[low].key == key else { return nil }
            return Int(bounded: entries[low].value)
        }
    }

    private var entries: [Entry] = []
    private var ranges: [Int: Range<Int>] = [:]

    /// Linear in the number of values: each key is marked with the last object that had it.
    init(_ objects: [NibObject], _ values: [NibValue], keyCount: Int) {
        var lastOwner: [UInt32] = []
        for (number, object) in objects.enumerated()
        where Int(bounded: object.valueCount) > NibValueIndex.largestScanned {
            if lastOwner.isEmpty { lastOwner = Array(repeating: .max, count: keyCount) }
            let start = entries.count
            for value in object.values {
                let key = Int(bounded: values[value].key)
                guard lastOwner[key] != UInt32(number) else { continue }
                lastOwner[key] = UInt32(number)
                entries.append(Entry(key: UInt32(key), value: UInt32(value)))
            }
            entries[start...].sort { $0.key < $1.key }
            ranges[number] = start..<entries.count
        }
    }

    /// Returns the positions in a large object; nil for any other.
    func places(of object: Int) -> Places? {
        guard !ranges.isEmpty, let range = ranges[object] else { return nil }
        return Places(entries: entries[range])
    }
}
