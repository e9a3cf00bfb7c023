import LocalStore
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@Suite struct `Tokens` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    func digest(_ secret: String) throws -> Digest { try #require(Digest.sha256(Array(secret.utf8))) }

    let token = Token(name: "ci", prefix: "com.example", scopes: [.publish, .read], created: 5, expires: 99)

    /// The same, which is not over when the registry is asked.
    private var lasting: Token {
        var lasting = token
        lasting.expires = 4_000_000_000
        return lasting
    }

    @Test func `Tokens are found by the digest of their secret until they are revoked`() throws {
        #expect(try registry.isEmpty)
        let stored = try registry.createToken(token, digest: digest("secret"), by: "x")
        var numbered = token
        numbered.number = 1
        #expect(stored == numbered)
        #expect(try !registry.isEmpty)
        #expect(try registry.tokensByDigest()[digest("secret")] == stored)
        #expect(try registry.tokensByDigest()[digest("secreT")] == nil)
        #expect(try registry.tokens() == [stored])
        try registry.revokeToken(stored.identity, by: "x")
        #expect(try registry.tokensByDigest()[digest("secret")] == nil)
        #expect(try refusal { try registry.revokeToken(stored.identity, by: "x") } == .noSuchToken("ci"))
        // A store whose last token was revoked is not a new one.
        #expect(try !registry.isEmpty)
    }

    @Test func `A rotated token has another secret under its number, and its earlier one if that was kept`() throws {
        let stored = try registry.createToken(lasting, digest: digest("1"), by: "x")
        let rotated = try registry.rotateToken(stored.identity, from: digest("1"), to: digest("2"), by: "ci")
        #expect(rotated == stored)
        #expect(try registry.tokensByDigest() == [digest("2"): stored])
        let kept = try registry.rotateToken(
            stored.identity, from: digest("2"), to: digest("3"), keptUntil: 70, by: "ci")
        #expect(kept.number == 1 && kept.earlierSecretEnds == 70 && !kept.isFoundByEarlierSecret)
        #expect(try registry.tokens() == [kept])
        var earlier = kept
        earlier.isFoundByEarlierSecret = true
        #expect(try registry.tokensByDigest() == [digest("3"): kept, digest("2"): earlier])
        #expect(
            !earlier.isOver(at: 69) && earlier.isOver(at: 70) && !kept.isOver(at: 70) && kept.isOver(at: 4_000_000_000))
        // One earlier secret at most.
        _ = try registry.rotateToken(stored.identity, from: digest("3"), to: digest("4"), keptUntil: 80, by: "ci")
        #expect(try Set(registry.tokensByDigest().keys) == [digest("4"), digest("3")])
        try registry.revokeToken(stored.identity, by: "x")
        #expect(try registry.tokensByDigest().isEmpty)
        let acts = try registry.audit(AuditQuery(limit: 9)).items
        #expect(acts.map(\.act) == [.revokeToken, .rotateToken, .rotateToken, .rotateToken, .createToken])
        #expect(acts[2].remark == "the earlier secret ends 1970-01-01T00:01:10Z" && acts[2].token == stored.identity)
        #expect(acts[3].remark == "the earlier secret has ended" && acts[3].author.name == "ci")
    }

    @Test func `Of two rotations of the same secret one is carried out, and none of a token that is over`() throws {
        let stored = try registry.createToken(lasting, digest: digest("1"), by: "x")
        _ = try registry.rotateToken(stored.identity, from: digest("1"), to: digest("2"), by: "x")
        let second = try refusal {
            try registry.rotateToken(stored.identity, from: digest("1"), to: digest("3"), by: "x")
        }
        #expect(second == .rotatedToken("ci"))
        #expect(try registry.tokensByDigest() == [digest("2"): stored])
        try registry.revokeToken(stored.identity, by: "x")
        let revoked = try refusal {
            try registry.rotateToken(stored.identity, from: digest("2"), to: digest("3"), by: "x")
        }
        #expect(revoked == .noSuchToken("ci"))
        #expect(try registry.tokensByDigest().isEmpty)
    }

    @Test func `A15: numbers and names of tokens are never given again, even after revocation`() throws {
        let first = try registry.createToken(token, digest: digest("1"), by: "x")
        try registry.revokeToken(first.identity, by: "x")
        #expect(try refusal { try registry.createToken(token, digest: digest("2"), by: "x") } == .tokenExists("ci"))
        var other = token
        other.name = "ci-2"
        #expect(try registry.createToken(other, digest: digest("2"), by: "x").number == 2)
        try registry.revokeToken(TokenName(number: 2, name: "ci-2", prefix: "com.example"), by: "x")
        other.name = "ci-3"
        #expect(try registry.createToken(other, digest: digest("3"), by: "x").number == 3)
    }

    @Test func `A15: the name of a token can be taken again only for other bundles`() throws {
        func make(_ prefix: String) throws -> RegistryError? {
            let wanted = Token(name: "ci", prefix: prefix, scopes: [.publish], created: 0)
            return try refusal { try registry.createToken(wanted, digest: digest(prefix), by: "x") }
        }
        // Administrators of prefixes beside each other do not learn each other's names.
        #expect(try make("com.alpha") == nil && make("com.beta") == nil && make("com.alphabet") == nil)
        // The same bundle never has two publishers of one name.
        for prefix in ["com.alpha", "com.alpha.inner", "com", ""] { #expect(try make(prefix) == .tokenExists("ci")) }
        #expect(try registry.tokens().map(\.prefix) == ["com.alpha", "com.beta", "com.alphabet"])
    }

    @Test func `A token with a taken name, or an invalid name, prefix or channel is refused`() throws {
        try registry.createToken(token, digest: digest("1"), by: "x")
        #expect(try refusal { try registry.createToken(token, digest: digest("2"), by: "x") } == .tokenExists("ci"))
        for name in ["", "a/b", " "] {
            let other = Token(name: name, prefix: "", scopes: [.admin], created: 0)
            #expect(try refusal { try registry.createToken(other, digest: digest("3"), by: "x") } != nil)
        }
        for prefix in [".", "a.", ".a", "a..b", "a*", "a b", "com.ac-", "-ac", "com.-ac", "com.ac-.x"] {
            let other = Token(name: "x", prefix: prefix, scopes: [.admin], created: 0)
            #expect(try refusal { try registry.createToken(other, digest: digest("3"), by: "x") } != nil)
        }
        for channels in [[""], ["be ta"], ["beta", "-x"], (0...100).map { "c\($0)" }] {
            let other = Token(name: "x", prefix: "", scopes: [.admin], channels: channels, created: 0)
            #expect(try refusal { try registry.createToken(other, digest: digest("3"), by: "x") } != nil)
        }
        #expect(
            try refusal {
                try registry.createToken(
                    Token(name: "x", prefix: "", scopes: [], created: 0), digest: digest("3"), by: "x")
            } != nil)
        #expect(try registry.tokens().map(\.name) == ["ci"])
    }

    @Test(arguments: [
        ("", "com.example", true), ("com", "com.example", true), ("com.example", "com.example", true),
        ("com.example", "com.example.a", true), ("com.example", "com.examples", false),
        ("com.example.a", "com.example", false), ("com.example", "com.Example", false),
        ("com.example", "com.example-a", false), ("com.example", "", false),
    ])
    func `Prefixes of tokens cover whole labels`(_ prefix: String, _ identifier: String, _ covers: Bool) {
        #expect(Token(name: "x", prefix: prefix, scopes: [.read], created: 0).covers(identifier) == covers)
    }

    @Test func `The last use of a token is stored to the minute`() throws {
        let number = try registry.createToken(token, digest: digest("1"), by: "x").number
        try registry.touchToken(number)
        #expect(try registry.tokens()[0].lastUsed == 1_000_000)
        fixture.pass(seconds: 59)
        try registry.touchToken(number)
        #expect(try registry.tokens()[0].lastUsed == 1_000_000)
        fixture.pass(seconds: 1)
        try registry.touchToken(number)
        #expect(try registry.tokens()[0].lastUsed == 1_000_060)
        // A clock that was set back does not stop it.
        fixture.pass(seconds: -500)
        try registry.touchToken(number)
        #expect(try registry.tokens()[0].lastUsed == 999_560)
    }

    @Test func `No secret is on the disk but the administrator's, which only its owner can read`() throws {
        try registry.createToken(token, digest: digest("wdg_secret"), by: "x")
        try StoreDirectory.storeAdminToken(Array("wdg_admin\n".utf8), at: fixture.path)
        let root = try Directory(opening: fixture.path)
        #expect(try root.status(of: "admin-token").mode == 0o600)
        #expect(try root.openFile("admin-token").read(at: 0, count: 99) == Array("wdg_admin\n".utf8))
        for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
            #expect(try root.status(of: name).mode == 0o600, "\(name)")
            #expect(try !FileWork.text("\(fixture.path)/\(name)").contains("wdg_secret"), "\(name)")
        }
    }
}
