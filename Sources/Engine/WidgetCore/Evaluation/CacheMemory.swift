package import WidgetPredicates

/// A value of a widget's cache, with its times. They are in seconds, by the widget's clock.
package struct CachedValue: Sendable {
    /// Data alone: it has no objects of the widget in it.
    package var value: Value
    package var storedAt: Double
    /// The moment from which the value is absent; `nil`: it does not expire.
    package var expires: Double?
    /// The time of the value at its source. An older value never replaces a newer one.
    package var upstream: Double?

    package init(_ value: Value, storedAt: Double, expires: Double? = nil, upstream: Double? = nil) {
        self.value = value
        self.storedAt = storedAt
        self.expires = expires
        self.upstream = upstream
    }

    package func isFresh(at moment: Double) -> Bool { expires.map { moment < $0 } ?? true }
}

/// A change of one value of a widget's cache.
package struct CacheChange: Sendable {
    package var key: String
    /// `nil` if the value is removed.
    package var value: CachedValue?

    package init(_ key: String, _ value: CachedValue?) {
        self.key = key
        self.value = value
    }
}

/// The values of a widget's cache that its expressions can read. A host keeps them beyond the widget's life and shares
/// them with others; without a host that does, they live as long as the widget.
package struct CacheMemory: Sendable {
    package private(set) var values: [String: CachedValue] = [:]

    package init() {}

    /// The moment at which the next value expires; infinite if none does.
    package var nextExpiry: Double { values.values.lazy.compactMap { $0.expires }.min() ?? .infinity }

    package mutating func take(_ change: CacheChange) { values[change.key] = change.value }

    /// Removes the values that have expired.
    mutating func expire(at moment: Double) {
        guard nextExpiry <= moment else { return }
        values = values.filter { $0.value.isFresh(at: moment) }
    }

    /// True if a value was stored for the key at a later time of its source.
    func hasNewer(than upstream: Double?, _ key: String) -> Bool {
        guard let upstream, let known = values[key]?.upstream else { return false }
        return upstream < known
    }
}

/// The name `cache` in expressions: the values by their keys.
final class CacheObject: PredicateObject {
    private let memory: CacheMemory
    /// The keys that the program declares, with the values that are read where none is stored.
    private let declared: [String: Value]
    private let now: Double

    init(_ memory: CacheMemory, _ declared: [String: Value], now: Double) {
        self.memory = memory
        self.declared = declared
        self.now = now
    }

    func value(forKey key: String) -> Value? {
        if key == "SELF" || key == "self" { return nil }
        guard let initial = declared[key] else { return .null }
        guard let found = memory.values[key], found.isFresh(at: now), found.value.isSameKind(as: initial) else {
            return initial
        }
        return found.value
    }
}

extension PredicateValue {
    /// True if a stored value can come in place of a declared one. A value of another type is that of another program.
    fileprivate func isSameKind(as declared: Value) -> Bool {
        switch (self, declared) {
        case (_, .null): true
        case (.integer, .double), (.double, .integer), (.decimal, .integer), (.decimal, .double): true
        case (.set, .array), (.array, .set): true
        default: kindName == declared.kindName
        }
    }

    /// The value without objects of the widget: records and other objects become texts.
    package var data: Value {
        switch self {
        case .object: .string(shown)
        case .array(let elements), .set(let elements): .array(elements.map { $0.data })
        case .dictionary(let dictionary):
            dictionary.extent.hasObjects
                ? .dictionary(PredicateDictionary(zip(dictionary.keys, dictionary.values.map { $0.data }))) : self
        default: self
        }
    }
}
