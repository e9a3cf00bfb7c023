/// The header fields this server reads. Every other field is checked for its form and then left alone.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case host, connection, contentLength, transferEncoding, expect
    case ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, ifRange, range
    case accept, acceptEncoding, contentType, contentEncoding, contentDigest, reprDigest
    case authorization, requestID, userAgent, lastEventID
    case forwarded, xForwardedFor
    case origin, secFetchSite, secFetchDest, referer
    case cookie, xForwardedProto

    /// This field's place in a set of at most 32.
    @inline(__always)
    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// A second line of these would leave two answers to the question who or how much is meant.
    var mustBeAlone: Bool {
        switch self {
        case .host, .contentLength, .authorization, .contentType, .range, .ifRange, .origin: true
        default: false
        }
    }

    /// Which field a name is, in any case; found by length first, since almost no two share it.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var found: KnownField?
        switch range.count {
        case 4: found = bytes.spells("host", in: range) ? .host : nil
        case 5: found = bytes.spells("range", in: range) ? .range : nil
        case 6:
            if bytes.spells("accept", in: range) {
                found = .accept
            } else if bytes.spells("expect", in: range) {
                found = .expect
            } else if bytes.spells("origin", in: range) {
                found = .origin
            } else if bytes.spells("cookie", in: range) {
                found = .cookie
            }
        case 7: found = bytes.spells("referer", in: range) ? .referer : nil
        case 8:
            if bytes.spells("if-match", in: range) {
                found = .ifMatch
            } else if bytes.spells("if-range", in: range) {
                found = .ifRange
            }
        case 9: found = bytes.spells("forwarded", in: range) ? .forwarded : nil
        case 10:
            if bytes.spells("connection", in: range) {
                found = .connection
            } else if bytes.spells("user-agent", in: range) {
                found = .userAgent
            } else if bytes.spells("request-id", in: range) {
                found = .requestID
            }
        case 11: found = bytes.spells("repr-digest", in: range) ? .reprDigest : nil
        case 12: found = bytes.spells("content-type", in: range) ? .contentType : nil
        case 13:
            if bytes.spells("if-none-match", in: range) {
                found = .ifNoneMatch
            } else if bytes.spells("authorization", in: range) {
                found = .authorization
            } else if bytes.spells("last-event-id", in: range) {
                found = .lastEventID
            }
        case 14:
            if bytes.spells("content-length", in: range) {
                found = .contentLength
            } else if bytes.spells("content-digest", in: range) {
                found = .contentDigest
            } else if bytes.spells("sec-fetch-site", in: range) {
                found = .secFetchSite
            } else if bytes.spells("sec-fetch-dest", in: range) {
                found = .secFetchDest
            }
        case 15:
            if bytes.spells("accept-encoding", in: range) {
                found = .acceptEncoding
            } else if bytes.spells("x-forwarded-for", in: range) {
                found = .xForwardedFor
            }
        case 16: found = bytes.spells("content-encoding", in: range) ? .contentEncoding : nil
        case 17:
            if bytes.spells("if-modified-since", in: range) {
                found = .ifModifiedSince
            } else if bytes.spells("transfer-encoding", in: range) {
                found = .transferEncoding
            } else if bytes.spells("x-forwarded-proto", in: range) {
                found = .xForwardedProto
            }
        case 19: found = bytes.spells("if-unmodified-since", in: range) ? .ifUnmodifiedSince : nil
        default: break
        }
        guard let found else { return nil }
        self = found
    }
}

/// Header lines ready to be sent.
///
/// Names are literals of this package; values are checked, so that no text can end its line and begin another.
package struct FieldBlock: Equatable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ fields: KeyValuePairs<StaticString, String>) {
        for (name, value) in fields { add(name, value) }
    }

    /// Adds a line. A control character in the value becomes a space, anything outside ASCII a question mark.
    package mutating func add(_ name: StaticString, _ value: String) {
        // A static string's bytes live as long as the program.
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        for byte in value.utf8 {
            if byte >= 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                bytes.append(byte < 0x80 ? 0x20 : UInt8(ascii: "?"))
            }
        }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    package mutating func add(_ name: StaticString, _ value: Int) {
        add(name, String(value))
    }

    package mutating func add(_ other: FieldBlock) {
        bytes.append(contentsOf: other.bytes)
    }

    /// The value of the first line of a name, as it is written here.
    package func value(_ name: StaticString) -> String? {
        let start = Array("\(name): ".utf8)
        for line in bytes.split(separator: 0x0D) {
            let text = line.first == 0x0A ? line.dropFirst() : line
            if text.starts(with: start) { return String(decoding: text.dropFirst(start.count), as: UTF8.self) }
        }
        return nil
    }

    /// The lines without those of one name, as they are written here.
    package func without(_ name: StaticString) -> FieldBlock {
        var result = FieldBlock()
        let start = Array("\(name): ".utf8)
        for line in bytes.split(separator: 0x0A) where !line.starts(with: start) {
            result.bytes.append(contentsOf: line)
            result.bytes.append(0x0A)
        }
        return result
    }

    /// The lines with a text inserted before the slash of each address of the same server.
    ///
    /// - Parameter starts: beginnings of lines, up to the slash. Two slashes begin the address of another server.
    package func inserting(_ text: String, behind starts: [String]) -> FieldBlock {
        var result = FieldBlock()
        for line in bytes.split(separator: 0x0A) {
            let start = starts.first { line.starts(with: $0.utf8) && line.dropFirst($0.utf8.count).first != 0x2F }
            let split = line.startIndex + (start.map { $0.utf8.count - 1 } ?? line.count)
            result.bytes.append(contentsOf: line[..<split])
            if start != nil { result.bytes.append(contentsOf: text.utf8) }
            result.bytes.append(contentsOf: line[split...])
            result.bytes.append(0x0A)
        }
        return result
    }
}

/// The first line of an answer.
package enum StatusLine {
    package static func bytes(_ status: Status) -> [UInt8] {
        Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
    }
}
