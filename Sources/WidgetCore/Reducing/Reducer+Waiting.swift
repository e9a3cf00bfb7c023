internal import Predicates

/// What is shown and done while an answer is on its way, or cannot come.
extension Reducer {
    /// How many answers are kept, and what all of them weigh together.
    private static let answerCount = 64
    private static let answerWeight = 100_000
    private static let longestWait = 60.0

    // MARK: - Records that stand in

    /// A record of what was sent, to be seen until the answer brings the real one.
    mutating func insertProvisional(for action: ServiceAction, _ argument: Value, _ screen: Int?) -> RecordID? {
        guard !action.optimistic.isEmpty, let result = action.result, !result.isArray,
            let entity = store.records.model.place(of: result.entity)
        else { return nil }
        let content = screen.flatMap { store.place(ofScreen: $0) }.map { store.screens[$0].content } ?? .null
        let root = Value.object(SentObject(argument, content: content, environment))
        let predicates = ExpressionContext(environment, program.transformers, meter: meter).predicates
        var edit = RecordEdit(store.records, recordLimit: budget.recordCount)
        guard !edit.isFull else { return nil }
        let record = edit.insert(entity)
        for (name, template) in action.optimistic {
            let value = template.value(root: root, environment: predicates)
            guard let slot = edit.model.entities[entity].slot(name) else {
                report(.warning, .unknownKey, "\(result.entity) has no \(name)", at: action.place)
                continue
            }
            switch edit.model.entities[entity].properties[slot] {
            case .attribute(let attribute):
                guard let fitting = attribute.kind.fitting(value) else {
                    report(
                        .warning, .badValue, "\(result.entity).\(name) cannot be \(value.kindName)", at: action.place)
                    continue
                }
                edit.set(slot, of: record.id, to: fitting)
            case .relationship: edit.link(slot, of: record.id, to: value.recordID.map { [$0] } ?? [])
            }
        }
        store.records = edit.table
        note(.stored, "\(result.entity): one that stands in")
        return record.id
    }

    mutating func forgetProvisional(of request: PendingRequest) {
        guard let id = request.provisional else { return }
        var edit = RecordEdit(store.records)
        if edit.delete(id) { store.records = edit.table }
    }

    // MARK: - Nobody there

    /// Whether a request that reached nobody is not given up.
    mutating func standsOffline(_ request: PendingRequest, _ action: ServiceAction) -> Bool {
        switch action.offline {
        case .fail: return false
        case .keep:
            guard let entity = action.result.flatMap({ store.records.model.place(of: $0.entity) }),
                !store.records.ids(of: entity).isEmpty
            else { return false }
            note(.response, "\(request.action): what is kept has to do")
            forgetProvisional(of: request)
            pending.append(.signal(Signal(name: request.action, phase: .success, sender: request.sender)))
            pending.append(.signal(Signal(name: request.action, phase: .ready, sender: request.sender)))
            return true
        case .retry:
            var again = request
            again.attempts += 1
            store.requests.append(again)
            let wait = min(5 * Double(1 << min(request.attempts, 4)), Reducer.longestWait)
            note(.request, "\(request.action): again in \(Value.text(wait)) s")
            store.timers.append(
                PendingTimer(
                    number: store.number(), due: environment.now + wait, screen: nil,
                    purpose: .resend(request: request.number)))
            return true
        }
    }

    mutating func resend(_ number: Int) {
        guard let request = store.requests.first(where: { $0.number == number }) else { return }
        note(.request, "\(request.action): \(request.request.method) \(request.request.url) again")
        effects.append(.request(number: number, request.request))
    }

    // MARK: - Answers that stay good

    func keptAnswer(to request: Request, of action: ServiceAction) -> Value? {
        guard action.cacheTime > 0, let kept = store.answers[request.name], kept.until > environment.now else {
            return nil
        }
        return kept.body
    }

    mutating func keepAnswer(_ body: Value, to request: PendingRequest, of action: ServiceAction) {
        guard action.cacheTime > 0 else { return }
        store.answers = store.answers.filter { $0.value.until > environment.now }
        // An answer that came from here is not good for longer because of that.
        guard store.answers[request.request.name] == nil else { return }
        guard let weight = body.weight(upTo: Reducer.answerWeight) else { return }
        while store.answers.count >= Reducer.answerCount
            || store.answers.values.reduce(weight, { $0 + $1.weight }) > Reducer.answerWeight,
            let oldest = store.answers.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            store.answers[oldest.key] = nil
        }
        store.answers[request.request.name] = KeptAnswer(
            body: body, weight: weight, until: environment.now + action.cacheTime)
    }
}

extension Request {
    /// The same for the same question by the same person.
    fileprivate var name: String {
        let fields = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return "\(method) \(url)\n\(fields)\n\n\(String(decoding: body, as: UTF8.self))"
    }
}

/// What a record that stands in is made of: what was sent, the content of the screen, and the time.
private final class SentObject: PredicateObject {
    private let argument: Value
    private let content: Value
    private let environment: Environment

    init(_ argument: Value, content: Value, _ environment: Environment) {
        self.argument = argument
        self.content = content
        self.environment = environment
    }

    func value(forKey key: String) -> Value? {
        let own = argument.member(key)
        if !own.isNull { return own }
        switch key {
        case "content": return content
        case "now": return .date(environment.now)
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }
}
