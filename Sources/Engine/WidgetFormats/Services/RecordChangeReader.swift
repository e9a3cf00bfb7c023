internal import JSONText
internal import WidgetCore
internal import WidgetPredicates

/// Reads the changes of stored records that an action makes without a request.
enum RecordChangeReader {
    private static let keys: Set<String> = ["delete", "change", "where", "set", "***"]
    private static let hint =
        #"as in {"delete": "Note"} or {"change": "Note", "where": "isDone = 1", "set": {"isDone": false}}"#

    /// Sets the changes of an action. One fault makes all of them a fault of the action, which then does nothing.
    ///
    /// - Parameter json: an array of changes.
    static func read(
        _ json: JSONItem?, into action: inout ServiceAction, upTo limit: Int, _ diagnostics: inout [Finding]
    ) {
        guard let json, !isNothing(json) else { return }
        let name = action.name.excerpt
        do throws(ChangeFault) {
            guard let elements = json.array else {
                throw ChangeFault("The records of \(name) must be an array of changes")
            }
            for element in elements {
                guard action.changes.count < limit else {
                    throw ChangeFault(
                        "\(name) makes more than \(limit) changes", .countBudget,
                        hint: "split it into several actions")
                }
                action.changes.append(try change(element, name))
            }
        } catch {
            let hint = "\(error.hint); until then the action does nothing"
            diagnostics.append(Finding(.error, error.code, error.sentence, at: action.place, hint: hint))
            action.changes = []
            action.fault = error.sentence
        }
    }

    private static func isNothing(_ json: JSONItem) -> Bool {
        if case .null = json.kind { true } else { false }
    }

    private static func change(_ json: JSONItem, _ name: String) throws(ChangeFault) -> RecordChange {
        guard let object = json.object else { throw ChangeFault("A change of \(name) must be an object") }
        for member in object.members where !keys.contains(member.name) {
            // An unknown member may be a misspelt condition, without which all records are meant.
            throw ChangeFault("A change of \(name) has no use for \(member.name.excerpt)", .unknownKey)
        }
        let (deleted, changed) = (object["delete"], object["change"])
        guard let entity = (deleted ?? changed)?.string, deleted == nil || changed == nil else {
            throw ChangeFault("A change of \(name) deletes or changes the records of one entity")
        }
        var change = RecordChange(entity)
        if let condition = object["where"], !isNothing(condition) {
            guard let format = condition.string else {
                throw ChangeFault("The where of a change of \(name) must be a text")
            }
            do throws(PredicateError) {
                change.condition = try CompiledPredicate(format)
            } catch {
                throw ChangeFault("`\(format)`: \(error)", .badPredicate, hint: error.hint ?? hint)
            }
        }
        guard deleted == nil else {
            guard object["set"] == nil else {
                throw ChangeFault("A change of \(name) deletes records, and sets nothing")
            }
            return change
        }
        let values = object["set"].members.filter { $0.name != "***" }
        guard !values.isEmpty else { throw ChangeFault("A change of \(name) sets nothing") }
        change.values = values.map { member in
            (member.name, member.value.string.map { .template(Template($0, .keyPaths)) } ?? .value(Value(member.value)))
        }
        return change
    }

    /// The reason why a change cannot be made.
    private struct ChangeFault: Error {
        var sentence: String
        var code: Finding.Code
        var hint: String

        init(_ sentence: String, _ code: Finding.Code = .badValue, hint: String = RecordChangeReader.hint) {
            (self.sentence, self.code, self.hint) = (sentence, code, hint)
        }
    }
}
