internal import HTTPWire

extension ServerLoop {
    /// Sends the head of a streamed answer and hands its writing end to the source.
    func beginStream(_ slot: Int, _ response: Response, _ source: any StreamSource, _ facts: inout RequestFacts) {
        var fields = response.fields
        // HTTP/1.0 knows no chunks; there, the end of the connection is the end of the answer.
        let isChunked = !facts.isHTTP10
        if isChunked { fields.add("Transfer-Encoding", "chunked") } else { table[slot].marks.insert(.closes) }
        output.append(contentsOf: StatusLine.bytes(response.status))
        appendHead(slot, fields.bytes, facts)
        guard facts.method != .head else {
            source.stop()
            complete(slot, &facts)
            return
        }
        let responder = wait(slot, facts)
        exchange(slot).stream = StreamState(source: source, isChunked: isChunked)
        let token = table.token(slot)
        flush(slot)
        guard table.slot(token) != nil else { return }
        source.begin(ResponseStream(responder: responder, backlog: StreamBacklog()))
    }

    func writeStream(_ token: UInt64, _ sequence: UInt64, _ bytes: [UInt8], _ backlog: StreamBacklog) {
        guard let (slot, exchange) = underWay(token, sequence), let stream = exchange.stream else { return }
        var piece = bytes
        if stream.isChunked {
            piece = Array(String(bytes.count, radix: 16).utf8) + [0x0D, 0x0A] + bytes + [0x0D, 0x0A]
        }
        exchange.facts?.sent += bytes.count
        exchange.append(.piece(piece, 0..<piece.count, backlog, weight: bytes.count))
        sendStream(slot)
    }

    func endStream(_ token: UInt64, _ sequence: UInt64) {
        guard let (slot, exchange) = underWay(token, sequence), let stream = exchange.stream else { return }
        exchange.stream = nil
        exchange.sequence = 0
        if stream.isChunked { exchange.append(.bytes(Array("0\r\n\r\n".utf8))) }
        sendStream(slot)
    }

    private func sendStream(_ slot: Int) {
        if table[slot].phase == .waiting {
            table[slot].phase = .sending
            startRateWindow(slot)
        }
        resumeOutput(slot)
    }

    /// Ends every stream, so that a server that is about to stop does not wait for clients that never would.
    func endStreams() {
        for slot in 0..<table.highWater {
            guard table[slot].phase != .free, let exchange = table[slot].exchange, let stream = exchange.stream else {
                continue
            }
            stream.source.stop()
            table[slot].marks.insert(.closes)
            endStream(table.token(slot), exchange.sequence)
        }
    }
}
