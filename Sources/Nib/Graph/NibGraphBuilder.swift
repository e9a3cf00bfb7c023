/// Puts a graph together, object after object. The values of the object begun last are added to it.
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

    /// The class of that name; what it falls back to counts when it is first named.
    package mutating func classIndex(_ name: String, fallbacks: [String] = []) -> UInt32 {
        if let position = classPositions[name] { return position }
        let position = UInt32(classes.count)
        classPositions[name] = position
        classes.append(NibClass(name))
        // Names of names: a fallback has none itself, so this ends.
        let indices = fallbacks.map { Int32(classIndex($0)) }
        classes[Int(position)].fallbacks = indices
        return position
    }

    /// Where a class is that was named before.
    package func knownClass(_ name: String) -> UInt32? { classPositions[name] }

    package mutating func beginObject(_ classIndex: UInt32) {
        objects.append(NibObject(classIndex: classIndex, firstValue: UInt32(values.count), valueCount: 0))
    }

    /// The key of that name.
    package mutating func keyIndex(_ key: String) -> UInt32 {
        if let known = keyPositions[key] { return known }
        let position = UInt32(keys.count)
        keyPositions[key] = position
        keys.append(key)
        return position
    }

    /// Adds to the object that was begun last.
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

    /// The graph; a reference to an object that was never begun becomes nil.
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
