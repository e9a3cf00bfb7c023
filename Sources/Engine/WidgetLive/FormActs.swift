package import WidgetCore
package import WidgetRender

/// The events of a form that a browser without script has posted, for owners of one widget without a viewing.
package struct FormActs {
    /// In the order in which they happen: what was typed and chosen, then the button.
    package let events: [Event]
    /// The list of which more rows are wanted, and their number.
    package let more: (list: ViewKey, count: Int)?

    /// - Parameters:
    ///   - shown: the view that the page showed.
    ///   - windows: the rows that its long lists showed, if not as many as usual.
    package init(
        _ form: LiveForm, since shown: View, windows: [ViewKey: Int], _ options: PageOptions
    ) throws(LiveRefusal) {
        let reading = FormReading(form)
        let inputs = reading.inputs(since: shown, windows, options.rowLimit, options.shownRowCount)
        var button = try reading.button()
        if button == .enter {
            button = FormReading.enter(in: shown, changed: Set(inputs.compactMap(\.key)))
        }
        if case .more(let list, let count)? = button { more = (list, count) } else { more = nil }
        events = (inputs + (button.map { [$0] } ?? [])).compactMap { act in
            act.event(at: act.key.flatMap { shown.node($0) })
        }
    }
}
