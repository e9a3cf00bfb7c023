package import WidgetContract
internal import WidgetCore

/// Links into a widget that runs.
extension WidgetInstance {
    /// Shows the screen that a link leads to, and its row if that is there already.
    ///
    /// - Returns: the outcome, and the visit to look at again after each event while it is pending.
    package mutating func follow(_ destination: LinkDestination) -> (LinkResult, LinkVisit) {
        let visit = LinkVisit(destination, at: environment.now)
        if let refusal = send(.arrive(entry: destination.route.entry, content: destination.content)) {
            return (.notFound(reason: refusal), visit)
        }
        return (result(of: visit), visit)
    }

    /// The outcome of a link at this moment. A row that has come is chosen.
    package mutating func result(of visit: LinkVisit) -> LinkResult {
        var place: RevealedItem?
        let reveal = visit.destination.route.reveal
        if let reveal, let value = visit.destination.revealed {
            place = store.item(
                of: reveal.list, having: value, at: reveal.keyPath, in: program, environment, budget: budget)
        }
        let result = visit.result(hasRow: place != nil, isLoading: !isAtRest, at: environment.now)
        if let reveal, let place, result == .handled, let refusal = send(.reveal(list: reveal.list, item: place)) {
            return .notFound(reason: refusal)
        }
        return result
    }
}

extension WidgetDriver {
    /// Shows what a link leads to; see ``WidgetInstance/follow(_:)``.
    package mutating func follow(_ destination: LinkDestination) -> (LinkResult, LinkVisit) {
        advance()
        defer { carryOut() }
        return instance.follow(destination)
    }

    package mutating func result(of visit: LinkVisit) -> LinkResult {
        defer { carryOut() }
        return instance.result(of: visit)
    }
}
