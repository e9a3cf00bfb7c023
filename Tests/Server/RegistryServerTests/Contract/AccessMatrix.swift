import JSONText
import RegistryServer
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// An operation of the OpenAPI document: all that the matrix knows of a route.
struct MatrixOperation: Sendable {
    let name: String
    let method: String
    let path: String
    /// The scopes of each alternative, of which one is enough and the empty one means no token; `nil` if the document says
    /// nothing, or asks for a token without naming its scope.
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

    /// True if a token with any scope suffices that covers the bundle.
    var takesAnyScope: Bool { (requirements?.count ?? 0) > 1 && !isReading }

    /// True if a request is about a bundle, which decides the tokens that are good for it.
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
        case "part": return "screen-1.html"
        case "code": return "not-found"
        case "document": return "http"
        case "name": return target.tokenName
        default: throw Unknown(description: "\(path): teach the matrix the meaning of {\(name)}")
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

/// A token of the matrix, as it is declared; the server has one like it, or knows better.
struct TokenSpecimen: Sendable {
    enum State: Sendable { case absent, unknown, expired, revoked, valid }

    var name: String
    var state = State.valid
    var scopes: [String] = []
    var prefix = ""
    /// The channels it may move; `nil`: all, and the token is made without saying so.
    var channels: [String]?
    var secret = ""

    /// An administrator has every right within the prefix.
    func has(_ wanted: [String]) -> Bool { scopes.contains("admin") || wanted.allSatisfy(scopes.contains) }

    /// Whole labels count, and so does their case.
    func covers(_ bundle: String) -> Bool { prefix.isEmpty || bundle == prefix || bundle.hasPrefix("\(prefix).") }

    func moves(_ channel: String) -> Bool { channels?.contains(channel) ?? true }

    private static let scopes = ["read", "publish", "promote", "withdraw", "admin"]

    /// All states, all scopes alone and together, for everything and for one prefix. A token limited to channels is a row
    /// with `channels`; the matrix moves `MatrixCast.channel`.
    static let all: [TokenSpecimen] =
        [
            TokenSpecimen(name: "none", state: .absent), TokenSpecimen(name: "unknown", state: .unknown),
            TokenSpecimen(name: "expired", state: .expired, scopes: scopes),
            TokenSpecimen(name: "revoked", state: .revoked, scopes: scopes),
            TokenSpecimen(name: "root", scopes: scopes), TokenSpecimen(name: "reader", scopes: ["read"]),
            TokenSpecimen(name: "acme", scopes: scopes, prefix: "com.acme"),
            TokenSpecimen(name: "acme-writer", scopes: ["publish", "promote", "withdraw"], prefix: "com.acme"),
            TokenSpecimen(
                name: "acme-here", scopes: ["publish", "promote", "withdraw"], prefix: "com.acme",
                channels: [MatrixCast.channel]),
            TokenSpecimen(
                name: "acme-elsewhere", scopes: ["publish", "promote", "withdraw"], prefix: "com.acme",
                channels: ["elsewhere"]),
        ] + scopes.map { TokenSpecimen(name: "acme-\($0)", scopes: [$0], prefix: "com.acme") }
}

/// The subject of a request of the matrix. All rows of a family have names of the same length, so that refused answers
/// about them can be equal to the byte.
struct MatrixTarget: Sendable {
    enum Kind: Sendable { case shown, withdrawn, noRelease, noBundle }

    let family: String
    let kind: Kind
    let bundle: String
    let key: String
    let digest: String
    /// Of a token for the bundle.
    let tokenName: String

    var namesHidden: [String] { [bundle, tokenName] }
}

/// A server with bundles within a prefix, beside it, almost within it, and within it but for case; and the tokens.
final class MatrixCast {
    static let channel = "beta"
    private static let families = [
        ("own", "com.acme.Clock", "com.acme.Clack"), ("foreign", "org.other.Thing", "org.other.Thong"),
        ("almost", "com.acmeX.Clock", "com.acmeX.Clack"), ("other case", "Com.Acme.Dial", "Com.Acme.Deal"),
    ]

    let service: Service
    private(set) var tokens: [TokenSpecimen] = []
    private(set) var targets: [MatrixTarget] = []

    init() throws {
        service = try Service(review: DrawnReview())
        service.knobs.withLock { $0.access.isRateLimited = false }
        for (index, (family, bundle, absent)) in Self.families.enumerated() {
            var digests: [String] = []
            for version in ["1.0", "1.1", "1.2"] {
                let answer = try service.send(
                    "POST", "/v1/bundles?channel=\(Self.channel)",
                    TestBundle(identifier: bundle, version: version, content: "[\(index)]").archive)
                try #require(answer.status == 201, "\(answer.text)")
                digests.append(try #require(try JSONValue(parsing: answer.body)["sha256"]?.string))
            }
            try #require(try service.send("DELETE", "/v1/bundles/\(bundle)/releases/1.2~1").status == 200)
            try make(TokenSpecimen(name: "of-\(index)", scopes: ["read"], prefix: bundle))
            let nothing = String(repeating: "\(index)", count: 64)
            targets += [
                MatrixTarget(
                    family: family, kind: .shown, bundle: bundle, key: "1.1~1", digest: digests[1],
                    tokenName: "of-\(index)"),
                MatrixTarget(
                    family: family, kind: .withdrawn, bundle: bundle, key: "1.2~1", digest: digests[2],
                    tokenName: "of-\(index)"),
                MatrixTarget(
                    family: family, kind: .noRelease, bundle: bundle, key: "9.9~9", digest: nothing,
                    tokenName: "no-\(index)"),
                MatrixTarget(
                    family: family, kind: .noBundle, bundle: absent, key: "1.1~1", digest: nothing,
                    tokenName: "no-\(index)"),
            ]
        }
        for specimen in TokenSpecimen.all { try cast(specimen) }
        // Only now are those expired that do.
        service.clock.advance(by: .seconds(7_200))
    }

    private func cast(_ specimen: TokenSpecimen) throws {
        var specimen = specimen
        switch specimen.state {
        case .absent: break
        case .unknown: specimen.secret = "wdg_" + String(repeating: "A", count: 43)
        case .expired, .valid: specimen.secret = try make(specimen)
        case .revoked:
            specimen.secret = try make(specimen)
            try #require(try service.send("DELETE", "/v1/tokens/\(specimen.name)").status == 204)
        }
        tokens.append(specimen)
    }

    @discardableResult
    private func make(_ specimen: TokenSpecimen) throws -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", specimen.name)
            writer.member("prefix", specimen.prefix)
            writer.key("scopes")
            writer.array { writer in for scope in specimen.scopes { writer.string(scope) } }
            if specimen.state == .expired { writer.member("expires", "1h") }
            guard let channels = specimen.channels else { return }
            writer.key("channels")
            writer.array { writer in for channel in channels { writer.string(channel) } }
        }
        let answer = try service.send("POST", "/v1/tokens", writer.finish())
        try #require(answer.status == 201, "\(specimen.name): \(answer.text)")
        return try #require(try JSONValue(parsing: answer.body)["token"]?.string)
    }

    /// Everything that a refused write could have changed: bundles with their channels, the feed, the tokens.
    func state() throws -> String {
        try ["/v1/bundles?limit=200", "/v1/changes?limit=1000", "/v1/tokens"].map { path in
            let answer = try service.send("GET", path)
            try #require(answer.status == 200, "\(path): \(answer.text)")
            return answer.text.replacing(/,"lastUsed":"[^"]*"/, with: "")
        }.joined()
    }
}

/// A review that finds nothing, and draws the same still for each bundle.
private struct DrawnReview: BundleReview {
    func findings(
        of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
    ) -> ReviewFindings {
        ReviewFindings(parts: [
            ReleasePart(name: "screen-1.html", mediaType: "text/html; charset=utf-8", content: Array("<p>".utf8))
        ])
    }
}
