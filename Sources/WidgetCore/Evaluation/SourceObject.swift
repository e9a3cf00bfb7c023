internal import Predicates

/// A source as expressions see it.
final class SourceObject: PredicateObject {
    private let source: Source
    private let state: SourceState
    private let screen: ScreenScope

    init?(_ id: String, in screen: ScreenScope) {
        guard let source = screen.source(id) else { return nil }
        self.source = source
        state = screen.screen.sources[id] ?? SourceState()
        self.screen = screen
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "value": return chained
        case "items": return .array(all)
        case "isEmpty", "empty": return .boolean(item(0).isNull)
        case "first": return item(0)
        case "last": return item(state.items.count - 1)
        case "totalCount", "count": return .integer(Int64(state.items.count))
        case "searchString": return .string(state.search)
        case "masterObject": return screen.current(state.master)
        case "description": return .string(source.id)
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }

    func item(_ place: Int) -> Value {
        switch state.items {
        case .records(let ids):
            guard ids.indices.contains(place) else { return .null }
            return RecordObject(ids[place], in: screen.records, log: screen.log).map { .object($0) } ?? .null
        case .values(let values):
            return values.indices.contains(place) ? screen.current(values[place]) : .null
        }
    }

    /// Each time it is asked for, all of it is made.
    private var all: [Value] {
        guard let meter = screen.meter else { return (0..<state.items.count).map { item($0) } }
        meter.spend(Meter.item * state.items.count)
        return meter.isEmpty ? [] : (0..<state.items.count).map { item($0) }
    }

    private var chained: Value {
        guard let chain = source.chain, !source.showsChain else { return .array(all) }
        if let selection = chain.selection {
            return switch selection {
            case .first: item(0)
            case .last: item(state.items.count - 1)
            case .count: .integer(Int64(state.items.count))
            }
        }
        // A chain was checked when it was read; what fails now is a value that does not fit, and gives nothing.
        return (try? chain.compiled.value(for: .array(all), environment: screen.context.predicates)) ?? .null
    }
}
