package import Predicates

/// One thing that happens. Steps are data: what they do is the same in every authored form.
package indirect enum Step: Sendable {
    case assign(Target, Expression)
    /// Shows a screen: pushes it, or presents it when it brings its own navigation.
    case show(String, content: Expression?)
    case dismiss
    case back
    /// Performs an action of this screen, after its delay.
    case perform(String, argument: Expression?)
    /// Performs an action at once, with the argument of the frame.
    case performNow(String)
    case cancel(String)
    /// Searches a source for a text, with the question that the text is put into.
    case search(source: String, text: Expression, filter: CompiledPredicate?)
    /// Forgets a source's answer and asks again.
    case fetch(String)
    /// Drops what a source has in memory, and asks again for everything else.
    case reset(String)
    /// Later, unless the same is asked for again before.
    case after(name: String, seconds: Double, [Step])
    /// Again and again, as long as the screen is there.
    case every(name: String, seconds: Double, [Step])
    /// What waits under that name is not to happen.
    case drop(name: String)
    /// What an action is searching for; nothing when it is not.
    case searching(action: String, Expression)
    case when(CompiledPredicate, then: [Step], otherwise: [Step])
    case alert(title: String, message: Expression)
    case delete(Expression)
    case toggleSelection(NodeID)
    case open(Expression)
    /// Asks the host, which need not answer.
    case native(HostCall, argument: Expression?)
    case trigger(Trigger)
    case focus(NodeID)
    /// Takes what was picked out of a form again, and ends its upload.
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
    }
}

/// What reactions wait for.
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

/// An expression that is looked at after every event, and where its value goes when it is another one.
package struct Observation: Sendable {
    package var target: Step.Target
    package var expression: Expression

    package init(_ target: Step.Target, _ expression: Expression) {
        self.target = target
        self.expression = expression
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
