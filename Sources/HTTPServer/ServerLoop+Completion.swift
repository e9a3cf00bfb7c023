internal import Addresses
internal import HTTPWire
internal import Logging
internal import Sockets

extension ServerLoop {
    /// The answer has been given to the last byte: counts and logs it, and decides what comes next.
    func complete(_ slot: Int, _ facts: inout RequestFacts) {
        loop.refreshClock()
        record(slot, facts)
        table[slot].exchange?.facts = nil
        finishExchange(slot)
    }

    /// - Parameter isComplete: whether the client got all of its answer, as far as anybody knows.
    func record(_ slot: Int, _ facts: borrowing RequestFacts, isComplete: Bool = true) {
        let duration = loop.now &- facts.start
        counters.count(facts, duration: duration)
        counters.add(.ended)
        guard shared.logsRequests.isOn, shared.logger.isEnabled(.info) else { return }
        logRequest(slot, facts, duration, isComplete: isComplete)
    }

    private func logRequest(
        _ slot: Int, _ facts: borrowing RequestFacts, _ duration: UInt64, isComplete: Bool
    ) {
        var fields = [
            LogField("request", facts.identity.text),
            LogField("method", facts.method.name),
            LogField("route", shared.label(facts.route)),
            LogField("bytes", facts.sent),
            LogField("milliseconds", Double(duration / 1_000) / 1_000),
            LogField("client", facts.client.description),
        ]
        if let status = facts.status { fields.append(LogField("status", status.rawValue)) }
        if !isComplete { fields.append(LogField("aborted", true)) }
        shared.logger.log(.info, "request", "", fields)
    }

    /// What becomes of the connection after an answer.
    func finishExchange(_ slot: Int) {
        if let exchange = table[slot].exchange {
            exchange.sequence = 0
            exchange.sink = nil
            exchange.isPaused = false
            exchange.heldAnswer = nil
            exchange.head = nil
            exchange.stream = nil
            if exchange.body != nil, !table[slot].marks.contains(.closes) {
                table[slot].phase = .discarding
                startRateWindow(slot)
                return
            }
            exchange.body = nil
            if exchange.input.isEmpty, !exchange.hasPending { table[slot].exchange = nil }
        }
        if table[slot].marks.contains(.closes) {
            beginLingering(slot)
            return
        }
        if table[slot].exchange?.hasPending ?? false {
            enterSending(slot)
            return
        }
        table[slot].phase = .idle
        table[slot].deadline = after(limits.idleTimeout)
    }

    /// Leaves the request to somebody else.
    func wait(_ slot: Int, _ facts: RequestFacts) -> Responder {
        let exchange = exchange(slot)
        sequence &+= 1
        exchange.sequence = sequence
        exchange.facts = facts
        table[slot].phase = .waiting
        table[slot].deadline = .max
        return Responder(loop: self, token: table.token(slot), sequence: sequence)
    }

    /// The connection and exchange a responder means, unless they are gone.
    func underWay(_ token: UInt64, _ sequence: UInt64) -> (slot: Int, exchange: Exchange)? {
        guard let slot = table.slot(token), let exchange = table[slot].exchange, exchange.sequence == sequence else {
            return nil
        }
        return (slot, exchange)
    }

    /// An answer from outside the loop.
    func answerLater(_ token: UInt64, _ sequence: UInt64, _ answer: Answer) {
        guard let (slot, exchange) = underWay(token, sequence), exchange.stream == nil, var facts = exchange.facts,
            table[slot].phase == .waiting || table[slot].phase == .body
        else {
            answer.abandon()
            return
        }
        if table[slot].phase == .body {
            // Answered before the body was whole: what is missing is treated as unwanted.
            exchange.sink?.abandon()
            exchange.sink = nil
            table[slot].marks.insert(.closes)
            exchange.body = nil
        }
        exchange.sequence = 0
        exchange.facts = nil
        var planned = PlannedAnswer.plain(answer)
        if case .resource(let resource) = answer, let held = exchange.head {
            planned = ServerLoop.planned(resource, held.head, held.bytes.span)
        }
        deliver(slot, planned, &facts)
        if table.slot(token) != nil { flush(slot) }
        if table.slot(token) != nil, isReady(slot) { resumeInput(slot) }
    }
}
