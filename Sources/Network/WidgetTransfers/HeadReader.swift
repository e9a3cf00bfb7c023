internal import CWidgetCurl

/// Puts an answer's header lines together, strictly and within bounds. It sees every line of an answer: interim
/// blocks, the head, trailers.
package struct HeadReader: Sendable {
    package enum Outcome: Equatable {
        /// More lines belong to it, or the line is of no concern.
        case none
        case head(status: Int, fields: [TransferField])
    }

    package enum Mistake: Error, Equatable {
        case malformed(String)
        case limit(TransferError.Limit, Int)

        package var reason: TransferError.Reason {
            switch self {
            case .malformed(let what): .malformedAnswer(what)
            case .limit(let limit, let number): .limitReached(limit, number)
            }
        }
    }

    private enum Place { case beforeStatus, fields, afterHead }

    private let byteLimit: Int
    private let fieldLimit: Int
    private var place = Place.beforeStatus
    private var byteCount = 0
    private var fieldCount = 0
    private var status = 0
    private var fields: [TransferField] = []

    package init(byteLimit: Int, fieldLimit: Int) {
        self.byteLimit = byteLimit
        self.fieldLimit = fieldLimit
    }

    /// True if the head has been read.
    package var isComplete: Bool { place == .afterHead }

    /// Takes one line with its end.
    package mutating func read(_ line: Span<UInt8>) throws(Mistake) -> Outcome {
        byteCount += line.count
        guard byteCount <= byteLimit else { throw .limit(.head, byteLimit) }
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        let line = line.extracting(0..<end)
        switch place {
        case .beforeStatus:
            status = try HeadReader.status(line)
            place = .fields
        case .fields where line.isEmpty:
            return try finishBlock()
        case .fields, .afterHead:
            guard !line.isEmpty else { break }
            fieldCount += 1
            guard fieldCount <= fieldLimit else { throw .limit(.fields, fieldLimit) }
            // Trailers are checked and counted, but not kept.
            let field = try HeadReader.field(line)
            if place == .fields { fields.append(field) }
        }
        return .none
    }

    private mutating func finishBlock() throws(Mistake) -> Outcome {
        defer { fields = [] }
        guard status >= 200 else {
            guard status != 101 else { throw .malformed("another protocol was not asked for") }
            place = .beforeStatus
            return .none
        }
        place = .afterHead
        let lengths = fields.filter { $0.name.hasSameLetters(as: "Content-Length") }.map(\.value)
        guard Set(lengths).count <= 1, lengths.allSatisfy({ TransferHead.wholeNumber($0) != nil }) else {
            throw .malformed("its length is contradictory")
        }
        // No coding was asked for, and where a message with another one ends is not known (RFC 9112 §6.3).
        let codings = fields.filter { $0.name.hasSameLetters(as: "Transfer-Encoding") }
        guard codings.isEmpty || codings.count == 1 && codings[0].value.hasSameLetters(as: "chunked") else {
            throw .malformed("its transfer coding is not chunked")
        }
        return .head(status: status, fields: fields)
    }

    /// `HTTP/1.1 200 OK`
    private static func status(_ line: Span<UInt8>) throws(Mistake) -> Int {
        guard line.count >= 12, (0..<5).allSatisfy({ line[$0] == Array("HTTP/".utf8)[$0] }), line[8] == 0x20 else {
            throw .malformed("the status line is missing")
        }
        var status = 0
        for index in 9..<12 {
            guard (0x30...0x39).contains(line[index]) else { throw .malformed("the status line has no status") }
            status = status * 10 + Int(line[index] - 0x30)
        }
        guard status >= 100, line.count == 12 || line[12] == 0x20 else {
            throw .malformed("the status line has no status")
        }
        return status
    }

    private static func field(_ line: Span<UInt8>) throws(Mistake) -> TransferField {
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        let name = line.extracting(0..<colon)
        guard colon < line.count, colon > 0, name.isToken else { throw .malformed("a header line has no name") }
        var start = colon + 1
        var end = line.count
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        let value = line.extracting(start..<end)
        guard value.isFieldValue else { throw .malformed("a header field holds a control character") }
        return TransferField(name.text, value.text)
    }
}

extension Span<UInt8> {
    /// True if the bytes can be the name of a header field (RFC 9110 §5.6.2).
    var isToken: Bool {
        for index in indices {
            switch self[index] {
            case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: break
            default: return false
            }
        }
        return !isEmpty
    }

    var isFieldValue: Bool {
        for index in indices where self[index] < 0x20 && self[index] != 0x09 || self[index] == 0x7F { return false }
        return true
    }

    fileprivate var text: String {
        String(decoding: indices.map { self[$0] }, as: UTF8.self)
    }
}

/// Dates as header fields have them.
package enum HTTPDateText {
    /// Seconds since 1970; `nil` if the text is not a date.
    package static func seconds(_ text: String) -> Int64? {
        // Dates have three forms, none of them longer; libcurl reads many more.
        guard text.utf8.count <= 40, text.utf8.first.map({ $0 >= 0x41 }) ?? false else { return nil }
        let seconds = unsafe curl_getdate(text, nil)
        return seconds < 0 ? nil : Int64(seconds)
    }
}
