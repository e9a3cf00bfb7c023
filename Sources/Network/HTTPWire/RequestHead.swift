/// A request's head as positions in the bytes it was parsed from.
///
/// One value serves a whole event loop: parsing fills it anew and allocates nothing. It is meaningful
/// only beside the bytes it was filled from.
package struct RequestHead: Sendable {
    package struct Field: Sendable {
        package var name: Range<Int>
        package var value: Range<Int>
        package var known: KnownField?
    }

    /// The form of the request target (RFC 9112 §3.2).
    package enum TargetForm: Sendable { case origin, absolute, authority, asterisk }

    package internal(set) var method: Method = .other
    package internal(set) var methodName: Range<Int> = 0..<0
    package internal(set) var targetForm: TargetForm = .origin
    /// Empty for `*`, and for an absolute target without a path, which means the root.
    package internal(set) var path: Range<Int> = 0..<0
    package internal(set) var query: Range<Int>?
    /// True if the path has to be decoded before it is compared.
    package internal(set) var pathIsEncoded = false
    /// The minor version: 0 means HTTP/1.0, everything else is treated as HTTP/1.1.
    package internal(set) var minorVersion: UInt8 = 1
    package internal(set) var fields: [Field] = []
    package internal(set) var framing: BodyFraming = .none
    /// True if the client leaves the connection open for another request.
    package internal(set) var keepsAlive = true
    package internal(set) var expectsContinue = false
    /// The number of bytes of the head, its empty line included.
    package internal(set) var byteCount = 0

    /// One bit for each known name that there is a field of.
    private var present: UInt32 = 0

    package init() {
        fields.reserveCapacity(128)
    }

    package var isHTTP10: Bool { minorVersion == 0 }

    /// The value of a field: the first, where a client sent several.
    package func value(_ field: KnownField) -> Range<Int>? {
        guard has(field) else { return nil }
        for index in fields.indices where fields[index].known == field { return fields[index].value }
        return nil
    }

    package func has(_ field: KnownField) -> Bool {
        present & field.bit != 0
    }

    /// The indices of `fields` at which a field's lines can be; empty if the head lacks the field.
    package func candidates(_ field: KnownField) -> Range<Int> {
        has(field) ? 0..<fields.count : 0..<0
    }

    package func isRepeated(_ field: KnownField) -> Bool {
        has(field) && fields.count { $0.known == field } > 1
    }

    /// Forgets everything: what a refused head leaves here must not look like the request before it.
    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        present = 0
        method = .other
        methodName = 0..<0
        targetForm = .origin
        path = 0..<0
        query = nil
        pathIsEncoded = false
        minorVersion = 1
        framing = .none
        keepsAlive = true
        expectsContinue = false
        byteCount = 0
    }

    @inline(__always)
    mutating func append(_ field: Field) -> Malformation? {
        if let known = field.known {
            if has(known), known.mustBeAlone { return .repeatedField }
            present |= known.bit
        }
        fields.append(field)
        return nil
    }
}

/// The delimitation of the bytes after a head (RFC 9112 §6). Every head has exactly one.
package enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
}

/// The bounds of a request's head.
package struct HeadLimits: Equatable, Sendable {
    package var requestLine: Int
    package var field: Int
    package var fields: Int
    package var fieldCount: Int

    package init(requestLine: Int = 8_192, field: Int = 8_192, fields: Int = 32_768, fieldCount: Int = 100) {
        self.requestLine = requestLine
        self.field = field
        self.fields = fields
        self.fieldCount = fieldCount
    }

    /// The most bytes a head within these bounds can take, line ends included.
    package var total: Int { requestLine + fields + 4 }
}

/// A request method. Methods are case-sensitive (RFC 9110 §9.1); those without a meaning here are `other`.
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, delete, options, patch, connect, trace, other

    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .connect: "CONNECT"
        case .trace: "TRACE"
        case .other: "other"
        }
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self =
            switch range.count {
            case 3 where bytes.isExactly("GET", in: range): .get
            case 3 where bytes.isExactly("PUT", in: range): .put
            case 4 where bytes.isExactly("HEAD", in: range): .head
            case 4 where bytes.isExactly("POST", in: range): .post
            case 5 where bytes.isExactly("PATCH", in: range): .patch
            case 5 where bytes.isExactly("TRACE", in: range): .trace
            case 6 where bytes.isExactly("DELETE", in: range): .delete
            case 7 where bytes.isExactly("OPTIONS", in: range): .options
            case 7 where bytes.isExactly("CONNECT", in: range): .connect
            default: .other
            }
    }
}
