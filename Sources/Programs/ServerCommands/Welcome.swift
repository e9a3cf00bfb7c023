import LocalStore
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetLogging
import WidgetRegistry
import WidgetSockets

/// The first things for an operator to try: links and commands to paste.
struct Welcome: Sendable {
    /// The place of the owner's token, relative to the operator's working directory.
    let token: OwnerToken
    /// A bundle to try things with, where there is one.
    let bundle: String?
    let name: String?
    /// The owner's token, when this start has made it.
    let madeToken: Secret?
    /// The registry that this one is a mirror of.
    let origin: String?

    private let data: String

    /// - Parameter now: seconds since 1970.
    init(
        _ registry: Registry, _ loaded: LoadedSettings<Settings>, madeToken: Secret?, now: Int64
    ) throws(RegistryError) {
        self.madeToken = madeToken
        data = loaded.settings.data
        origin = loaded.settings.mirror?.origin
        token = try OwnerToken(registry, loaded, now: now)
        // Only a hint: a store that cannot be read has been complained about elsewhere.
        let first = try? registry.bundles(BundleQuery(channel: "stable", limit: 1)).items.first
        bundle = first?.identifier
        name = first?.name
    }

    /// The welcome of a server that has opened its listeners, whose tokens are in force from now on.
    static func begun(
        _ store: ServedStore, _ loaded: LoadedSettings<Settings>, madeToken: Secret?, now: Int64
    ) throws(StartFailure) -> Welcome {
        try rethrowing(as: { StartFailure($0, data: loaded.settings.data) }) { () throws(RegistryError) in
            try store.access.reload()
            return try Welcome(store.registry, loaded, madeToken: madeToken, now: now)
        }
    }

    /// The new token, for terminals only: other output may be a log, which would keep it.
    func tokenLines(isWatched: Bool) -> [String] {
        guard isWatched, let madeToken, case .file(let path) = token else { return [] }
        return [
            "  your token:  \(madeToken.exposedText)", "               (also in \(path), and not shown again)",
        ]
    }

    /// Lines to paste, each of which works unchanged.
    func lines(_ url: String) -> [String] {
        guard let bundle, let name else { return publishing("YourWidget.zip", "\(url)/v1/bundles/") }
        let file = shell("\(name).zip")
        return [
            "  resolve:   curl \(url)/v1/widgets/\(bundle)-1",
            "  download:  curl -Lo \(file) \(url)/v1/widgets/\(bundle)-1/bundle",
            "  unzip:     unzip -l \(file)",
        ] + publishing(file, "'\(url)/v1/bundles/?channel=dev'")
    }

    /// Names no token that is not there, or is not good any more.
    private func publishing(_ file: String, _ url: String) -> [String] {
        if let origin { return ["  publish:   at \(origin), of which this is a mirror"] }
        let word: String
        var before: [String] = []
        switch token {
        case .file(let path): word = "$(cat \(shell(path)))"
        case .variable(let name): word = "$\(name)"
        case .among(let place):
            word = "$TOKEN"
            before = ["  publish:   with adminToken of \(place) in $TOKEN:"]
        case .elsewhere:
            word = "$TOKEN"
            before = ["  publish:   with a token in $TOKEN:"]
        case .missing:
            return ["  publish:   there is no token yet; make one with: \(Welcome.makingToken(data))"]
        }
        let line = "curl -T \(file) -H \"Authorization: Bearer \(word)\" \(url)"
        return before.isEmpty ? ["  publish:   \(line)"] : before + ["             \(line)"]
    }

    static func makingToken(_ data: String) -> String { "widgetd token create NAME --scope admin --data \(data)" }

    /// A word as a shell takes it.
    private func shell(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || "./_-".utf8.contains(byte)
        }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// The server's first output: its addresses, and lines to paste.
struct Greeting {
    private let publicEndpoints: [Endpoint]
    private let adminEndpoints: [Endpoint]
    private let welcome: Welcome

    init(_ publicEndpoints: [Endpoint], _ adminEndpoints: [Endpoint], _ welcome: Welcome) {
        self.publicEndpoints = publicEndpoints
        self.adminEndpoints = adminEndpoints
        self.welcome = welcome
    }

    func print(on terminal: Terminal) {
        var lines = ["widgetd \(ProgramVersion.text)"]
        for endpoint in publicEndpoints { lines.append("  serving on  \(Greeting.url(endpoint))") }
        for endpoint in adminEndpoints { lines.append("  metrics at  \(Greeting.url(endpoint))/metrics") }
        lines += welcome.tokenLines(isWatched: terminal.isWatched)
        if let first = publicEndpoints.first {
            lines.append("")
            lines += welcome.lines(Greeting.curl(first))
        }
        _ = terminal.print(lines.joined(separator: "\n") + "\n")
    }

    static func url(_ endpoint: Endpoint) -> String {
        switch endpoint {
        case .unix: endpoint.description
        case .ip: "http://\(endpoint.reachable)"
        }
    }

    /// The server's address as arguments of curl.
    private static func curl(_ endpoint: Endpoint) -> String {
        switch endpoint {
        case .unix(let socket): "--unix-socket '\(socket)' http://localhost"
        case .ip: url(endpoint)
        }
    }
}

/// The place where the operator finds a token with every right.
enum OwnerToken: Equatable, Sendable {
    /// Alone in a file.
    case file(String)
    case variable(String)
    /// Among other things: where, in words.
    case among(String)
    /// Nowhere we know of, though there are tokens.
    case elsewhere
    /// None of the tokens is valid.
    case missing

    /// - Parameter now: seconds since 1970.
    init(_ registry: Registry, _ loaded: LoadedSettings<Settings>, now: Int64) throws(RegistryError) {
        if loaded.settings.accessPolicy.adminToken != nil {
            let source = loaded.source(of: "adminToken")
            if let path = loaded.secretFile(of: "adminToken") {
                self = .file(path)
            } else if case .environment(let name) = source {
                self = .variable(name)
            } else {
                self = .among(source.description)
            }
            return
        }
        let tokens = try registry.tokensByDigest().filter { !$0.value.isOver(at: now) }
        let path = StoreDirectory.adminTokenPath(at: loaded.settings.data)
        if let digest = OwnerToken.digest(ofFile: path), tokens[digest] != nil {
            self = .file(path)
        } else {
            self = tokens.isEmpty ? .missing : .elsewhere
        }
    }

    /// Removes the file of the first start when the token in it was revoked or rotated: it is good for nothing any more.
    static func removeStale(_ registry: Registry, _ data: String) {
        let path = StoreDirectory.adminTokenPath(at: data)
        guard let digest = digest(ofFile: path), let tokens = try? registry.tokensByDigest(), tokens[digest] == nil
        else {
            return
        }
        // A file that cannot be removed does no harm, and the next start does not name it.
        try? StoreDirectory.removeAdminToken(at: data)
    }

    /// The digest of the token in the file of the first start, if the file still exists; its catalog may be gone.
    private static func digest(ofFile path: String) -> Digest? {
        guard let bytes = try? BoundedFile.read(path, byteLimit: 4_096) else { return nil }
        return TokenText.digest(String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }))
    }
}
