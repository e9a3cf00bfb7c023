/// Decides, from a whole head, how its body is framed and what becomes of the connection.
///
/// RFC 9112 §6.3 lets a server repair some contradictions. This one does not: a message that two
/// parsers could frame in two ways is refused.
enum FramingRules {
    static func apply(to head: inout RequestHead, _ bytes: Span<UInt8>) throws(RequestHeadParser.Interruption) {
        try checkHost(head, bytes)
        head.framing = try framing(head, bytes)
        head.keepsAlive = keepsAlive(head, bytes)
        head.expectsContinue = try expectsContinue(head, bytes)
    }

    /// RFC 9112 §3.2: one Host in HTTP/1.1, at most one in HTTP/1.0, and a valid one in both.
    private static func checkHost(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) throws(RequestHeadParser
        .Interruption)
    {
        guard let host = head.value(.host) else {
            guard head.isHTTP10 else { throw .malformed(.missingHost) }
            return
        }
        guard Authority.isValid(bytes, host, requiresPort: false) else { throw .malformed(.host) }
    }

    private static func framing(
        _ head: borrowing RequestHead, _ bytes: Span<UInt8>
    ) throws(RequestHeadParser.Interruption) -> BodyFraming {
        if head.has(.transferEncoding) {
            // RFC 9112 §6.1: both together is the signature of a smuggling attempt.
            guard !head.has(.contentLength) else { throw .malformed(.lengthAndCoding) }
            guard !head.isHTTP10 else { throw .malformed(.codingInOldVersion) }
            return try transferCoding(head, bytes)
        }
        guard let value = head.value(.contentLength) else { return .none }
        guard let length = decimal(bytes, value) else { throw .malformed(.contentLength) }
        return length == 0 ? .none : .length(length)
    }

    private static func transferCoding(
        _ head: borrowing RequestHead, _ bytes: Span<UInt8>
    ) throws(RequestHeadParser.Interruption) -> BodyFraming {
        var chunkedCount = 0
        var isLast = false
        var isUnknown = false
        for index in head.candidates(.transferEncoding) where head.fields[index].known == .transferEncoding {
            let value = head.fields[index].value
            var start = value.lowerBound
            while start <= value.upperBound {
                var end = start
                while end < value.upperBound, bytes[end] != UInt8(ascii: ",") { end &+= 1 }
                let coding = bytes.trimmed(start..<end)
                guard isCoding(bytes, coding) else { throw .malformed(.transferCoding) }
                isLast = bytes.spells("chunked", in: coding)
                if isLast { chunkedCount &+= 1 } else { isUnknown = true }
                start = end &+ 1
            }
        }
        // A coding this server does not know is 501 (RFC 9112 §6.1), unless the order alone is already wrong.
        guard chunkedCount <= 1, isLast || chunkedCount == 0 else { throw .malformed(.transferCoding) }
        guard !isUnknown else { throw .refused(.unsupportedTransferCoding) }
        return .chunked
    }

    /// True if a list member is a bare token.
    ///
    /// RFC 9110 §5.6.1 lets a list have empty members, and §10.1.4 lets a coding have parameters, though
    /// chunked takes none (RFC 9112 §7.1). Clients need neither here, and parsers disagree about both.
    private static func isCoding(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        !range.isEmpty && range.allSatisfy { ByteClass.isToken(bytes[$0]) }
    }

    /// Digits and nothing else, within what an `Int` holds.
    private static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var value = 0
        for index in range {
            guard ByteClass.isDigit(bytes[index]) else { return nil }
            let (tens, didOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, didOverflowAgain) = tens.addingReportingOverflow(Int(bytes[index] &- 0x30))
            guard !didOverflow, !didOverflowAgain else { return nil }
            value = sum
        }
        return value
    }

    /// RFC 9112 §9.3.
    private static func keepsAlive(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard head.has(.connection) else { return !head.isHTTP10 }
        var closes = false
        var stays = false
        for index in head.candidates(.connection) where head.fields[index].known == .connection {
            // Connection options are tokens; quotes mean nothing here.
            var options = ListCursor(head.fields[index].value, quoting: .none)
            while let option = options.next(in: bytes) {
                closes = closes || bytes.spells("close", in: option)
                stays = stays || bytes.spells("keep-alive", in: option)
            }
        }
        return !closes && (stays || !head.isHTTP10)
    }

    /// RFC 9110 §10.1.1: known only in HTTP/1.1, and only as `100-continue`.
    private static func expectsContinue(
        _ head: borrowing RequestHead, _ bytes: Span<UInt8>
    ) throws(RequestHeadParser.Interruption) -> Bool {
        guard head.has(.expect), !head.isHTTP10 else { return false }
        for index in head.candidates(.expect) where head.fields[index].known == .expect {
            guard bytes.spells("100-continue", in: head.fields[index].value) else {
                throw .refused(.unsupportedExpectation)
            }
        }
        return head.framing != .none
    }
}
