internal import WidgetCore

/// Effects that the caller has not taken yet, folded so that a caller who waits long finds few.
struct PendingEffects: Sendable {
    /// The most questions to the app that are remembered; the oldest are forgotten first.
    static let hostRequestLimit = 200

    /// Requests, and cancellations of earlier ones, in their order.
    private var exchanges: [Effect] = []
    private var changed: Set<RecordID> = []
    private var hasSettings = false
    private var hostRequests: [Effect] = []

    var hasRequests: Bool {
        exchanges.contains { if case .request = $0 { true } else { false } }
    }

    mutating func add(_ effect: Effect) {
        switch effect {
        case .request: exchanges.append(effect)
        case .cancel(let number):
            exchanges.removeAll { if case .request(number, _) = $0 { true } else { false } }
            exchanges.append(effect)
        case .persist(let ids): changed.formUnion(ids)
        case .settings: hasSettings = true
        case .open, .native:
            if hostRequests.count == PendingEffects.hostRequestLimit { hostRequests.removeFirst() }
            hostRequests.append(effect)
        }
    }

    /// All of them, once.
    mutating func take() -> [Effect] {
        var effects = exchanges
        exchanges = []
        if !changed.isEmpty { effects.append(.persist(Array(changed))) }
        changed = []
        if hasSettings { effects.append(.settings) }
        hasSettings = false
        effects += hostRequests
        hostRequests = []
        return effects
    }
}
