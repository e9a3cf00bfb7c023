/// A call of a closure of the program behind a native widget.
package struct HandlerCall: Sendable {
    /// The name of the closure.
    package var handler: String
    /// The number of the screen on which it happened.
    package var screen: Int
    package var argument: Value
    /// The items of the repetitions and rows around the element, the outermost first.
    package var items: [(name: String, value: Value)]
    /// True if it is called because a screen has opened.
    package var isOpening = false
}

/// Native widgets: their closures, and the steps that these want.
extension Reducer {
    mutating func call(_ handler: String, _ argument: Expression?, _ frame: StepFrame) {
        note(.action, "calls \(handler)")
        let argument = argument.map { value($0, frame) } ?? refreshed(frame.argument)
        effects.append(
            .handle(
                HandlerCall(
                    handler: handler, screen: frame.screen, argument: bounded(argument.data, at: nil),
                    items: items(around: frame), isOpening: frame.isOpening)))
    }

    /// The items that an event happened in. Those that are gone have no value.
    private mutating func items(around frame: StepFrame) -> [(name: String, value: Value)] {
        guard frame.item != nil || frame.content != nil else { return [] }
        var items: [(name: String, value: Value)] = []
        if let node = frame.scopeNode, let scope = scope(frame),
            let inner = try? scope.scope(of: node, item: frame.item)
        {
            items = inner.items
        } else if let content = frame.content {
            items = [("content", refreshed(content))]
        }
        meter.spend(Meter.item * items.count)
        return items.map { ($0.name, bounded($0.value.data, at: nil)) }
    }

    /// Performs steps on an open screen.
    mutating func perform(_ steps: [Step], onScreen number: Int, isOpening: Bool) {
        guard store.place(ofScreen: number) != nil else {
            refusal = "the screen is closed"
            return
        }
        push(steps, StepFrame(screen: number, isOpening: isOpening))
    }
}
