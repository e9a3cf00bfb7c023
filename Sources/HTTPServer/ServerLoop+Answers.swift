internal import HTTPWire
internal import Logging
internal import Sockets

extension ServerLoop {
    /// Puts an answer together and sends what can be sent at once.
    func deliver(_ slot: Int, _ planned: PlannedAnswer, _ facts: inout RequestFacts) {
        switch planned {
        case .resource(let resource, let plan): deliver(slot, resource, plan, &facts)
        case .plain(.resource(let resource)): deliver(slot, resource, .whole, &facts)
        case .plain(.response(let response)): deliver(slot, response, &facts)
        case .plain(.problem(let problem)): deliver(slot, problem, &facts)
        case .plain(.refused(let refusal)): deliver(slot, problem(refusal), &facts)
        case .plain(.failed(let reason)):
            var problem = problem(.internalFailure)
            problem.reason = reason
            deliver(slot, problem, &facts)
        // A body is wanted by a route that was asked only for an answer: it has had its body.
        case .plain(.receive): deliver(slot, problem(.malformed(.incomplete)), &facts)
        case .plain(.later(let start)):
            let responder = wait(slot, facts)
            start(responder)
        }
    }

    /// Answers what could not be read as a request: there is no head, no route, and no next request.
    func refuseUnparsed(_ slot: Int, _ refusal: Refusal) {
        counters.add(.begun)
        var facts = RequestFacts(
            start: loop.now, method: .other, route: 0, identity: identities.next(), isHTTP10: false,
            client: table[slot].peer)
        table[slot].marks.insert(.closes)
        table[slot].exchange?.body = nil
        deliver(slot, .plain(.refused(refusal)), &facts)
    }

    func problem(_ refusal: Refusal) -> Problem {
        var problem = shared.explain(refusal)
        if case .methodNotAllowed(let allowed) = refusal { problem.fields.add("Allow", allowed) }
        if case .rangeUnsatisfiable(let size) = refusal { problem.fields.add("Content-Range", "bytes */\(size)") }
        return problem
    }

    private func deliver(_ slot: Int, _ problem: Problem, _ facts: inout RequestFacts) {
        counters.countRefusal(problem.code)
        if let reason = problem.reason {
            shared.logger.log(
                .error, "request.failed", "", [LogField("request", facts.identity.text), LogField("reason", reason)])
        }
        deliver(slot, problem.response(instance: facts.identity.text), &facts)
    }

    // MARK: Resources

    private func deliver(_ slot: Int, _ resource: Resource, _ plan: ResourcePlan, _ facts: inout RequestFacts) {
        switch plan {
        case .whole:
            facts.status = .ok
            appendHead(slot, resource.wholeHead, facts)
            send(slot, resource.content, 0..<resource.content.count, of: resource, &facts)
        case .notModified:
            facts.status = .notModified
            appendHead(slot, resource.notModifiedHead, facts)
            complete(slot, &facts)
        case .part(let range):
            facts.status = .partialContent
            var fields = FieldBlock()
            fields.add("Content-Type", resource.mediaType)
            fields.add("Content-Length", range.count)
            fields.add("Content-Range", ContentRange.text(range, size: resource.content.count))
            appendHead(slot, StatusLine.bytes(.partialContent) + fields.bytes + resource.partialFields, facts)
            send(slot, resource.content, range, of: resource, &facts)
        case .parts(let ranges):
            deliverParts(slot, resource, ranges, &facts)
        case .refused(let refusal):
            deliver(slot, problem(refusal), &facts)
        }
    }

    private func deliverParts(_ slot: Int, _ resource: Resource, _ ranges: [Range<Int>], _ facts: inout RequestFacts) {
        facts.status = .partialContent
        facts.sent = ranges.reduce(0) { $0 &+ $1.count }
        let parts = MultipartRanges(
            ranges, size: resource.content.count, mediaType: resource.mediaType, boundary: identities.next().text)
        var fields = FieldBlock()
        fields.add("Content-Type", "multipart/byteranges; boundary=\(parts.boundary)")
        fields.add("Content-Length", parts.byteCount)
        appendHead(slot, StatusLine.bytes(.partialContent) + fields.bytes + resource.partialFields, facts)
        let exchange = exchange(slot)
        takeOutput(slot)
        for (range, head) in zip(ranges, parts.partHeads) {
            exchange.append(.bytes(head))
            switch resource.content {
            case .bytes(let bytes): exchange.append(.bytes(bytes, range, of: resource))
            case .file(let file, let offset, _):
                exchange.append(.file(file, offset: offset &+ range.lowerBound, count: range.count))
            }
        }
        exchange.append(.bytes(parts.end))
        beginSending(slot, &facts)
    }

    // MARK: Responses

    private func deliver(_ slot: Int, _ response: Response, _ facts: inout RequestFacts) {
        facts.status = response.status
        switch response.body {
        case .bytes(let bytes):
            appendResponseHead(
                response, identity: facts.identity, closes: table[slot].marks.contains(.closes),
                isHTTP10: facts.isHTTP10)
            guard !response.status.isBodiless else {
                complete(slot, &facts)
                return
            }
            send(slot, .bytes(bytes), 0..<bytes.count, of: nil, &facts)
        case .stream(let source):
            beginStream(slot, response, source, &facts)
        }
    }

    // MARK: Heads

    /// A prepared head, ended by the lines that differ from answer to answer.
    func appendHead(_ slot: Int, _ head: [UInt8], _ facts: borrowing RequestFacts) {
        output.append(contentsOf: head)
        appendCommonLines(
            facts.identity, closes: table[slot].marks.contains(.closes), isHTTP10: facts.isHTTP10)
    }

    func appendResponseHead(_ response: Response, identity: RequestIdentity, closes: Bool, isHTTP10: Bool) {
        output.append(contentsOf: StatusLine.bytes(response.status))
        output.append(contentsOf: response.fields.bytes)
        if case .bytes(let bytes) = response.body, !response.status.isBodiless {
            output.append(contentsOf: FieldBlock(["Content-Length": String(bytes.count)]).bytes)
        }
        appendCommonLines(identity, closes: closes, isHTTP10: isHTTP10)
    }

    private static let closeLines = Array("\r\nConnection: close\r\n\r\n".utf8)
    private static let keepAliveLines = Array("\r\nConnection: keep-alive\r\n\r\n".utf8)
    private static let plainEnd = Array("\r\n\r\n".utf8)

    private func appendCommonLines(_ identity: RequestIdentity, closes: Bool, isHTTP10: Bool) {
        if loop.now >= dateLine.staleAt { dateLine = DateLine(now: loop.now, serverName: shared.serverName) }
        output.append(contentsOf: dateLine.bytes)
        identity.append(to: output)
        if closes {
            output.append(contentsOf: ServerLoop.closeLines)
        } else if isHTTP10 {
            output.append(contentsOf: ServerLoop.keepAliveLines)
        } else {
            output.append(contentsOf: ServerLoop.plainEnd)
        }
    }
}
