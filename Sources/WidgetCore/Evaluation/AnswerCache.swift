internal import Predicates

/// Answers that stay good for a while, by the requests they answer. The ones that expire first give way to others.
struct AnswerCache: Sendable {
    private struct Entry: Sendable {
        var body: Value
        var weight: Int
        var until: Double
    }

    /// Why an answer was not kept, or another was dropped.
    enum Shortage { case tooHeavy, full }

    private var entries: [String: Entry] = [:]

    var count: Int { entries.count }

    func answer(to request: Request, at now: Double) -> Value? {
        guard !entries.isEmpty, let entry = entries[AnswerCache.name(of: request)], entry.until > now else {
            return nil
        }
        return entry.body
    }

    /// Keeps an answer, unless it came from here: that does not make it good for longer.
    mutating func keep(
        _ body: Value, to request: Request, at now: Double, until: Double, _ budget: Budget
    ) -> Shortage? {
        entries = entries.filter { $0.value.until > now }
        let name = AnswerCache.name(of: request)
        guard entries[name] == nil else { return nil }
        guard let weight = body.weight(upTo: budget.cachedAnswerWeight) else { return .tooHeavy }
        var shortage: Shortage?
        while entries.count >= budget.cachedAnswerCount
            || entries.values.reduce(weight, { $0 + $1.weight }) > budget.cachedAnswerWeight,
            let oldest = entries.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            entries[oldest.key] = nil
            shortage = .full
        }
        entries[name] = Entry(body: body, weight: weight, until: until)
        return shortage
    }

    /// The same for the same question by the same person.
    private static func name(of request: Request) -> String {
        let fields = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        let body = String(decoding: request.body, as: UTF8.self)
        return "\(request.method) \(request.url)\n\(fields)\n\n\(body)"
    }
}
