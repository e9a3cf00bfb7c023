internal import HTTPWire
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetSurroundings

/// The browsers that have signed in.
///
/// A session has no rights: those of its token are looked up for each request, so that a token which was revoked, has expired
/// or was changed ends or changes the session at once. Sessions are in the catalog, for all servers of a registry, and in the
/// memory of each, so that most requests are judged without asking it.
final class Sessions: Sendable {
    private let registry: Registry
    private let clock: any Clock
    private struct State {
        var known: [Digest: SessionRecord] = [:]
        /// The catalog is being read by so many.
        var readers = 0
        /// The sessions that have ended meanwhile. Their names are not given again.
        var ended: Set<Digest> = []

        /// Takes a session that was read.
        mutating func know(_ session: SessionRecord) {
            guard !ended.contains(session.key) else { return }
            // A use that the catalog has not learned yet stays known.
            var session = session
            session.used = max(session.used, known[session.key]?.used ?? .min)
            known[session.key] = session
        }

        /// Takes one for ended, also for those who are reading it.
        mutating func forget(_ key: Digest) {
            known[key] = nil
            if readers > 0 { ended.insert(key) }
        }
    }

    private let state = Guarded(State())
    private let lookups: RateLimiter

    /// The catalog learns that often that a session is in use.
    private static let useSeconds: Int64 = 300
    /// The sessions that an address can have looked for in the catalog in a minute.
    private static let lookupsPerMinute = 600
    /// The catalog is not asked where it may not answer at once.
    private static let longestLag = Duration.seconds(2)

    init(_ registry: Registry, clock: any Clock) {
        self.registry = registry
        self.clock = clock
        lookups = RateLimiter(clock: clock)
    }

    /// Reads the sessions again, after some have begun or ended.
    func reload() throws(RegistryError) {
        try reading { () throws(RegistryError) in
            let all = try registry.sessions()
            state.withLock { state in
                let keys = Set(all.map(\.key))
                state.known = state.known.filter { keys.contains($0.key) }
                for session in all { state.know(session) }
            }
        }
    }

    /// Asks the catalog, while sessions may end.
    private func reading<Value>(_ body: () throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        state.withLock { $0.readers += 1 }
        defer {
            state.withLock { state in
                state.readers -= 1
                if state.readers == 0 { state.ended = [] }
            }
        }
        return try body()
    }

    /// Begins a session under a name that no one has seen before. Blocks.
    ///
    /// - Parameter setting: the digest of the token of the settings, if that was shown.
    /// - Returns: the name, which only the browser gets.
    func begin(of token: Int64, prefix: String, setting: Digest?) throws(RegistryError) -> String {
        let name = (0..<4).map { _ in
            let digits = String(RandomBytes.word(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
        guard let key = Sessions.key(name, setting) else { throw .outOfMemory }
        let (session, dropped) = try registry.beginSession(key, of: token, prefix: prefix)
        let now = clock.seconds
        state.withLock { state in
            if let dropped { state.forget(dropped) }
            state.known = state.known.filter { $0.value.isAlive(at: now) }
            state.known[key] = session
        }
        return name
    }

    /// A session that is not over.
    ///
    /// - Parameters:
    ///   - setting: the digest of the token of the settings at present.
    ///   - client: the address that names it.
    ///   - asks: true to ask the catalog where the session is not in memory, which blocks.
    ///   - touch: receives a session whose use the catalog has to learn.
    func find(
        _ name: String, setting: Digest?, from client: IPAddress, asks: Bool = true, touch: (Digest) -> Void
    ) -> SessionRecord? {
        let now = clock.seconds
        for key in Sessions.keys(name, setting) {
            let session = state.withLock { state in
                state.known[key].flatMap { $0.isAlive(at: now) ? $0 : nil }
            }
            guard let session = session ?? (asks ? stored(key, from: client, now) : nil) else { continue }
            if now - session.used >= Sessions.useSeconds {
                state.withLock { $0.known[key]?.used = now }
                touch(key)
            }
            return session
        }
        return nil
    }

    /// A session that another server has begun, or has seen in use.
    private func stored(_ key: Digest, from client: IPAddress, _ now: Int64) -> SessionRecord? {
        try? reading { () throws(RegistryError) in
            guard let session = try record(key, from: client), session.isAlive(at: now) else { return nil }
            return state.withLock { state in
                state.know(session)
                return state.known[key]
            }
        }
    }

    /// A session as the catalog has it, over or not.
    private func record(_ key: Digest, from client: IPAddress) throws(RegistryError) -> SessionRecord? {
        guard registry.staleness <= Sessions.longestLag,
            lookups.count(client, perMinute: Sessions.lookupsPerMinute) == nil
        else { return nil }
        return try registry.session(key)
    }

    /// The reason why a session lets its browser do nothing.
    func ending(_ name: String, setting: Digest?, from client: IPAddress) -> SessionEnd {
        let now = clock.seconds
        for key in Sessions.keys(name, setting) {
            let stored = try? record(key, from: client)
            guard let session = stored ?? state.withLock({ $0.known[key] }) else { continue }
            if session.isOld(at: now) { return .old }
            return session.isIdle(at: now) ? .idle : .token
        }
        return .unknown
    }

    /// Ends a session on all servers. Blocks. Another name, which anyone can send, changes nothing in the catalog.
    func end(_ name: String, setting: Digest?) throws(RegistryError) {
        for key in Sessions.keys(name, setting) where try registry.session(key) != nil {
            try registry.endSession(key)
            state.withLock { $0.forget(key) }
        }
    }

    /// The keys under which the catalog may have a session of this name.
    private static func keys(_ name: String, _ setting: Digest?) -> [Digest] {
        let own = setting.map { key(name, $0) }
        return [key(name, nil), own ?? nil].compactMap(\.self)
    }

    /// A session that was begun with the token of the settings is over when the settings name another.
    private static func key(_ name: String, _ setting: Digest?) -> Digest? {
        Digest.sha256(Array(name.utf8) + (setting?.bytes ?? []))
    }
}

/// The cookie that names a session.
enum SessionCookie {
    /// Browsers take the first name over TLS alone, from this host and for all of its paths, and the second over TLS alone
    /// (RFC 6265bis §4.1.3).
    private static let hostName = "__Host-session"
    private static let secureName = "__Secure-session"
    private static let plainName = "session"
    private static let length = 64

    /// - Parameter root: the path below which clients see this server. Other paths of its host are other programs.
    private static func name(isSecure: Bool, below root: String) -> String {
        isSecure ? root.isEmpty ? hostName : secureName : plainName
    }

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
        field("\(name); Max-Age=\(DeskLimits.lifetime)", isSecure: isSecure, below: root)
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
