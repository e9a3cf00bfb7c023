internal import WidgetPredicates

/// The state of a data source: its value, and the progress of its request.
package struct DataState: Sendable {
    /// The last answer; `nil` until there is one. A request that fails leaves it as it is.
    package var value: Value?
    package var status = StatusState()
    /// The moment at which it was asked last.
    var askedAt: Double?
    /// The moment of the last answer.
    package var answeredAt: Double?

    package init() {}

    /// The part of the life of a source, by which screens choose what they show.
    package enum Phase: String, Sendable, CaseIterable {
        /// Nothing was asked yet.
        case waiting
        /// The first answer is on its way.
        case loading
        /// The last request has failed, and none before has succeeded.
        case error
        /// The last answer has nothing in it.
        case empty
        case loaded
    }

    package var phase: Phase {
        guard let value else { return status.isInProgress ? .loading : status.isFailure ? .error : .waiting }
        return DataState.isEmpty(value) ? .empty : .loaded
    }

    static func isEmpty(_ value: Value) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        default: value.elements?.isEmpty ?? false
        }
    }

    /// The number of items: elements of a list, one for another value.
    static func count(of value: Value) -> Int {
        switch value {
        case .null: 0
        case .array(let elements), .set(let elements): elements.count
        default: 1
        }
    }
}

/// The status of a data source, as expressions see it.
final class DataStatusObject: PredicateObject {
    private let state: DataState

    init(_ state: DataState) {
        self.state = state
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "phase": .string(state.phase.rawValue)
        case "loaded", "isLoaded": .boolean(state.value != nil)
        case "empty", "isEmpty": .boolean(state.value.map(DataState.isEmpty) ?? true)
        case "count": .integer(Int64(state.value.map(DataState.count) ?? 0))
        case "time": state.answeredAt.map { .date($0) } ?? .null
        default: StatusObject(state.status).value(forKey: key)
        }
    }

    /// The names that expressions can read, for checks of documents.
    static let keys = [
        "phase", "inProgress", "success", "failure", "error", "progress", "loaded", "empty", "count", "time",
    ]
}

extension DataSource {
    /// The names that the status of a source has.
    package static var statusKeys: [String] { DataStatusObject.keys }
}

extension ScreenScope {
    /// The value of a data source.
    func data(_ id: String) -> Value {
        if case .constant(let value)? = dataSource(id)?.kind { return value }
        return screen.data[id]?.value ?? .null
    }

    /// The status of a data source. A value that is fixed is always there; a source with a fault has failed.
    func status(ofData id: String) -> Value {
        var state = screen.data[id] ?? DataState()
        switch dataSource(id)?.kind {
        case .constant(let value)?:
            state.value = value
            state.status.isSuccess = true
        case .broken(let reason)?:
            state.status.isFailure = true
            state.status.error = reason
        case .request?, nil: break
        }
        return .object(DataStatusObject(state))
    }
}
