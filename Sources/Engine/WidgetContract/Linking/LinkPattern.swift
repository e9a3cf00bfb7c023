internal import WidgetBytes
package import WidgetPredicates

/// An address with named parts, such as `acme://events/{id:integer}?tab={tab}`: it writes addresses, and reads them.
///
/// A part is a whole segment of the path, or the value of a query parameter. Its type is `text`, `integer`, `number` or
/// `boolean`; without one it is `text`.
package struct LinkPattern: Equatable, Sendable, CustomStringConvertible {
    package enum PartType: String, CaseIterable, Sendable { case text, integer, number, boolean }

    package struct Part: Equatable, Sendable {
        package var name: String
        package var type: PartType
    }

    enum Piece: Equatable, Sendable {
        case literal(String)
        case part(Part)
    }

    package let description: String
    /// In lower case.
    package let scheme: String
    let path: [Piece]
    /// Each parameter with its value, in order.
    let query: [(name: String, value: Piece)]

    package static let byteCount = 1_024
    package static let partCount = 32
    /// Bytes of an address that is read or written.
    package static let addressByteCount = 8 << 10

    package static func == (left: LinkPattern, right: LinkPattern) -> Bool {
        left.description.hasBytes(of: right.description)
    }

    /// The parts, in the order of the address.
    package var parts: [Part] {
        (path + query.map { $0.value }).compactMap { if case .part(let part) = $0 { part } else { nil } }
    }

    package init(_ text: String) throws(LinkError) {
        guard text.utf8.count <= LinkPattern.byteCount else {
            throw .badPattern("it is longer than \(LinkPattern.byteCount) bytes")
        }
        let address = try AddressPieces(text)
        description = text
        scheme = address.scheme
        var path: [Piece] = []
        for segment in address.segments { path.append(try LinkPattern.piece(segment)) }
        var query: [(name: String, value: Piece)] = []
        for (name, value) in address.query {
            guard !name.isEmpty, !name.contains("{"), !query.contains(where: { $0.name == String(name) }) else {
                throw .badPattern("the parameters of a query need different names")
            }
            query.append((try AddressPieces.decoded(name), try LinkPattern.piece(value)))
        }
        self.path = path
        self.query = query
        let names = parts.map { $0.name }
        guard names.count <= LinkPattern.partCount else {
            throw .badPattern("it has more than \(LinkPattern.partCount) parts")
        }
        guard Set(names).count == names.count else { throw .badPattern("two parts have one name") }
    }

    private static func piece(_ text: Substring) throws(LinkError) -> Piece {
        guard text.contains("{") || text.contains("}") else { return .literal(try AddressPieces.decoded(text)) }
        guard text.hasPrefix("{"), text.hasSuffix("}") else {
            throw .badPattern("a part such as {id} is a whole segment or a whole value, and \(shown(text)) is not")
        }
        let words = text.dropFirst().dropLast().split(separator: ":", omittingEmptySubsequences: false)
        guard let name = words.first, !name.isEmpty, words.count <= 2,
            name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F })
        else { throw .badPattern("a part is written {name} or {name:type}, and \(shown(text)) is not") }
        guard words.count == 2 else { return .part(Part(name: String(name), type: .text)) }
        guard let type = PartType(rawValue: String(words[1])) else {
            let types = PartType.allCases.map { $0.rawValue }.joined(separator: ", ")
            throw .badPattern("\(shown(words[1])) is not a type; there are \(types)")
        }
        return .part(Part(name: String(name), type: type))
    }

    private static func shown(_ text: Substring) -> String { ShownText.quoted(text) }
}

// MARK: - Writing

extension LinkPattern {
    /// The address with the values of its parts. It is refused if one has no value or another type: an address with a
    /// hole leads nowhere.
    package func address(_ value: (String) -> PredicateValue) throws(LinkError) -> String {
        var address = "\(scheme)://"
        for (index, piece) in path.enumerated() {
            address += (index > 0 ? "/" : "") + PercentEncoding.segment(try written(piece, value, isSegment: true))
        }
        for (index, parameter) in query.enumerated() {
            address += (index > 0 ? "&" : "?") + PercentEncoding.segment(parameter.name) + "="
            address += PercentEncoding.segment(try written(parameter.value, value, isSegment: false))
        }
        guard address.utf8.count <= LinkPattern.addressByteCount else {
            throw .tooLong(limit: LinkPattern.addressByteCount)
        }
        return address
    }

    private func written(
        _ piece: Piece, _ value: (String) -> PredicateValue, isSegment: Bool
    ) throws(LinkError) -> String {
        switch piece {
        case .literal(let text): return text
        case .part(let part):
            let value = value(part.name)
            if case .null = value { throw .missingPart(part.name) }
            guard let text = part.type.text(of: value) else { throw .wrongPart(part.name, expected: part.type) }
            // An empty segment, and one that means a folder, would be another address.
            guard !isSegment || !text.isEmpty && text != "." && text != ".." else { throw .missingPart(part.name) }
            return text
        }
    }
}

// MARK: - Reading

extension LinkPattern {
    /// True if an address can be one of both patterns.
    package func overlaps(_ other: LinkPattern) -> Bool {
        func agree(_ one: Piece, _ another: Piece) -> Bool {
            switch (one, another) {
            case (.literal(let one), .literal(let another)): one.hasBytes(of: another)
            case (.literal(let text), .part(let part)), (.part(let part), .literal(let text)):
                part.type.value(of: text) != nil
            // A number is a text too, and an integer a number.
            case (.part, .part): true
            }
        }
        guard scheme == other.scheme, path.count == other.path.count else { return false }
        // A parameter that one of them does not have is ignored by it.
        return zip(path, other.path).allSatisfy { agree($0, $1) }
            && query.allSatisfy { parameter in
                other.query.first { $0.name == parameter.name }.map { agree(parameter.value, $0.value) } ?? true
            }
    }

    /// The values of the parts; `nil` if the address is not one of this pattern. Parameters of a query that the pattern
    /// does not have are ignored, as other apps add them.
    func values(of address: AddressPieces) -> [String: PredicateValue]? {
        guard address.scheme == scheme, address.segments.count == path.count else { return nil }
        var values: [String: PredicateValue] = [:]
        func take(_ piece: Piece, _ text: Substring) -> Bool {
            guard let text = try? AddressPieces.decoded(text) else { return false }
            switch piece {
            case .literal(let wanted): return wanted.hasBytes(of: text)
            case .part(let part):
                values[part.name] = part.type.value(of: text)
                return values[part.name] != nil
            }
        }
        for (piece, segment) in zip(path, address.segments) {
            guard !segment.isEmpty || path.count == 1, take(piece, segment) else { return nil }
        }
        for parameter in query {
            let found = address.query.first { (try? AddressPieces.decoded($0.name)) == parameter.name }
            guard let found, take(parameter.value, found.value) else { return nil }
        }
        return values
    }
}

extension LinkPattern.PartType {
    /// The text that a value has in an address; `nil` for a value of another type.
    package func text(of value: PredicateValue) -> String? {
        switch self {
        case .text:
            switch value {
            case .string(let text): return text
            case .integer, .decimal, .double, .boolean: return value.text
            default: return nil
            }
        case .integer:
            if case .integer(let number) = value { return String(number) }
            if case .double(let number) = value { return Int64(exactly: number).map(String.init) }
            return numeral(value).flatMap { Int64($0) }.map(String.init)
        case .number:
            switch value {
            case .integer(let number): return String(number)
            case .double(let number): return number.isFinite ? "\(number)" : nil
            default: return numeral(value).flatMap { Double($0) }.flatMap { $0.isFinite ? "\($0)" : nil }
            }
        case .boolean:
            if case .boolean(let flag) = value { return flag ? "true" : "false" }
            return nil
        }
    }

    /// The text of a value that may be a number. A switch is not one, although its text is.
    private func numeral(_ value: PredicateValue) -> String? {
        switch value {
        case .string, .decimal: value.text
        default: nil
        }
    }

    /// `nil` for a text that is not of the type.
    func value(of text: String) -> PredicateValue? {
        switch self {
        case .text: return .string(text)
        case .integer: return Int64(text).map { .integer($0) }
        case .number: return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        }
    }
}

/// The pieces of an address as it is written, before anything is decoded.
struct AddressPieces {
    let scheme: String
    let segments: [Substring]
    let query: [(name: Substring, value: Substring)]

    private static let segmentCount = 64

    init(_ text: String) throws(LinkError) {
        guard text.utf8.count <= LinkPattern.addressByteCount else {
            throw .tooLong(limit: LinkPattern.addressByteCount)
        }
        guard let colon = text.firstRange(of: "://") else {
            throw .badAddress("it has no scheme, as in acme://events/5")
        }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
            scheme.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
            })
        else { throw .badAddress("a scheme has letters, digits, \"+\", \"-\" and \".\"") }
        self.scheme = scheme
        let rest = text[colon.upperBound...].prefix { $0 != "#" }
        let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments = (halves.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        // A slash at the end changes nothing.
        if segments.count > 1, segments.last?.isEmpty ?? false { segments.removeLast() }
        self.segments = segments
        let parameters = halves.count == 2 ? halves[1].split(separator: "&") : []
        guard segments.count <= AddressPieces.segmentCount, parameters.count <= AddressPieces.segmentCount else {
            throw .badAddress("it has more than \(AddressPieces.segmentCount) segments or parameters")
        }
        query = parameters.map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts.first ?? "", parts.count == 2 ? parts[1] : "")
        }
    }

    /// The text with its escapes undone. Control characters, and bytes that are not UTF-8, are refused.
    static func decoded(_ text: Substring) throws(LinkError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value) else {
                throw .badAddress("a % must be followed by two hexadecimal digits")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw .badAddress("it has escapes that are not text") }
        return decoded
    }
}
