internal import Bytes
internal import Files
internal import HTTPServer
internal import HTTPWire
internal import Surroundings

/// The browsers that have signed in, each with the digest of the token that was shown.
///
/// A session has no rights: those of its token are looked up for each request, so that a token which was revoked, has expired
/// or was changed ends or changes the session at once. Sessions live in memory, and end with the server.
final class Sessions: Sendable {
    private struct Session {
        let token: Digest
        let begun: ContinuousClock.Instant
        var used: ContinuousClock.Instant
    }

    /// The most sessions, and the most of one token. The one that was used longest ago makes room.
    static let most = 4_096
    static let mostOfToken = 64
    static let lifetime = Duration.seconds(12 * 3_600)
    static let idleTime = Duration.seconds(2 * 3_600)

    private let sessions: Guarded<[Digest: Session]> = Guarded([:])
    private let clock: any Clock

    init(clock: any Clock) { self.clock = clock }

    /// Begins a session under a name that no one has seen before.
    ///
    /// - Returns: the name, which only the browser gets; `nil` when its digest cannot be made.
    func begin(with token: Digest) -> String? {
        let name = (0..<4).map { _ in
            let digits = String(RandomBytes.word(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
        guard let key = Digest.sha256(Array(name.utf8)) else { return nil }
        let now = clock.now
        sessions.withLock { sessions in
            sessions = sessions.filter { Sessions.isAlive($0.value, now) }
            let own = sessions.filter { $0.value.token == token }
            if own.count >= Sessions.mostOfToken { Sessions.dropOldest(of: own, from: &sessions) }
            if sessions.count >= Sessions.most { Sessions.dropOldest(of: sessions, from: &sessions) }
            sessions[key] = Session(token: token, begun: now, used: now)
        }
        return name
    }

    /// The digest of the token that a session was begun with.
    func token(of name: String) -> Digest? {
        guard let key = Digest.sha256(Array(name.utf8)) else { return nil }
        let now = clock.now
        return sessions.withLock { sessions in
            guard let session = sessions[key] else { return nil }
            guard Sessions.isAlive(session, now) else {
                sessions[key] = nil
                return nil
            }
            sessions[key]?.used = now
            return session.token
        }
    }

    func end(_ name: String) {
        guard let key = Digest.sha256(Array(name.utf8)) else { return }
        sessions.withLock { $0[key] = nil }
    }

    private static func isAlive(_ session: Session, _ now: ContinuousClock.Instant) -> Bool {
        now - session.begun < lifetime && now - session.used < idleTime
    }

    private static func dropOldest(of some: [Digest: Session], from sessions: inout [Digest: Session]) {
        guard let oldest = some.min(by: { $0.value.used < $1.value.used }) else { return }
        sessions[oldest.key] = nil
    }
}

/// The cookie that names a session.
enum SessionCookie {
    /// Browsers take the first name over TLS alone, from this host and for all of its paths, and the second over TLS alone
    /// (RFC 6265bis §4.1.3).
    private static let hostName = "__Host-session"
    private static let secureName = "__Secure-session"
    private static let plainName = "session"

    /// - Parameter root: the path below which clients see this server. Other paths of its host are other programs.
    private static func name(isSecure: Bool, below root: String) -> String {
        isSecure ? root.isEmpty ? hostName : secureName : plainName
    }
    private static let length = 64

    /// The name of the session in a request; `nil` without one, and where two could be meant.
    static func session(_ request: borrowing Request) -> String? {
        guard let field = request.list(.cookie) else { return nil }
        let wanted = name(isSecure: request.isSecure, below: request.root)
        let values = field.split { $0 == ";" || $0 == "," }.compactMap { pair -> Substring? in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0] == wanted ? parts[1] : nil
        }
        guard values.count == 1, values[0].utf8.count == length,
            values[0].utf8.allSatisfy({ Hex.lowercaseValue(of: $0) != nil })
        else { return nil }
        return String(values[0])
    }

    static func setting(_ name: String, isSecure: Bool, below root: String) -> FieldBlock {
        field("\(name); Max-Age=\(Sessions.lifetime.components.seconds)", isSecure: isSecure, below: root)
    }

    static func clearing(isSecure: Bool, below root: String) -> FieldBlock {
        field("; Max-Age=0", isSecure: isSecure, below: root)
    }

    private static func field(_ value: String, isSecure: Bool, below root: String) -> FieldBlock {
        let path = root.isEmpty ? "/" : root
        return FieldBlock([
            "Set-Cookie":
                "\(name(isSecure: isSecure, below: root))=\(value); Path=\(path); HttpOnly; SameSite=Strict"
                + (isSecure ? "; Secure" : "")
        ])
    }
}
