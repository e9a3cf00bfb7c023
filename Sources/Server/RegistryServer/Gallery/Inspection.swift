internal import JSONText

/// A widget seen from inside, as its confined process has described it.
///
/// The process runs what strangers have published, so its document is read within bounds, and every text of it is escaped.
struct Inspection: Sendable {
    struct Value: Sendable {
        let name: String
        /// `nil` for a secret.
        let value: String?
        let why: String
        let place: String?
        let inputs: [String]
    }

    struct Element: Sendable {
        let depth: Int
        let kind: String
        let key: String
        let name: String?
        /// x, y, width and height in points; `nil` for one that is not on the screen.
        let frame: [Double]?
        let place: String?
        let events: [String]
        let rules: [String]
        let values: [Value]
    }

    struct Use: Sendable {
        let name: String
        let used: Int
        let limit: Int
    }

    struct Line: Sendable {
        let kind: String
        let text: String
    }

    let screen: String
    let title: String
    let budgets: [Use]
    let findings: [String]
    /// The lines that the log has; ``log`` are the last of them.
    let logged: Int
    let log: [Line]
    let elementCount: Int
    let elements: [Element]

    /// Somewhat more than a process of ours sends.
    private static let limits = JSONLimits(byteCount: 256 << 10, depth: 8, valueCount: 40_000)

    /// - Returns: `nil` for a document that no process of ours sends.
    init?(_ document: [UInt8]) {
        guard let json = try? JSONDocument(parsing: document, limits: Inspection.limits),
            let inspection = try? Inspection(json: json.cursor)
        else { return nil }
        self = inspection
    }
}

extension Inspection: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        screen = try json.require("screen")
        title = try json.require("title")
        budgets = try json.require("budgets")
        findings = try json.require("findings")
        logged = try json.require("logged")
        log = try json.require("log")
        elementCount = try json.require("elementCount")
        elements = try json.require("elements")
    }
}

extension Inspection.Use: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        name = try json.require("name")
        used = try json.require("used")
        limit = try json.require("limit")
    }
}

extension Inspection.Line: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        kind = try json.require("kind")
        text = try json.require("text")
    }
}

extension Inspection.Element: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        depth = try json.require("depth")
        kind = try json.require("kind")
        key = try json.require("key")
        name = try json.optional("name")
        let lengths: [Double]? = try json.optional("frame")
        frame = lengths.flatMap { $0.count == 4 ? $0 : nil }
        place = try json.optional("place")
        events = try json.require("events")
        rules = try json.require("rules")
        values = try json.require("values")
    }
}

extension Inspection.Value: JSONDecodable {
    init(json: JSONCursor) throws(JSONError) {
        name = try json.require("name")
        value = try json.optional("value")
        why = try json.require("why")
        place = try json.optional("place")
        inputs = try json.optional("inputs") ?? []
    }
}
