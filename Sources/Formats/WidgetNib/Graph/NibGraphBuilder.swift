internal import WidgetBytes

/// Builds a graph, object by object. Values are added to the object that was begun last.
package struct NibGraphBuilder: Sendable {
    private var classes: [NibClass] = []
    private var classPositions: [String: UInt32] = [:]
    private var keys: [String] = []
    private var keyPositions: [String: UInt32] = [:]
    private var objects: [NibObject] = []
    private var values: [NibValue] = []
    private var bytes: [UInt8] = []

    package init() {}

    package var objectCount: Int { objects.count }

    package var valueCount: Int { values.count }

    /// Returns the index of that class. Its fallbacks count only when it is first named.
    package mutating func classIndex(_ name: String, fallbacks: [String] = []) -> UInt32 {
        if let position = classPositions[name] { return position }
        let position = UInt32(classes.count)
        classPositions[name] = position
        classes.append(NibClass(name))
        // A fallback has no fallbacks itself, so this ends.
        let indices = fallbacks.map { Int32(classIndex($0)) }
        classes[Int(bounded: position)].fallbacks = indices
        return position
    }

    /// Returns the index of a class that was named before.
    package func knownClass(_ name: String) -> UInt32? { classPositions[name] }

    package mutating func beginObject(_ classIndex: UInt32) {
        objects.append(NibObject(classIndex: classIndex, firstValue: UInt32(values.count), valueCount: 0))
    }

    /// Returns the index of that key.
    package mutating func keyIndex(_ key: String) -> UInt32 {
        if let known = keyPositions[key] { return known }
        let position = UInt32(keys.count)
        keyPositions[key] = position
        keys.append(key)
        return position
    }

    /// Adds a value to the object that was begun last.
    package mutating func add(_ key: UInt32, _ content: NibContent) {
        guard !objects.isEmpty, key < keys.count else { return }
        values.append(NibValue(key: key, content: content))
        objects[objects.count - 1].valueCount += 1
    }

    package mutating func add(_ key: String, _ content: NibContent) {
        add(keyIndex(key), content)
    }

    package mutating func store(_ piece: some Collection<UInt8>) -> NibData {
        let data = NibData(start: UInt32(bytes.count), count: UInt32(piece.count))
        bytes += piece
        return data
    }

    /// Returns the graph; a reference to an object that was never begun becomes nil.
    package consuming func finish(root: Int = 0) -> NibGraph {
        let count = objects.count
        for index in values.indices {
            if let object = values[index].content.object, object >= count { values[index].content = .null }
        }
        return NibGraph(
            classes: classes, keys: keys, objects: objects, values: values, bytes: bytes,
            root: min(root, max(count - 1, 0)))
    }
}

/// Keys and class names with a meaning for the graph itself, in any interface.
package enum NibKey {
    /// The key of a list's element, in the form with tables.
    package static let element = "UINibEncoderEmptyKey"
    /// The key of the flag that a list's elements follow in place.
    package static let isInlined = "NSInlinedValue"
    /// The contents of texts and data.
    package static let bytes = "NS.bytes"
    package static let elements = "NS.objects"
    package static let keys = "NS.keys"
    /// The class of nil in a keyed archive.
    package static let nullClass = "$null"
}
