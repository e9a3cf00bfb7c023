import Bytes
import Files
import LocalStore
import Registry
import TestSupport
import Testing

@Suite struct `Tokens` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    func digest(_ secret: String) throws -> Digest { try #require(Digest.sha256(Array(secret.utf8))) }

    let token = Token(name: "ci", prefix: "com.example", scopes: [.publish, .read], created: 5, expires: 99)

    @Test func `are found by the digest of their secret until they are revoked`() throws {
        #expect(try registry.isEmpty)
        try registry.createToken(token, digest: digest("secret"))
        #expect(try !registry.isEmpty)
        #expect(try registry.tokensByDigest()[digest("secret")] == token)
        #expect(try registry.tokensByDigest()[digest("secreT")] == nil)
        #expect(try registry.tokens() == [token])
        try registry.revokeToken("ci")
        #expect(try registry.tokensByDigest()[digest("secret")] == nil)
        #expect(try refusal { try registry.revokeToken("ci") } == .noSuchToken("ci"))
        // A store whose last token was revoked is not a new one.
        #expect(try !registry.isEmpty)
        try registry.createToken(token, digest: digest("another"))
    }

    @Test func `have names of their own`() throws {
        try registry.createToken(token, digest: digest("1"))
        #expect(try refusal { try registry.createToken(token, digest: digest("2")) } == .tokenExists("ci"))
        for name in ["", "a/b", " "] {
            let other = Token(name: name, prefix: "", scopes: [.admin], created: 0)
            #expect(try refusal { try registry.createToken(other, digest: digest("3")) } != nil)
        }
        for prefix in [".", "a.", ".a", "a..b", "a*", "a b", "com.ac-", "-ac", "com.-ac", "com.ac-.x"] {
            let other = Token(name: "x", prefix: prefix, scopes: [.admin], created: 0)
            #expect(try refusal { try registry.createToken(other, digest: digest("3")) } != nil)
        }
        #expect(
            try refusal {
                try registry.createToken(Token(name: "x", prefix: "", scopes: [], created: 0), digest: digest("3"))
            } != nil)
        #expect(try registry.tokens().map(\.name) == ["ci"])
    }

    @Test(arguments: [
        ("", "com.example", true), ("com", "com.example", true), ("com.example", "com.example", true),
        ("com.example", "com.example.a", true), ("com.example", "com.examples", false),
        ("com.example.a", "com.example", false), ("com.example", "com.Example", false),
        ("com.example", "com.example-a", false), ("com.example", "", false),
    ])
    func `cover whole labels`(_ prefix: String, _ identifier: String, _ covers: Bool) {
        #expect(Token(name: "x", prefix: prefix, scopes: [.read], created: 0).covers(identifier) == covers)
    }

    @Test func `remember their last use to the minute`() throws {
        try registry.createToken(token, digest: digest("1"))
        try registry.touchToken("ci")
        #expect(try registry.tokens()[0].lastUsed == 1_000_000)
        fixture.pass(seconds: 59)
        try registry.touchToken("ci")
        #expect(try registry.tokens()[0].lastUsed == 1_000_000)
        fixture.pass(seconds: 1)
        try registry.touchToken("ci")
        #expect(try registry.tokens()[0].lastUsed == 1_000_060)
        // A clock that was set back does not stop it.
        fixture.pass(seconds: -500)
        try registry.touchToken("ci")
        #expect(try registry.tokens()[0].lastUsed == 999_560)
    }

    @Test func `leave no secret on the disk but the administrator's, which others cannot read`() throws {
        try registry.createToken(token, digest: digest("wdg_secret"))
        try StoreDirectory.storeAdminToken(Array("wdg_admin\n".utf8), at: fixture.path)
        let root = try Directory(opening: fixture.path)
        #expect(try root.status(of: "admin-token").mode == 0o600)
        #expect(try root.openFile("admin-token").read(at: 0, count: 99) == Array("wdg_admin\n".utf8))
        for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
            #expect(try root.status(of: name).mode == 0o600, "\(name)")
            let text = Shell.run("grep -c wdg_secret '\(fixture.path)/\(name)'").output
            #expect(text.hasPrefix("0"), "\(name)")
        }
    }
}
