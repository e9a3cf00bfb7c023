internal import WidgetPredicates

/// A message with buttons, of which the reader chooses one.
package struct AlertQuestion: Sendable {
    package let title: Expression
    package let message: Expression
    package let answers: [AlertOption]

    package init(_ title: Expression, _ message: Expression, _ answers: [AlertOption]) {
        (self.title, self.message, self.answers) = (title, message, answers)
    }
}

/// A button of an alert, as it was authored.
package struct AlertOption: Sendable {
    package let title: Expression
    package let style: AlertStyle
    package let steps: [Step]

    package init(_ title: Expression, _ style: AlertStyle, _ steps: [Step]) {
        (self.title, self.style, self.steps) = (title, style, steps)
    }
}

/// The purpose of a button of an alert.
package enum AlertStyle: String, CaseIterable, Sendable {
    case usual = "default"
    case cancel, destructive
}

/// A button of an alert in a view.
package struct AlertButton: Equatable, Sendable {
    package var key: ViewKey
    package var title: String
    package var style: AlertStyle

    package init(key: ViewKey, title: String, style: AlertStyle = .usual) {
        self.key = key
        self.title = title
        self.style = style
    }
}

/// A button of an alert that is shown.
struct AlertReply: Sendable {
    var title: String
    var style: AlertStyle
    var steps: [Step]
}

extension Reducer {
    mutating func ask(_ question: AlertQuestion, _ frame: StepFrame) {
        let count = store.alerts.count
        alert(value(question.title, frame).shown, value(question.message, frame).shown)
        // There may be too many already.
        guard store.alerts.count > count, !question.answers.isEmpty else { return }
        let answers = question.answers.map { answer in
            AlertReply(
                title: value(answer.title, frame).shown.shortened(toByteCount: budget.alertTitleByteCount),
                style: answer.style, steps: answer.steps)
        }
        store.alerts[count].answers = answers
        store.alerts[count].frame = frame
    }

    /// Closes an alert, and runs the steps of the button that was tapped.
    mutating func answer(_ key: ViewKey) {
        guard let place = store.alerts.firstIndex(where: { $0.number == key.screen }) else {
            refusal = "the alert is gone"
            return
        }
        let alert = store.alerts.remove(at: place)
        let chosen = key.item?.number ?? 0
        guard var frame = alert.frame, alert.answers.indices.contains(chosen),
            store.place(ofScreen: frame.screen) != nil
        else { return }
        note(.alert, alert.answers[chosen].title)
        frame.isOpening = false
        push(alert.answers[chosen].steps, frame)
    }
}

extension View.Notice {
    init(_ alert: Alert) {
        func key(_ place: Int) -> ViewKey {
            ViewKey(
                screen: alert.number, node: ViewKey.alertButton,
                item: place == 0 ? nil : ItemKey(list: 0, number: place, isRecord: false))
        }
        self.init(
            key: key(0), title: alert.title, message: alert.message, button: alert.answers.first?.title ?? alert.button)
        choices = alert.answers.enumerated().map { place, answer in
            AlertButton(key: key(place), title: answer.title, style: answer.style)
        }
    }
}
