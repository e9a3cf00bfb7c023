internal import JSONText
internal import Predicates
internal import WidgetCore

/// Reads the changes of stored records that an action makes without a request.
enum RecordChangeReader {
    private static let keys: Set<String> = ["delete", "change", "where", "set", "***"]
    private static let hint =
        #"as in {"delete": "Note"} or {"change": "Note", "where": "isDone = 1", "set": {"isDone": false}}"#

    /// - Parameter json: an array of changes.
    static func changes(
        _ json: JSONItem?, of action: ServiceAction, upTo limit: Int, _ diagnostics: inout [Diagnostic]
    ) -> [RecordChange] {
        guard let json else { return [] }
        guard let elements = json.array else {
            diagnostics.append(
                Diagnostic(
                    .error, .badValue, "The records of \(action.name.excerpt) must be an array of changes",
                    at: action.place, hint: hint))
            return []
        }
        var changes: [RecordChange] = []
        for element in elements {
            guard changes.count < limit else {
                diagnostics.append(
                    Diagnostic(
                        .error, .countBudget, "\(action.name.excerpt) makes more than \(limit) changes",
                        at: action.place,
                        hint: "the first ones are made"))
                break
            }
            if let change = change(element, of: action, &diagnostics) { changes.append(change) }
        }
        return changes
    }

    private static func change(
        _ json: JSONItem, of action: ServiceAction, _ diagnostics: inout [Diagnostic]
    ) -> RecordChange? {
        func refuse(_ message: String) -> RecordChange? {
            diagnostics.append(Diagnostic(.error, .badValue, message, at: action.place, hint: hint))
            return nil
        }
        let name = action.name.excerpt
        guard let object = json.object else { return refuse("A change of \(name) must be an object") }
        for member in object.members where !keys.contains(member.name) {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownKey, "A change of records has no use for \(member.name.excerpt)",
                    at: action.place,
                    hint: hint))
        }
        let (deleted, changed) = (object["delete"]?.string, object["change"]?.string)
        guard let entity = deleted ?? changed, deleted == nil || changed == nil else {
            return refuse("A change of \(name) deletes or changes the records of one entity")
        }
        var change = RecordChange(entity)
        if let format = object["where"]?.string {
            do throws(PredicateError) {
                change.condition = try CompiledPredicate(format)
            } catch {
                diagnostics.append(
                    Diagnostic(.error, .badPredicate, "`\(format)`: \(error)", at: action.place, hint: error.hint))
                return nil
            }
        }
        guard deleted == nil else { return change }
        let values = object["set"].members.filter { $0.name != "***" }
        guard !values.isEmpty else { return refuse("A change of \(name) sets nothing") }
        change.values = values.map { member in
            (member.name, member.value.string.map { .template(Template($0, .keyPaths)) } ?? .value(Value(member.value)))
        }
        return change
    }
}
