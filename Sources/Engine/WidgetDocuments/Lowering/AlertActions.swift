internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Alerts with several buttons.
extension SceneMaker {
    /// The step that shows an alert: with its buttons, if it has some.
    ///
    /// - Parameter actions: the buttons.
    mutating func alert(
        title: Expression?, message: Expression?, actions: DocumentValue?, _ words: Lexicon, depth: Int
    ) throws(ElementFault) -> Step {
        let message = message ?? .literal(.string(""))
        if actions == nil, let title = title?.literal { return .alert(title: title.shown, message: message) }
        var answers: [AlertOption] = []
        for action in actions?.asList ?? [] {
            guard answers.count < SceneMaker.answerCount else {
                throw action.fault(.countBudget, "An alert has more than \(SceneMaker.answerCount) buttons")
            }
            guard action.json.object != nil else {
                throw action.fault(
                    .badPayload, "A button of an alert is \(action.json.typeName.rawValue), and has to be an object",
                    hint: #"write {"title": "Delete", "style": "destructive", "actions": […]}"#)
            }
            let members = try CheckedMembers(
                action, DocumentWords.alertAction, of: "button of an alert", around: action, &self)
            answers.append(
                AlertOption(
                    try members.expression("title", words, &self) ?? .literal(.string("")),
                    AlertStyle(rawValue: members.text("style") ?? "") ?? .usual,
                    try members["actions"].map { value throws(ElementFault) in
                        try steps(of: value, words, depth: depth + 1)
                    } ?? []))
        }
        return .choose(AlertQuestion(title ?? .literal(.string("")), message, answers))
    }

    private static let answerCount = 10
}
