internal import WidgetBytes
internal import WidgetPredicates

/// The logs of a row that the next view may reuse.
struct RowNoting: Sendable {
    let reads: SurroundingReads
    let log: ReadLog
    /// Expressions of rows share it.
    let context: ExpressionContext

    /// - Parameter names: those that have their bits already.
    init(_ names: [String], _ scope: ScreenScope) {
        reads = SurroundingReads(names)
        log = ReadLog()
        context = scope.context(log)
    }

    /// Begins anew, with another row.
    func begin() {
        log.forget()
        _ = reads.take()
    }
}

extension PredicateValue {
    /// The value, unless it is an object or has records, which may answer differently at another moment.
    func comparable(hasRecords: Bool) -> Value? {
        switch self {
        case .object: nil
        case .array, .set: hasRecords && ValueExtent(of: self).hasObjects ? nil : self
        case .dictionary(let dictionary): dictionary.extent.hasObjects ? nil : self
        default: self
        }
    }
}

/// The names around a repetition that its items, keys and rows read. Each name has a bit; those beyond the limit share the
/// last one, which counts as always changed.
final class SurroundingReads: Sendable {
    private struct State {
        var names: [String]
        var bits: [String: UInt64] = [:]
        var noted: UInt64 = 0
    }

    private let state: Guarded<State>

    static let nameCount = 63
    static let others: UInt64 = 1 << 63

    /// - Parameter names: those that have their bits already.
    init(_ names: [String]) {
        var state = State(names: names)
        for (place, name) in names.enumerated() { state.bits[name] = 1 << UInt64(place) }
        self.state = Guarded(state)
    }

    func note(_ name: String) {
        state.withLock { state in
            if let bit = state.bits[name] {
                state.noted |= bit
            } else if state.names.count < SurroundingReads.nameCount {
                let bit: UInt64 = 1 << UInt64(state.names.count)
                state.names.append(name)
                state.bits[name] = bit
                state.noted |= bit
            } else {
                state.noted |= SurroundingReads.others
            }
        }
    }

    /// The bits of the names that were read since the last call.
    func take() -> UInt64 {
        state.withLock { state in
            defer { state.noted = 0 }
            return state.noted
        }
    }

    var names: [String] { state.withLock { $0.names } }
}

/// A scope that notes the names which are read of it.
final class NotedScope: PredicateObject {
    private let scope: any PredicateObject
    private let reads: SurroundingReads

    init(_ scope: any PredicateObject, _ reads: SurroundingReads) {
        self.scope = scope
        self.reads = reads
    }

    func value(forKey key: String) -> Value? {
        reads.note(key)
        return scope.value(forKey: key)
    }
}
