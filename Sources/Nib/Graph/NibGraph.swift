/// A class that objects were archived as.
package struct NibClass: Equatable, Sendable {
    package var name: String
    /// Positions of the classes to take instead where this one does not exist, best first.
    package var fallbacks: [Int32]
    /// Whether the name ended with a zero byte, as every known writer ends it.
    package var isTerminated = true

    package init(_ name: String, fallbacks: [Int32] = []) {
        self.name = name
        self.fallbacks = fallbacks
    }
}

/// An object: its class, and which of the graph's values are its own.
package struct NibObject: Equatable, Sendable {
    package var classIndex: UInt32
    package var firstValue: UInt32
    package var valueCount: UInt32

    package var values: Range<Int> { Int(firstValue)..<Int(firstValue) + Int(valueCount) }
}

package struct NibValue: Equatable, Sendable {
    package var key: UInt32
    package var content: NibContent
}

/// Everything a compiled interface holds, in the order of the file: classes, keys, objects, values.
///
/// Every index in it has been checked: those of objects, keys, classes and values, and the pieces of `bytes`.
package final class NibGraph: Sendable {
    package let classes: [NibClass]
    package let keys: [String]
    package let objects: [NibObject]
    package let values: [NibValue]
    /// What the data values are pieces of.
    package let bytes: [UInt8]
    /// Where everything else hangs from.
    package let root: Int

    private let keyPositions: [String: UInt32]
    private let index: NibValueIndex

    /// The caller has checked every index.
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

    /// The text of a piece; bytes that are not UTF-8 are shown as replacement characters.
    package func text(of data: NibData) -> String { String(decoding: bytes[data.range], as: UTF8.self) }

    package func position(ofKey key: String) -> UInt32? { keyPositions[key] }

    package func values(of object: Int) -> ArraySlice<NibValue> { values[objects[object].values] }

    package func className(of object: Int) -> String { classes[Int(objects[object].classIndex)].name }

    /// What the object has under that key first.
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
    /// The same tables, whatever the bytes that are no part of a value.
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
