/// A named value of a screen that comes from elsewhere: the answer of a service's action, or a value that is fixed.
///
/// Unlike a ``Source``, which is a list of records, its value is the answer itself.
package struct DataSource: Sendable {
    package enum Kind: Sendable {
        case request(ServiceCall)
        case constant(Value)
        /// A source with a fault, which is never asked: the reason.
        case broken(String)
    }

    /// The moments at which a request is sent.
    package enum Moment: String, Sendable, CaseIterable {
        /// When the screen is made.
        case load
        /// Each time the screen is about to be seen.
        case appear
        /// When the screen is made, and whenever the request becomes another one. A request that changes something on
        /// a server is sent only then.
        case change
        /// When an action demands it.
        case demand
    }

    /// Seconds between two requests of a source that follows other values.
    static let shortestPause = 0.5

    package var id: String
    package var kind: Kind
    package var moment = Moment.load
    /// Nothing is asked while this is false.
    package var condition: Expression?
    /// True if it is sent when its screen opens although it changes something on a server.
    package var isSentOnOpening = false
    /// True if a request that follows other values waits for their first change.
    package var waitsForChange = false
    /// The key path of the value in the answer; `nil` for that of the action's description.
    package var part: [String]?
    /// The node whose names the expressions know; `nil` for those of the screen.
    package var node: NodeID?
    package var place: Place?

    package init(_ id: String, _ kind: Kind, place: Place? = nil) {
        self.id = id
        self.kind = kind
        self.place = place
    }

    /// True if it is asked without a demand, so that an update of the widget asks it again.
    package var isAutomatic: Bool {
        guard case .request = kind else { return false }
        return moment != .demand && !waitsForChange
    }

    /// True if the value of the other one is a value of this one as well.
    func asksTheSame(as other: DataSource) -> Bool {
        guard part == other.part, case .request(let own) = kind, case .request(let old) = other.kind else {
            return false
        }
        return own.service == old.service && own.action == old.action && own.argument?.source == old.argument?.source
    }
}

/// A request to a service, and the steps that follow its answer.
package struct ServiceCall: Sendable {
    package var service: String
    package var action: String
    package var argument: Expression?
    /// The place of the source or the action that it was written as.
    package var place: Place?
    /// The data source that the answer becomes the value of.
    package var data: String?
    /// Run when the answer has come, with it as the argument.
    package var then: [Step] = []
    /// Run when the request has failed, with the reason as the argument.
    package var otherwise: [Step] = []

    package init(_ service: String, _ action: String, argument: Expression? = nil) {
        self.service = service
        self.action = action
        self.argument = argument
    }
}
