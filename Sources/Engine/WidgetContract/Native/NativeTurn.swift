package import JSONText

/// One question to native code: what has happened since the turn before.
package struct NativeTurn: Equatable, Sendable {
    /// An open screen.
    package struct Screen: Equatable, Sendable {
        /// Its number, which no other screen of the run has.
        package var number: Int
        /// The name of its document.
        package var scene: String
        /// The values of its parameters, as they were passed, on its first turn.
        package var content: JSONValue?
        /// The states with another value than the code knows, by their names: all of them on the screen's first turn. The
        /// code knows what its own commands have set.
        package var changed: [NativeNamedValue]

        package init(_ number: Int, scene: String, content: JSONValue? = nil, changed: [NativeNamedValue] = []) {
            self.number = number
            self.scene = scene
            self.content = content
            self.changed = changed
        }
    }

    /// Counts the turns of the run, from 1.
    package var number: Int
    /// The lowest first; the last is visible.
    package var screens: [Screen]
    /// In the order in which the actions were performed.
    package var calls: [NativeCall]

    package init(_ number: Int, screens: [Screen] = [], calls: [NativeCall] = []) {
        self.number = number
        self.screens = screens
        self.calls = calls
    }
}

/// A value with a name: a state, or an item of a list.
package struct NativeNamedValue: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// A call of a handler, because of an action `native`.
package struct NativeCall: Equatable, Sendable {
    package var handler: String
    /// The number of the screen. It can be closed by now.
    package var screen: Int
    /// The action's `value`; without one the argument of the event, as the text that was typed.
    package var argument: JSONValue
    /// The items of the repetitions and rows around the element, the outermost first.
    package var items: [NativeNamedValue]

    package init(
        _ handler: String, screen: Int, argument: JSONValue = JSONValue(.null), items: [NativeNamedValue] = []
    ) {
        self.handler = handler
        self.screen = screen
        self.argument = argument
        self.items = items
    }

    /// The item of the row in which it happened.
    package var item: JSONValue? { items.last?.value }

    /// The handler that looks if its argument, an answer to a source of a screen, is of the type that the screen reads.
    package static func answerHandler(_ source: String, in scene: String) -> String { "answer \(scene) \(source)" }
}
