internal import Bytes
internal import HTTPServer
internal import HTTPWire

/// Which part of a list a request asks for.
struct PageParameters: Sendable {
    static let mostItems = 200
    static let usualItems = 50

    let limit: Int
    /// What the part before ended with, as the registry said it.
    let after: String?

    init(_ request: borrowing Request) throws(Problem) {
        limit = try PageParameters.limit(request, most: PageParameters.mostItems, usual: PageParameters.usualItems)
        after = try request.query("cursor", as: "the next of a page before, as it was", PageParameters.decode)
    }

    static func limit(_ request: borrowing Request, most: Int, usual: Int) throws(Problem) -> Int {
        try request.query("limit", as: "a number from 1 to \(most)") { WholeNumber.read($0, 1...most) } ?? usual
    }

    var key: String { "\(limit) \(after ?? "")" }

    /// A place in a list as clients hand it back. They are not meant to read it, nor to make one up.
    static func cursor(_ place: String) -> String { Hex.string(Array(place.utf8)) }

    private static func decode(_ cursor: String) -> String? {
        let digits = Array(cursor.utf8)
        guard (1...1_024).contains(digits.count), digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hex.lowercaseValue(of: digits[index]), let low = Hex.lowercaseValue(of: digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The field that leads to the next part (RFC 8288).
    static func link(
        _ path: String, _ query: KeyValuePairs<String, String?>, next: String?
    ) -> FieldBlock {
        guard let next else { return FieldBlock() }
        var parts: [String] = []
        for case (let name, let value?) in query { parts.append("\(name)=\(PercentEncoding.segment(value))") }
        parts.append(next)
        return FieldBlock(["Link": "<\(path)?\(parts.joined(separator: "&"))>; rel=\"next\""])
    }
}
