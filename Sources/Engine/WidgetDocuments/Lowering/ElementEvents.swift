internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// Events of all kinds of elements: coming, going, and changes of values.
extension SceneMaker {
    /// True for the name of an event that elements of all kinds have.
    static func isOfElements(_ event: String) -> Bool {
        DocumentWords.elementEvents.contains { $0.name == event } || expression(ofChange: event) != nil
    }

    /// The expression in `change(…)`.
    private static func expression(ofChange event: String) -> Substring? {
        guard event.hasPrefix("change("), event.hasSuffix(")") else { return nil }
        return event.dropFirst("change(".count).dropLast()
    }

    /// Gives a node the steps of events that all kinds have.
    mutating func addElementEvents(_ value: DocumentValue, to node: NodeID, _ words: Lexicon) throws(ElementFault) {
        guard let on = value["on"], on.json.object != nil else { return }
        var steps: [String: [Step]] = [:]
        for (name, actions) in on.members {
            if let expression = SceneMaker.expression(ofChange: name) {
                try observe(String(expression), actions, at: node, words)
            } else if SceneMaker.isOfElements(name) {
                steps[name] = try self.steps(of: actions, words)
            }
        }
        guard !steps.isEmpty else { return }
        nodes[node].lifecycle = Lifecycle(
            appear: steps["appear"] ?? [], once: steps["appearOnce"] ?? [], disappear: steps["disappear"] ?? [])
    }

    /// Takes actions when the value of an expression changes.
    private mutating func observe(
        _ text: String, _ value: DocumentValue, at node: NodeID, _ words: Lexicon
    ) throws(ElementFault) {
        guard !words.isRepeated else {
            report(
                Finding(
                    .warning, .badValue, "Changes are not watched in an item of a list", at: value.place,
                    hint: "watch the list itself"))
            return
        }
        let written = JSONValue(.string(text), span: value.json.span)
        // What has no sign is an expression.
        let source =
            text.hasPrefix("$")
            ? written : JSONObject([JSONObject.Member("$", written)]).map { JSONValue(.object($0)) } ?? written
        let subject = DocumentValue(source, value.path, in: value.source)
        do throws(ElementFault) {
            let expression = try read(words) { reader throws(ElementFault) in try reader.expression(of: subject) }
            let isObject = value.json["then"] != nil && value.json["do"] == nil
            var observation = Observation(
                ofChangesTo: expression, at: node,
                try steps(of: isObject ? value["then"] ?? value : value, words))
            observation.skipsFirst = !(isObject && value["initial"]?.json.boolean ?? false)
            observation.name = text
            observations.append(observation)
        } catch {
            if policy == .fail || policy == .strict { throw error }
            report(error.diagnostic)
        }
    }
}
