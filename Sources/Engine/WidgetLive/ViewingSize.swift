internal import WidgetCore
internal import WidgetPredicates

/// The memory of a viewing, as an estimate that takes less time than a view.
enum ViewingSize {
    private static let nodeByteCount = 96
    private static let propertyByteCount = 48
    private static let recordByteCount = 64
    /// The bytes of one unit of weight.
    private static let unitByteCount = 16
    /// Values are measured up to this weight; what is above is beyond any limit.
    private static let weightLimit = 4_000_000

    /// Texts that several nodes share count for each.
    static func byteCount(of view: View) -> Int {
        var count = 0
        view.visit { node in
            count += nodeByteCount
            for property in node.properties {
                count += propertyByteCount
                if case .string(let text) = property.value {
                    count += text.utf8.count
                } else {
                    count += size(property.value)
                }
            }
            return true
        }
        return count
    }

    static func byteCount(of store: Store) -> Int {
        var count = store.records.count * recordByteCount + store.records.weight * unitByteCount
        for value in store.defaults.values { count += propertyByteCount + size(value) }
        for screen in store.screens {
            for value in screen.slots.values { count += propertyByteCount + size(value) }
            for value in screen.states.values { count += propertyByteCount + size(value) }
            for value in screen.arguments.values { count += propertyByteCount + size(value) }
        }
        return count
    }

    private static func size(_ value: Value) -> Int {
        switch value {
        case .null, .boolean, .integer, .double, .date: 0
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        default: (value.weight(upTo: weightLimit) ?? weightLimit) * unitByteCount
        }
    }
}
