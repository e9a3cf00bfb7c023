package import WidgetContract
package import WidgetPredicates

/// A named action, which is performed if its condition holds.
package struct Action: Sendable {
    package enum Handler: Sendable {
        /// The widget's service performs the action of that name.
        case service
        case steps([Step])
        /// The host does it.
        case native(HostCall)
    }

    package var id: String
    package var name: String?
    /// The action that is performed instead if the condition does not hold.
    package var otherName: String?
    package var condition: CompiledPredicate?
    package var delay = 0.0
    package var service: String?
    /// The handlers, by action name; the service performs all other actions.
    package var handlers: [String: Handler] = [:]
    package var form: NodeID?
    /// The argument, unless the action has a form.
    package var argument: Expression?
    package var sender: NodeID?
    package var place: Place?

    package init(_ id: String, name: String? = nil, place: Place? = nil) {
        self.id = id
        self.name = name
        self.place = place
    }
}

/// The status of the actions of one name.
package struct ActionStatus: Sendable {
    package var id: String
    package var actionName: String
    /// The element whose actions are meant; `nil` for all elements.
    package var sender: NodeID?
    package var errorTitle: String?
    /// Without one, failures are not shown.
    package var errorMessage: String?
    package var place: Place?

    package init(_ id: String, actionName: String, place: Place? = nil) {
        self.id = id
        self.actionName = actionName
        self.place = place
    }
}

/// One step of a reaction. Steps are data and mean the same in every authored form.
package indirect enum Step: Sendable {
    case assign(Target, Expression)
    /// Shows a screen: pushes it, or presents it when it brings its own navigation.
    case show(String, content: Expression?)
    /// Shows a screen, and runs steps when it is left with a result, which is their argument.
    case showForResult(String, content: Expression?, result: [Step])
    /// Leaves the screen with a result.
    case leave(Expression, isDismissal: Bool)
    /// Runs steps with the names that a node around them knows, and with an argument.
    case within(NodeID, argument: Expression?, [Step])
    case edit(ListEdit)
    /// Focuses the element of that name.
    case focusOn(String)
    /// Chooses the first item of a list whose member at the key path has the text of a value.
    case reveal(list: String, keyPath: [String], Expression)
    case dismiss
    case back
    /// Sends a form: runs its steps with the values of its fields, or refuses it.
    case submit(NodeID)
    /// Performs an action of this screen, after its delay.
    case perform(String, argument: Expression?)
    /// Performs an action at once, with the argument of the frame.
    case performNow(String)
    case cancel(String)
    /// Asks the request of a data source.
    case ask(String)
    /// Sends a request to a service.
    case call(ServiceCall)
    /// Searches a source for a text, with the predicate into which the text is filled.
    case search(source: String, text: Expression, filter: CompiledPredicate?)
    /// Forgets a source's answer and asks again.
    case fetch(String)
    /// Drops what a source has in memory, and asks again for everything else.
    case reset(String)
    /// Runs steps later. The same name again before that restarts the delay.
    case after(name: String, seconds: Double, [Step])
    /// Runs steps repeatedly while the screen exists.
    case every(name: String, seconds: Double, [Step])
    /// Cancels the steps that wait under that name.
    case drop(name: String)
    /// Sets the search text of an action; an empty text ends the search.
    case searching(action: String, Expression)
    case when(CompiledPredicate, then: [Step], otherwise: [Step])
    /// The same for the truth of an expression, which sees the item that the event happened in.
    case branch(Expression, then: [Step], otherwise: [Step])
    case alert(title: String, message: Expression)
    /// Shows a message with several buttons.
    case choose(AlertQuestion)
    case delete(Expression)
    case toggleSelection(NodeID)
    case open(Expression)
    /// Opens the address of a pattern. The expression has its parts by their names; nothing is opened if one is missing.
    case openLink(LinkPattern, parts: Expression)
    /// Stores a value in the widget's cache, or removes it.
    case cache(CacheStep)
    /// Asks the host, which need not answer.
    case native(HostCall, argument: Expression?)
    /// Calls a closure of the program behind a native widget.
    case handle(String, argument: Expression?)
    case trigger(Trigger)
    case focus(NodeID)
    /// Removes the picked media from a form, and cancels its upload.
    case detach(NodeID)
    case endEditing

    package enum Target: Hashable, Sendable {
        case property(NodeID, PropertyName)
        case content
        case title
        /// Dismisses the screen when the value is true.
        case dismissal
        case master(source: String)
        case selection(NodeID)
        case setting(String)
        case state(StatePath)
    }

    /// True for steps that run again and again while the screen exists.
    var isRepeating: Bool {
        if case .every = self { true } else { false }
    }
}

/// The event that starts a reaction.
package enum Trigger: Hashable, Sendable {
    /// The screen was made.
    case loaded
    /// The screen is about to be seen.
    case appearing
    case contentChanged
    /// A source's answer is another one.
    case source(String)
    /// A status has changed.
    case status(String)
    /// A display has shown its source.
    case rendered(String)
    /// A signal of that name went through the widget.
    case signal(String)
}

/// An expression that is evaluated after every event, and the target of its value when that has changed.
package struct Observation: Sendable {
    package var target: Step.Target?
    package var expression: Expression
    package var node: NodeID?
    /// Run when the value has become true.
    package var steps: [Step] = []
    /// True if the steps run whenever the value has become another one.
    package var isOfChanges = false
    /// True if the first value counts as no change.
    package var skipsFirst = false
    /// The name by which it is known again in another program, so that its last value counts there.
    package var name: String?

    package init(_ target: Step.Target, _ expression: Expression) {
        self.target = target
        self.expression = expression
    }

    /// - Parameter node: the node whose names the expressions know.
    package init(whenTrue expression: Expression, at node: NodeID, _ steps: [Step]) {
        self.expression = expression
        self.node = node
        self.steps = steps
    }

    /// Runs steps for the first value, and for each other one.
    package init(ofChangesTo expression: Expression, at node: NodeID?, _ steps: [Step]) {
        self.expression = expression
        self.node = node
        self.steps = steps
        isOfChanges = true
    }
}

package struct Reaction: Sendable {
    package var triggers: Set<Trigger>
    package var steps: [Step]

    package init(_ triggers: Set<Trigger>, _ steps: [Step]) {
        self.triggers = triggers
        self.steps = steps
    }
}
