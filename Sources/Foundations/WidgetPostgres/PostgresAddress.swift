internal import CWidgetPostgres

/// The way to a database, from a URL as libpq reads it: `postgres://USER@HOST:PORT/NAME?sslmode=verify-full`.
///
/// The URL holds no password, so that it can be shown. What it leaves open gets defaults for a server that runs for
/// months: dead peers are noticed in seconds, only a server that accepts writes is used, and one that is not on this
/// machine has to prove by TLS who it is.
package struct PostgresAddress: Equatable, Sendable {
    /// libpq's keywords and their values.
    private var options: [String: String] = [:]

    /// Keywords that change what a connection is for, or would be overruled.
    private static let refused: Set<String> = [
        "replication", "client_encoding", "fallback_application_name", "service", "options",
    ]

    /// - Parameter program: the name under which the server lists the connections.
    package init(_ url: String, password: String? = nil, program: String) throws(PostgresError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw PostgresError(.unusable, message: "not a URL that begins with postgres://")
        }
        for (keyword, value) in try PostgresAddress.parse(url) where !value.isEmpty {
            guard !PostgresAddress.refused.contains(keyword) else {
                throw PostgresError(.unusable, message: "the URL has \(keyword), which is not the operator's choice")
            }
            guard keyword != "password" else {
                throw PostgresError(.unusable, message: "the URL has a password, and URLs are shown")
            }
            options[keyword] = value
        }
        if let password { options["password"] = password }
        let fixed = ["client_encoding": "UTF8", "fallback_application_name": program]
        let defaults = [
            "connect_timeout": "3", "tcp_user_timeout": "5000", "keepalives_idle": "5", "keepalives_interval": "2",
            "keepalives_count": "3", "target_session_attrs": "read-write", "gssencmode": "disable",
            "sslmode": isOnThisMachine ? "prefer" : "verify-full",
        ]
        options.merge(fixed) { _, fixed in fixed }
        options.merge(defaults) { given, _ in given }
        // Without a limit libpq would wait for as long as the system does.
        if Int(options["connect_timeout"] ?? "").map({ $0 < 1 || $0 > 60 }) ?? true {
            throw PostgresError(.unusable, message: "connect_timeout is 1 to 60 seconds")
        }
    }

    /// True when every server is reached through a socket of this machine or its loopback interface.
    private var isOnThisMachine: Bool {
        guard let hosts = options["hostaddr"] ?? options["host"] else { return true }
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        }
    }

    /// The database, its server and the user, for messages.
    package var summary: String {
        let host = options["host"] ?? options["hostaddr"] ?? "the local socket"
        let port = options["port"].map { ":\($0)" } ?? ""
        return "database \(options["dbname"] ?? options["user"] ?? "of the user's name") at \(host)\(port)"
    }

    private static func parse(_ url: String) throws(PostgresError) -> [(String, String)] {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let parsed = unsafe PQconninfoParse(url, &complaint) else {
            let words = unsafe complaint.map { unsafe String(cString: $0) } ?? "out of memory"
            unsafe PQfreemem(complaint)
            throw PostgresError(.unusable, message: PostgresConnection.line(words))
        }
        defer { unsafe PQconninfoFree(parsed) }
        var found: [(String, String)] = []
        var next = unsafe parsed
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                unsafe found.append((String(cString: keyword), String(cString: value)))
            }
            unsafe next += 1
        }
        return found
    }

    /// Opens a connection, within `connect_timeout` for each address of each host.
    func connect() -> OpaquePointer? {
        let pairs = options.sorted { $0.key < $1.key }
        return unsafe PostgresAddress.withCStrings(pairs.map(\.key)) { words in
            unsafe PostgresAddress.withCStrings(pairs.map(\.value)) { values in
                unsafe PQconnectdbParams(words, values, 0)
            }
        }
    }

    /// Lends the texts as C's strings, ended by a null pointer, for one call.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let bytes = texts.flatMap { $0.utf8CString }
        // The pointers lie inside `bytes`, which lives here, and each text ends with a zero.
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            var offset = 0
            for text in texts {
                unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + offset })
                offset += text.utf8.count + 1
            }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
