package import WidgetBytes
internal import WidgetPredicates

extension View {
    /// A digest of what the view shows: equal views of two processes have equal ones. Diagnostics and the numbers of
    /// elements are not part of it. `nil` if the system's library has failed.
    package var digest: Digest? {
        var hash = ViewHash()
        hash.add(screen)
        hash.add(title)
        hash.add(UInt64(alerts.count))
        for alert in alerts {
            for text in [alert.title, alert.message, alert.button] { hash.add(text) }
        }
        hash.add(root)
        if !isVisible { hash.add("hidden") }
        let sorted = constants.sorted { ($0.key.node, $0.key.description) < ($1.key.node, $1.key.description) }
        for (key, constant) in sorted {
            hash.add(UInt64(bitPattern: Int64(key.node)))
            hash.add(constant.bitPattern)
        }
        return hash.finish()
    }
}

extension PredicateValue {
    /// A digest of the value; equal values of two processes have equal ones.
    package var digest: Digest? {
        var hash = ViewHash()
        hash.add(self)
        return hash.finish()
    }
}

/// A digest of a view's parts. Each part begins with its kind or its length, so that different views have different
/// bytes.
private struct ViewHash: ~Copyable {
    private var sha = SHA256()
    private var buffer: [UInt8] = []
    /// Asking for the name of a case takes longer than all the rest of a node.
    private var names: [NodeKind: String] = [:]
    private static let bufferByteCount = 16 << 10

    mutating func add(_ byte: UInt8) {
        buffer.append(byte)
        if buffer.count >= ViewHash.bufferByteCount { flush() }
    }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= ViewHash.bufferByteCount { flush() }
    }

    private mutating func flush() {
        sha.update(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> Digest? {
        flush()
        return sha.finish()
    }

    /// No deeper than the view's budget.
    mutating func add(_ node: ViewNode) {
        let name = names[node.kind] ?? node.kind.row.name
        names[node.kind] = name
        add(name)
        add(node.identifier ?? "")
        add(UInt64(node.events.count))
        for event in node.events { add(event.rawValue) }
        add(UInt64(node.properties.count))
        for property in node.properties {
            add(property.name.name)
            add(property.value)
        }
        add(UInt64(node.children.count))
        for child in node.children { add(child) }
    }

    /// No deeper than values may be.
    mutating func add(_ value: Value) {
        switch value {
        case .null: add(0 as UInt8)
        case .boolean(let flag): add(flag ? 2 : 1 as UInt8)
        case .integer(let number):
            add(3 as UInt8)
            add(UInt64(bitPattern: number))
        case .double(let number):
            add(4 as UInt8)
            add(number.bitPattern)
        case .decimal, .object:
            add(5 as UInt8)
            add(value.shown)
        case .string(let text):
            add(6 as UInt8)
            add(text)
        case .date(let seconds):
            add(7 as UInt8)
            add(seconds.bitPattern)
        case .data(let bytes):
            add(8 as UInt8)
            add(UInt64(bytes.count))
            for byte in bytes { add(byte) }
        case .array(let elements), .set(let elements):
            add(9 as UInt8)
            add(UInt64(elements.count))
            for element in elements { add(element) }
        case .dictionary(let dictionary):
            add(10 as UInt8)
            add(UInt64(dictionary.keys.count))
            for (key, element) in zip(dictionary.keys, dictionary.values) {
                add(key)
                add(element)
            }
        }
    }
}
