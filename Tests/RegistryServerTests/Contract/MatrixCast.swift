import Bytes
import JSONText
import RegistryServer
import TestSupport
import Testing

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
        ] + scopes.map { TokenSpecimen(name: "acme-\($0)", scopes: [$0], prefix: "com.acme") }
}

/// What a request of the matrix is about. All rows of a family have names of the same length, so that refused answers
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
        service = try Service()
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
        service.knobs.withLock { $0.now += 7_200 }
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
