internal import HTTPWire
internal import Sockets

extension ServerLoop {
    /// Finds the route of the head just parsed, asks it, and does what it says.
    func dispatch(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, hasMore: Bool) {
        let input = unsafe bytes.span
        counters.add(.begun)
        var facts = RequestFacts(
            start: loop.now, method: head.method, route: 0, identity: identity(input), isHTTP10: head.isHTTP10,
            client: table[slot].peer,
            received: head.byteCount)
        if !limits.trustedProxies.isEmpty {
            facts.client = ClientAddress.of(head, input, peer: facts.client, trusted: limits.trustedProxies)
        }
        setMark(slot, .closes, !head.keepsAlive || isDraining)

        let answer = unsafe find(slot, bytes, &facts)
        if case .receive(let receipt) = answer {
            receive(slot, receipt, &facts, input, hasMore: hasMore)
            return
        }
        if case .later = answer {
            exchange(slot).head = HeldHead(head: head, bytes: unsafe Array(bytes.prefix(head.byteCount)))
        }
        switch head.framing {
        case .none:
            deliver(slot, planned(answer, input), &facts)
        case .length(let length):
            if head.expectsContinue || length > limits.unwantedBody {
                // The client may be about to send all of it; the answer says that it need not.
                table[slot].marks.insert(.closes)
                deliver(slot, planned(answer, input), &facts)
            } else if answer.isRefusal {
                exchange(slot).body = .length(remaining: length)
                deliver(slot, planned(answer, input), &facts)
            } else {
                hold(slot, planned(answer, input), until: .length(remaining: length), facts)
            }
        case .chunked:
            guard !head.expectsContinue else {
                table[slot].marks.insert(.closes)
                deliver(slot, planned(answer, input), &facts)
                return
            }
            hold(slot, planned(answer, input), until: .chunked(ChunkedDecoder(), received: 0), facts)
        }
    }

    /// Keeps an answer back until an unwanted body has been read away: a request that turns out to be malformed or
    /// cut off must not be answered as if it were fine.
    private func hold(_ slot: Int, _ answer: PlannedAnswer, until body: BodyProgress, _ facts: RequestFacts) {
        let exchange = exchange(slot)
        exchange.heldAnswer = answer
        exchange.facts = facts
        exchange.body = body
        table[slot].phase = .discarding
        startRateWindow(slot)
    }

    func setMark(_ slot: Int, _ mark: Connection.Marks, _ isSet: Bool) {
        if isSet { table[slot].marks.insert(mark) } else { table[slot].marks.remove(mark) }
    }

    private func identity(_ input: Span<UInt8>) -> RequestIdentity {
        guard let given = head.value(.requestID), RequestID.isSane(input, given) else { return identities.next() }
        return .given(Array(input.text(in: given).utf8))
    }

    /// The answer of the route, or of the engine where there is none.
    private func find(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ facts: inout RequestFacts) -> Answer {
        let listener = Int(table[slot].listener)
        let application = shared.applications[listener]
        switch head.targetForm {
        case .asterisk: return .response(options(application.allMethods))
        case .authority: return .refused(.methodNotAllowed(allowed: application.allMethods))
        case .origin, .absolute: break
        }
        if let query = head.query, unsafe !Query.isWellFormed(bytes.span, query) {
            return .refused(.malformed(.percentEncoding))
        }
        let match: RouteTable.Match
        if head.pathIsEncoded {
            do throws(Malformation) {
                let decoded = try unsafe PercentDecoding.path(bytes.span, head.path)
                unsafe scratch.pointee.decodedPath = decoded
            } catch {
                return .refused(.malformed(error))
            }
            match = unsafe application.match(head.method, scratch.pointee.decodedPath.span)
        } else {
            match = unsafe application.match(head.method, bytes.span.extracting(head.path))
        }
        switch match {
        case .none: return .refused(.noRoute)
        case .wrongMethod(let allowed):
            return head.method == .options ? .response(options(allowed)) : .refused(.methodNotAllowed(allowed: allowed))
        case .route(let index, let parameters):
            facts.route = shared.firstRoutes[listener] &+ index
            let offset = head.pathIsEncoded ? 0 : head.path.lowerBound
            let request = unsafe Request(
                input: bytes, head: UnsafePointer(headRoom), scratch: UnsafePointer(scratch),
                parameters: parameters.shifted(by: offset),
                peer: table[slot].peer, identity: facts.identity)
            return application.routes[index].action(request)
        }
    }

    private func options(_ allowed: String) -> Response {
        Response(
            .noContent,
            fields: FieldBlock([
                "Allow": allowed, "Access-Control-Allow-Methods": allowed, "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Headers": "*, Authorization", "Access-Control-Max-Age": "86400",
            ]))
    }

    private func planned(_ answer: Answer, _ input: Span<UInt8>) -> PlannedAnswer {
        guard case .resource(let resource) = answer else { return .plain(answer) }
        return ServerLoop.planned(resource, head, input)
    }

    /// What of a resource is sent depends on the head it was asked for with.
    static func planned(
        _ resource: Resource, _ head: borrowing RequestHead, _ input: Span<UInt8>
    ) -> PlannedAnswer {
        var chosen = resource
        if let gzipped = resource.gzipped, let accepted = head.value(.acceptEncoding),
            Negotiation.admitsGzip(input, accepted)
        {
            chosen = gzipped
        }
        return .resource(chosen, ResourcePlan.make(chosen, head, input))
    }
}

/// An answer that can be given without the request's head.
enum PlannedAnswer {
    case plain(Answer)
    case resource(Resource, ResourcePlan)
}
