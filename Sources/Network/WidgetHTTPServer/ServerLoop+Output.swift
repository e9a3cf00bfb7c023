internal import HTTPWire
internal import WidgetSockets

/// Answers: putting them together, sending as much as the client takes, and finishing their exchanges.
extension ServerLoop {
    /// Contents from memory up to this size are gathered with their head; larger ones are sent from where they are.
    private static let gatherLimit = 16 * 1_024
    /// The most bytes sent to one connection before others get their turn.
    private static let sendTurn = 2 * 1_024 * 1_024

    // MARK: Answers

    /// Gives an answer, and sends at once as much of it as can be sent.
    func respond(_ slot: Int, _ planned: PlannedAnswer, _ exchange: inout Exchange) {
        switch planned {
        case .resource(let resource, let plan): sendResource(slot, resource, plan, &exchange)
        case .later(let start, let head): start(suspend(slot, &exchange, head))
        case .plain(let answer): respond(slot, answer, &exchange)
        }
    }

    func respond(_ slot: Int, _ answer: Answer, _ exchange: inout Exchange) {
        switch answer {
        case .resource(let resource):
            sendResource(slot, resource, resource.redirect == nil ? .whole : .redirect, &exchange)
        case .response(let response): sendResponse(slot, response, &exchange)
        case .problem(let problem): sendProblem(slot, problem, &exchange)
        case .refused(let refusal): sendProblem(slot, shared.problem(refusal), &exchange)
        case .failed(let reason):
            var problem = shared.problem(.internalFailure)
            problem.reason = reason
            sendProblem(slot, problem, &exchange)
        // The request has had its body, or has none to give.
        case .readBody: sendProblem(slot, shared.problem(.malformed(.incomplete)), &exchange)
        case .later(let start): start(suspend(slot, &exchange))
        }
    }

    private func sendProblem(_ slot: Int, _ problem: Problem, _ exchange: inout Exchange) {
        counters.countRefusal(problem.code)
        if let reason = problem.reason { shared.logFailure(exchange, reason) }
        sendResponse(slot, problem.response(instance: exchange.identity.text, asText: exchange.prefersText), &exchange)
    }

    private func sendResource(_ slot: Int, _ resource: Resource, _ plan: ResourcePlan, _ exchange: inout Exchange) {
        switch plan {
        case .whole:
            exchange.status = .ok
            writeHead(slot, resource.wholeHead, exchange)
            sendContent(slot, resource.content, 0..<resource.content.count, of: resource, &exchange)
        case .notModified:
            exchange.status = .notModified
            writeHead(slot, resource.notModifiedHead, exchange)
            complete(slot, &exchange)
        case .part(let range):
            exchange.status = .partialContent
            var fields = FieldBlock()
            fields.add("Content-Type", resource.mediaType)
            fields.add("Content-Length", range.count)
            fields.add("Content-Range", ContentRange.text(range, size: resource.content.count))
            writeHead(slot, StatusLine.bytes(.partialContent) + fields.bytes + resource.partialFields, exchange)
            sendContent(slot, resource.content, range, of: resource, &exchange)
        case .parts(let ranges):
            sendParts(slot, resource, ranges, &exchange)
        case .redirect:
            // Plans are made of resources that have one.
            if let redirect = resource.redirect { sendResponse(slot, redirect, &exchange) }
        case .refused(let refusal):
            sendProblem(slot, shared.problem(refusal), &exchange)
        }
    }

    private func sendParts(_ slot: Int, _ resource: Resource, _ ranges: [Range<Int>], _ exchange: inout Exchange) {
        exchange.status = .partialContent
        exchange.sent = ranges.reduce(0) { $0 &+ $1.count }
        let parts = MultipartRanges(
            ranges, size: resource.content.count, mediaType: resource.mediaType,
            boundary: dispatcher.nextIdentity().text)
        var fields = FieldBlock()
        fields.add("Content-Type", "multipart/byteranges; boundary=\(parts.boundary)")
        fields.add("Content-Length", parts.byteCount)
        writeHead(slot, StatusLine.bytes(.partialContent) + fields.bytes + resource.partialFields, exchange)
        let activity = activity(slot)
        queueOutput(slot)
        for (range, head) in zip(ranges, parts.partHeads) {
            activity.output.append(.bytes(head))
            switch resource.content {
            case .bytes(let bytes): activity.output.append(.bytes(bytes, range, of: resource))
            case .file(let file, let offset, _):
                activity.output.append(.file(file, offset: offset &+ range.lowerBound, count: range.count))
            }
        }
        activity.output.append(.bytes(parts.end))
        sendRest(slot, &exchange)
    }

    private func sendResponse(_ slot: Int, _ response: Response, _ exchange: inout Exchange) {
        let root = limits.publicAddress?.path ?? ""
        let response = response.lacksRoot || !root.isEmpty ? response.placed(below: root) : response
        exchange.status = response.status
        switch response.body {
        case .bytes(let bytes):
            heads.write(response, ending(slot, exchange), at: loop.now, to: output)
            if response.status.isBodiless {
                complete(slot, &exchange)
            } else {
                sendContent(slot, .bytes(bytes), 0..<bytes.count, of: nil, &exchange)
            }
        case .stream(let source):
            beginStream(slot, response, source, &exchange)
        }
    }

    /// Sends the head of a streamed answer and hands its writing end to the source.
    private func beginStream(
        _ slot: Int, _ response: Response, _ source: any StreamSource, _ exchange: inout Exchange
    ) {
        var fields = response.fields
        // HTTP/1.0 knows no chunks; there, the end of the connection is the end of the answer.
        let isChunked = !exchange.isHTTP10
        if isChunked { fields.add("Transfer-Encoding", "chunked") } else { exchange.endsConnection = true }
        output.append(contentsOf: StatusLine.bytes(response.status))
        writeHead(slot, fields.bytes, exchange)
        guard exchange.method != .head else {
            source.stop()
            complete(slot, &exchange)
            return
        }
        let responder = suspend(slot, &exchange)
        activity(slot).exchange?.stage = .streaming(
            responder.number, StreamState(source: source, isChunked: isChunked))
        flush(slot)
        guard table.isOpen(slot) else { return }
        source.begin(ResponseStream(responder: responder, backlog: StreamBacklog()))
    }

    private func writeHead(_ slot: Int, _ prepared: [UInt8], _ exchange: borrowing Exchange) {
        heads.write(prepared, ending(slot, exchange), at: loop.now, to: output)
    }

    private func ending(_ slot: Int, _ exchange: borrowing Exchange) -> HeadWriter.Ending {
        HeadWriter.Ending(
            identity: exchange.identity, isHTTP10: exchange.isHTTP10,
            closes: exchange.endsConnection || table[slot].state.isEnding)
    }

    // MARK: Content

    /// Sends a stretch of content behind the head that has been gathered.
    ///
    /// - Parameter owner: the resource the content belongs to, retained until all of it has been sent: the count of
    ///   bytes that slow clients hold in memory, and the sharing of bytes between answers, go by the resource.
    private func sendContent(
        _ slot: Int, _ content: Resource.Content, _ range: Range<Int>, of owner: Resource?,
        _ exchange: inout Exchange
    ) {
        guard exchange.method != .head, !range.isEmpty else {
            complete(slot, &exchange)
            return
        }
        exchange.sent = range.count
        switch content {
        case .bytes(let bytes):
            if range.count <= ServerLoop.gatherLimit {
                if output.count &+ range.count > ServerLoop.outputRoom { flush(slot) }
                guard table.isOpen(slot) else {
                    recordUnsent(&exchange)
                    return
                }
                if !table.hasOutput(slot) {
                    output.append(contentsOf: bytes[range])
                    complete(slot, &exchange)
                    return
                }
            }
            queueOutput(slot)
            activity(slot).output.append(.bytes(bytes, range, of: owner))
            sendRest(slot, &exchange)
        case .file(let file, let offset, _):
            sendFile(slot, file, offset: offset &+ range.lowerBound, count: range.count, &exchange)
        }
    }

    /// Sends the head with a promise that more follows, then the file, all within this turn if the client keeps up.
    private func sendFile(
        _ slot: Int, _ file: OpenFile, offset: Int, count: Int, _ exchange: inout Exchange
    ) {
        if !table.hasOutput(slot), sendOutput(slot, more: true) {
            let wanted = min(count, ServerLoop.sendTurn)
            switch table[slot].channel.sendFile(file.descriptor, offset: offset, count: wanted) {
            case .moved(count):
                complete(slot, &exchange)
                return
            case .moved(let moved):
                activity(slot).output.append(.file(file, offset: offset &+ moved, count: count &- moved))
            case .wouldBlock:
                activity(slot).output.append(.file(file, offset: offset, count: count))
            case .ended, .failed:
                exchange.sent = 0
                activity(slot).exchange = exchange
                abandon(slot)
                return
            }
        } else {
            guard table.isOpen(slot) else {
                recordUnsent(&exchange)
                return
            }
            queueOutput(slot)
            activity(slot).output.append(.file(file, offset: offset, count: count))
        }
        sendRest(slot, &exchange)
    }

    // MARK: Sending

    /// Sends the gathered output; the part the client does not take now is queued.
    func flush(_ slot: Int) {
        guard !output.isEmpty, table.isOpen(slot) else {
            output.removeAll()
            return
        }
        guard !table.hasOutput(slot) else {
            queueOutput(slot)
            return
        }
        if sendOutput(slot, more: false) { return }
        guard table.isOpen(slot) else { return }
        queueOutput(slot)
        signal(slot, .outputKept)
    }

    /// - Returns: whether all of it was sent. The rest is left in `output`.
    private func sendOutput(_ slot: Int, more: Bool) -> Bool {
        guard !output.isEmpty else { return true }
        switch output.send(through: table[slot].channel, more: more) {
        case .moved: return output.isEmpty
        case .wouldBlock: return false
        case .ended, .failed:
            output.removeAll()
            signal(slot, .failed)
            return false
        }
    }

    /// Moves the gathered output behind the queued one.
    private func queueOutput(_ slot: Int) {
        guard !output.isEmpty else { return }
        activity(slot).output.append(.bytes(output.take()))
    }

    /// Sends the queued rest of an answer that is known to its end.
    private func sendRest(_ slot: Int, _ exchange: inout Exchange) {
        activity(slot).exchange = exchange
        signal(slot, .answerQueued)
        sendQueued(slot)
    }

    /// Sends queued output from where the client's window was full.
    func sendQueued(_ slot: Int) {
        guard let activity = table[slot].activity else { return }
        var budget = ServerLoop.sendTurn
        while !activity.output.isEmpty {
            guard budget > 0 else {
                schedule(slot)
                return
            }
            switch activity.output.send(through: table[slot].channel, budget: budget) {
            case .moved(let count):
                budget &-= count
                table[slot].state.countMoved(count)
            case .wouldBlock:
                return
            case .ended, .failed:
                signal(slot, .failed)
                return
            }
        }
        activity.output.removeAll()
        if case .streaming? = activity.exchange?.stage {
            signal(slot, .streamDrained)
        } else {
            signal(slot, .outputDrained)
        }
    }

    // MARK: Finishing

    /// The answer has been given to the last byte: counts and logs it, and continues with what follows.
    private func complete(_ slot: Int, _ exchange: inout Exchange) {
        loop.refreshClock()
        record(exchange)
        exchange.stage = .given
        settle(slot, &exchange)
    }

    /// Finishes the exchange whose queued answer has been sent, and continues with requests that arrived meanwhile.
    func finishSentExchange(_ slot: Int) {
        if var exchange = takeExchange(slot) {
            if exchange.isGiven { settle(slot, &exchange) } else { complete(slot, &exchange) }
        } else {
            settle(slot, .answerFinished)
        }
        if table[slot].state.isReady { schedule(slot) }
    }

    /// Ends an exchange whose answer has been given, or keeps it until its body has been discarded.
    func settle(_ slot: Int, _ exchange: inout Exchange) {
        let ending = exchange.ending
        if ending == .answerFinishedBeforeBody { activity(slot).exchange = exchange }
        settle(slot, ending)
    }

    private func settle(_ slot: Int, _ ending: ConnectionState.Event) {
        if let activity = table[slot].activity, activity.isEmpty { table[slot].activity = nil }
        signal(slot, ending)
        if table.hasOutput(slot) { signal(slot, .outputKept) }
    }

    /// Sends the rest, ends the sending direction, and then discards bytes that still arrive until the client stops.
    ///
    /// Closing at once would answer bytes under way with a reset, which can destroy the answer before the client
    /// has read it (RFC 9112 §9.6).
    func finishSending(_ slot: Int) {
        flush(slot)
        guard table.isOpen(slot) else { return }
        if table.hasOutput(slot) {
            signal(slot, .answerQueued)
        } else {
            table[slot].activity = nil
            table[slot].channel.finishSending()
            signal(slot, .sendingFinished)
        }
    }

    /// The client turned out to be gone before the answer was on its way.
    private func recordUnsent(_ exchange: inout Exchange) {
        exchange.sent = 0
        record(exchange, isComplete: false)
    }
}
