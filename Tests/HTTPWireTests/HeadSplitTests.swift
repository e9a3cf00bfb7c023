import HTTPWire
import Testing

/// Goal: however a head's bytes arrive, it is read the same. Method: every prefix and every pair of
/// prefixes of every row of the tables goes through one head value before the whole does.
@Suite struct `A head that arrives in pieces` {
    @Test(arguments: HeadCase.accepted)
    func `is incomplete at every prefix, then the same`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        var head = RequestHead()
        for count in 0..<whole.byteCount {
            let prefix = Array(row.bytes[..<count])
            let outcome = RequestHeadParser.parse(prefix.span, into: &head, limits: HeadLimits())
            #expect(outcome == .incomplete)
        }
        let outcome = RequestHeadParser.parse(row.bytes.span, into: &head, limits: HeadLimits())
        #expect(outcome == .complete)
        #expect(head.account == whole.account)
    }

    @Test(arguments: HeadCase.accepted)
    func `is the same cut at any position, and at any two where it is short`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        let prefixes = (0...row.bytes.count).map { Array(row.bytes[..<$0]) }
        let lasts = row.bytes.count <= 60 ? prefixes : [row.bytes]
        for first in prefixes {
            for second in lasts where second.count >= first.count {
                var head = RequestHead()
                for bytes in [first, second, row.bytes] {
                    let outcome = RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits())
                    guard outcome == (bytes.count < whole.byteCount ? .incomplete : .complete) else {
                        Issue.record("\(outcome) after \(bytes.count) bytes, first cut at \(first.count)")
                        return
                    }
                }
                guard head.isSame(as: whole) else {
                    Issue.record("another head, cut at \(first.count) and \(second.count)")
                    return
                }
            }
        }
    }

    @Test(arguments: HeadCase.accepted)
    func `is the same whatever comes after it`(row: HeadCase) {
        let whole = parsed(row.bytes).1
        for rest in ["\0", "\r\n", "\n", " ", "X: y\r\n\r\n", request("GET / HTTP/1.1")] {
            let (outcome, head) = parsed(row.bytes + rest.latin1)
            #expect(outcome == .complete && head.account == whole.account)
        }
    }

    @Test(arguments: HeadCase.refused)
    func `stays refused for the same reason once it is`(row: HeadCase) {
        var isRefused = false
        for count in 0...row.bytes.count {
            let outcome = parsed(Array(row.bytes[..<count])).0
            guard outcome != .complete, !isRefused || outcome == row.outcome else {
                Issue.record("\(outcome) after \(count) bytes")
                return
            }
            isRefused = isRefused || outcome == row.outcome
        }
        #expect(isRefused)
        for rest in ["\0", "\r\n\r\n", "\n\n", " ", "chunked\r\n\r\n", request("GET / HTTP/1.1")] {
            #expect(parsed(row.bytes + rest.latin1).0 == row.outcome)
        }
    }
}
