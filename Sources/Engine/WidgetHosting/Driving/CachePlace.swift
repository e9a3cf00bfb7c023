package import WidgetCore
internal import WidgetPredicates
internal import WidgetRunning

/// The host's cache for the values of one widget. All times are by the widget's clock.
package protocol CachePlace: Sendable {
    /// The reason why the widget cannot use the cache at all; `nil` if it can.
    var denial: CacheRefusal? { get }

    /// The present values of keys, each once; a change without a value for a key that has none. It does not wait.
    func values(of keys: [String], at moment: Double) -> [CacheChange]

    /// Stores or removes a value.
    ///
    /// - Returns: the stored value if it is newer at its source; `nil` if the change was carried out.
    func carryOut(_ change: CacheChange, at moment: Double) async throws(CacheRefusal) -> CacheChange?
}

/// The reason why a host has not stored a widget's value, as a sentence for people.
package struct CacheRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

/// The cache of a widget that may not use the one that it declares.
package struct DeniedCache: CachePlace {
    package let denial: CacheRefusal?

    package init(_ reason: CacheRefusal) { denial = reason }

    package func values(of keys: [String], at moment: Double) -> [CacheChange] { keys.map { CacheChange($0, nil) } }

    package func carryOut(_ change: CacheChange, at moment: Double) async throws(CacheRefusal) -> CacheChange? {
        if let denial { throw denial }
        return nil
    }
}

/// The changes of a widget's cache on their way to its host, one after the other. It is the state of ``RunningWidget``.
struct CacheTraffic {
    var place: any CachePlace
    var unsaved = UnsavedChanges()
    var waiting: [CacheChange] = []
    /// Not `nil` while changes are carried out.
    var task: Task<Void, Never>?
    /// True if others have changed the cache meanwhile.
    var hasNews = false

    init(_ place: any CachePlace) { self.place = place }

    /// Adds a change, in place of one that waits for the same key.
    mutating func add(_ change: CacheChange) {
        waiting.removeAll { $0.key == change.key }
        waiting.append(change)
    }
}

/// The changes of a widget's cache that its host could not store. The widget has them until it ends, or until others store
/// a later value.
struct UnsavedChanges {
    /// The moments of the changes, by their keys.
    private var moments: [String: Double] = [:]

    /// Takes down a change that was refused.
    ///
    /// - Returns: False if the widget may not use the cache at all: its values are absent then.
    mutating func keep(_ change: CacheChange, of place: any CachePlace, at moment: Double) -> Bool {
        guard place.denial == nil else { return false }
        moments[change.key] = moment
        return true
    }

    mutating func forget(_ key: String) { moments[key] = nil }

    /// The changes among those of the host that the widget takes over: it has no later ones.
    mutating func newer(_ changes: [CacheChange]) -> [CacheChange] {
        let newer = changes.filter { change in
            guard let moment = moments[change.key] else { return true }
            return change.value.map { $0.storedAt > moment } ?? false
        }
        for change in newer { forget(change.key) }
        return newer
    }
}

extension CacheMemory {
    /// The changes that make this memory of other values, and true if one of them changes what expressions read.
    func news(in changes: [CacheChange]) -> (changes: [CacheChange], isShown: Bool) {
        var isShown = false
        let news = changes.filter { change in
            let known = values[change.key]
            switch (known, change.value) {
            case (nil, nil): return false
            case (let known?, let value?):
                let isSame = known.value.isIdentical(to: value.value)
                if !isSame { isShown = true }
                return !isSame || known.expires != value.expires || known.upstream != value.upstream
            case (nil, _?), (_?, nil):
                isShown = true
                return true
            }
        }
        return (news, isShown)
    }
}
