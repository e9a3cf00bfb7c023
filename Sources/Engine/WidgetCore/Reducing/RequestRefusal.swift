/// Requests that are not sent, because of what they ask or of when.
extension Reducer {
    /// Refuses a request that changes something on a server and has no cause but a screen that has opened.
    mutating func holdBack(_ action: ServiceAction, at place: Place?, sender: SenderKey?, _ origin: RequestOrigin?) {
        refuse(
            action, "\(action.name) is not sent: a \(action.method) is not sent because a screen opens", .sentOnLoad,
            at: place,
            hint: #"send it in an event, or by a source with "when": "load" whose action has an idempotencyKey"#,
            sender: sender, origin)
    }

    /// Refuses a request with places that have no value, or one that text cannot hold.
    ///
    /// - Returns: false if it has none.
    mutating func refuses(
        _ faults: RequestFaults, of action: ServiceAction, at place: Place?, sender: SenderKey?,
        _ origin: RequestOrigin?
    ) -> Bool {
        if !faults.unfilled.isEmpty {
            let names = RequestFaults.list(faults.unfilled)
            refuse(
                action, "\(action.name) is not sent: \(names) has no value", .unfilled, at: place,
                hint: #"pass a value in "with""#, sender: sender, origin)
            return true
        }
        if !faults.astray.isEmpty {
            let names = RequestFaults.list(faults.astray)
            refuse(
                action, "\(action.name) is not sent: \(names) would change another address than its path says",
                .badValue,
                at: place, hint: "a value in a path has no ?, # or backslash, and no part that is . or ..",
                sender: sender,
                origin)
            return true
        }
        guard !faults.compound.isEmpty else { return false }
        let names = RequestFaults.list(faults.compound)
        refuse(
            action, "\(action.name) is not sent: \(names) is a list, an object or a file, and its place is a text",
            .badValue, at: place,
            hint: #""parametersIn": "json" sends lists and objects, and "multipart" sends files"#, sender: sender,
            origin)
        return true
    }

    /// Reports a request that is not sent, and lets what follows it fail.
    mutating func refuse(
        _ action: ServiceAction, _ sentence: String, _ code: Finding.Code, at place: Place?, hint: String?,
        sender: SenderKey?, _ origin: RequestOrigin?
    ) {
        report(.error, code, sentence, at: place ?? action.place, hint: hint)
        note(.request, sentence)
        if code != .sentOnLoad { unsent = sentence }
        // The last one that is added is delivered first.
        for (phase, error) in [(SignalPhase.error, Optional(sentence)), (.start, nil)] {
            pending.append(
                .signal(Signal(name: action.name, phase: phase, sender: sender, error: error, origin: origin)))
        }
    }
}
