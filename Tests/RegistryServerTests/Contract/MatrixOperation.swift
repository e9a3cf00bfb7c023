import JSONText

/// An operation of the OpenAPI document: all that the matrix knows of a route.
struct MatrixOperation: Sendable {
    let name: String
    let method: String
    let path: String
    /// The scopes of each alternative, of which one is enough and the empty one is no token; `nil` when the document says
    /// nothing, or asks for a token without saying what it is to be good for.
    let requirements: [[String]]?
    /// Codes of problems by the status under which they are declared.
    let problems: [String: [String]]
    let queryNames: [String]
    /// Patterns of the path's parameters.
    private let patterns: [String: String]
    private let takesArchive: Bool
    /// An example of the JSON that it takes, and the names of all members this can have.
    private let example: JSONValue?
    private let memberNames: [String]

    static func all(of document: JSONValue) -> [MatrixOperation] {
        (document["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).map { MatrixOperation(path.name, $0.name, $0.value, document) }
        }
    }

    private init(_ path: String, _ method: String, _ operation: JSONValue, _ document: JSONValue) {
        self.path = path
        self.method = method.uppercased()
        name = operation["operationId"]?.string ?? "\(method) \(path)"
        let requirements = operation["security"]?.array.map { all in
            all.map { $0["bearer"]?.array?.compactMap(\.string) ?? ($0.object?.isEmpty == true ? [] : nil) }
        }
        let isSilent = operation["security"]?.array?.contains { $0["bearer"]?.array?.isEmpty == true } ?? true
        self.requirements = isSilent || requirements?.contains(nil) == true ? nil : requirements?.compactMap { $0 }
        var problems: [String: [String]] = [:]
        for response in operation["responses"]?.object?.members ?? [] {
            problems[response.name] = response.value["x-problems"]?.array?.compactMap(\.string) ?? []
        }
        self.problems = problems
        let parameters = operation["parameters"]?.array ?? []
        func names(in place: String) -> [(name: String, pattern: String)] {
            parameters.filter { $0["in"]?.string == place }
                .map { ($0["name"]?.string ?? "", $0["schema"]?["pattern"]?.string ?? "") }
        }
        queryNames = names(in: "query").map(\.name)
        patterns = Dictionary(names(in: "path").map { ($0.name, $0.pattern) }) { $1 }
        let content = operation["requestBody"]?["content"]
        takesArchive = content?["application/zip"] != nil
        let reference = content?["application/json"]?["schema"]?["$ref"]?.string?.split(separator: "/").last
        let schema = reference.flatMap { document["components"]?["schemas"]?[String($0)] }
        example = schema?["examples"]?.array?.first
        memberNames = schema?["properties"]?.object?.members.map(\.name) ?? []
    }

    var isReading: Bool { requirements?.contains([]) == true }
    /// The scopes of a token that suffices.
    var scopes: [String]? { requirements?.first { !$0.isEmpty } }

    /// What says which bundle a request is about, and hence which tokens are good for it.
    var isAboutBundle: Bool {
        takesArchive || memberNames.contains("prefix")
            || ["{id}", "{widgetIdentifier}", "{hex}"].contains(where: path.contains)
    }
    var isAboutToken: Bool { path.contains("{name}") }
    var movesChannel: Bool { !isReading && (path.contains("{channel}") || queryNames.contains("channel")) }

    struct Unknown: Error, CustomStringConvertible { let description: String }

    /// The target of a request, in which every variable part has a value.
    func target(_ target: MatrixTarget) throws -> String {
        var filled = path
        for match in path.matches(of: /\{(\w+)\}/) {
            let name = String(match.1)
            filled = filled.replacing("{\(name)}", with: try value(of: name, target))
        }
        var query: [String] = []
        if queryNames.contains("channel") { query.append("channel=\(MatrixCast.channel)") }
        if queryNames.contains("dryRun") { query.append("dryRun=true") }
        return query.isEmpty ? filled : "\(filled)?\(query.joined(separator: "&"))"
    }

    private func value(of name: String, _ target: MatrixTarget) throws -> String {
        switch name {
        case "id":
            let pattern = try Regex(patterns[name] ?? "")
            return target.bundle.wholeMatch(of: pattern) == nil ? "\(target.bundle).zip" : target.bundle
        case "widgetIdentifier": return "\(target.bundle)-1"
        case "key": return target.key
        case "otherKey": return "1.0~1"
        case "channel": return MatrixCast.channel
        case "hex": return target.digest
        case "Name": return "Sample"
        case "path": return "Info.plist"
        case "code": return "not-found"
        case "name": return target.tokenName
        default: throw Unknown(description: "\(path): teach the matrix what {\(name)} stands for")
        }
    }

    /// The content of a request, with the fields it needs.
    func content(_ target: MatrixTarget) -> (body: [UInt8], fields: String) {
        if takesArchive {
            let parts = target.key.split(separator: "~").map(String.init)
            let bundle = TestBundle(identifier: target.bundle, version: parts[0], build: parts[1], content: "[true]")
            return (bundle.archive, "Content-Type: application/zip\r\n")
        }
        guard let example else { return ([], "") }
        var writer = JSONWriter()
        writer.object { writer in
            for member in example.object?.members ?? [] {
                switch member.name {
                case "name": writer.member("name", "made-here")
                case "prefix": writer.member("prefix", target.bundle)
                case "release", "to": writer.member(member.name, target.key)
                default:
                    writer.key(member.name)
                    writer.value(member.value)
                }
            }
        }
        return (writer.finish(), "Content-Type: application/json\r\nIf-Match: \"none\"\r\n")
    }
}
