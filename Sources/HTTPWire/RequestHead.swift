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

    /// What the request target looked like (RFC 9112 §3.2).
    package enum TargetForm: Sendable { case origin, absolute, authority, asterisk }

    package internal(set) var method: Method = .other
    package internal(set) var methodName: Range<Int> = 0..<0
    package internal(set) var targetForm: TargetForm = .origin
    /// Empty for `*`, and for an absolute target without a path, which means the root.
    package internal(set) var path: Range<Int> = 0..<0
    package internal(set) var query: Range<Int>?
    /// Whether the path has to be decoded before it is looked at.
    package internal(set) var pathIsEncoded = false
    /// The minor version: 0 means HTTP/1.0, everything else is treated as HTTP/1.1.
    package internal(set) var minorVersion: UInt8 = 1
    package internal(set) var fields: [Field] = []
    package internal(set) var framing: BodyFraming = .none
    /// Whether the client leaves the connection open for another request.
    package internal(set) var keepsAlive = true
    package internal(set) var expectsContinue = false
    /// How many bytes the head took, its empty line included.
    package internal(set) var byteCount = 0

    /// The first field of each known name, as a position in `fields`; negative where there is none.
    var firstKnown = [Int32](repeating: -1, count: KnownField.allCases.count)

    package init() {
        fields.reserveCapacity(128)
    }

    package var isHTTP10: Bool { minorVersion == 0 }

    /// The value of a field: the first, where a client sent several.
    package func value(_ field: KnownField) -> Range<Int>? {
        let index = firstKnown[Int(field.rawValue)]
        return index < 0 ? nil : fields[Int(index)].value
    }

    package func has(_ field: KnownField) -> Bool {
        firstKnown[Int(field.rawValue)] >= 0
    }

    /// Where a field's lines can be in `fields`: from its first line on, or nowhere.
    package func candidates(_ field: KnownField) -> Range<Int> {
        let index = Int(firstKnown[Int(field.rawValue)])
        return index < 0 ? 0..<0 : index..<fields.count
    }

    package func isRepeated(_ field: KnownField) -> Bool {
        candidates(field).dropFirst().contains { fields[$0].known == field }
    }

    /// Forgets everything: what a refused head leaves here must not look like the request before it.
    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        for index in firstKnown.indices { firstKnown[index] = -1 }
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

    mutating func append(_ field: Field) -> Malformation? {
        if let known = field.known {
            let slot = Int(known.rawValue)
            if firstKnown[slot] < 0 {
                firstKnown[slot] = Int32(truncatingIfNeeded: fields.count)
            } else if known.mustBeAlone {
                return .repeatedField
            }
        }
        fields.append(field)
        return nil
    }
}

/// How the bytes after a head are delimited (RFC 9112 §6). There is always exactly one answer.
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
