import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: callers read and write only what the contract allows them. Method: every operation of the OpenAPI document is
/// requested with every token, about every bundle; the document and the token say which answers are allowed.
@Suite("Scopes, prefixes and channels") struct AccessMatrixTests {
    private static func document(_ cast: MatrixCast) throws -> JSONValue {
        try JSONValue(parsing: try cast.service.get("/openapi.json").body)
    }

    private static func complaints(
        _ cast: MatrixCast, _ operations: [MatrixOperation], _ tokens: [TokenSpecimen]
    ) throws -> AccessMatrix {
        var matrix = AccessMatrix(cast, operations, tokens)
        try matrix.run()
        return matrix
    }

    @Test("Scopes, prefixes and channels give exactly the rights that the OpenAPI document and the token say")
    func rights() throws {
        let cast = try MatrixCast()
        let operations = MatrixOperation.all(of: try Self.document(cast))
        let matrix = try Self.complaints(cast, operations, cast.tokens)
        #expect(matrix.complaints.count == 0, "\(matrix.complaints.prefix(20).joined(separator: "\n"))")
        #expect(matrix.requestCount > 5_000)
        for operation in operations where operation.scopes != nil {
            #expect(matrix.allowed.contains(operation.name), "\(operation.name) was never allowed")
            #expect(matrix.refused.contains(operation.name), "\(operation.name) was never refused")
        }
        let moving = Set(operations.filter { $0.movesChannel }.map(\.name))
        #expect(!moving.isEmpty && matrix.refusedByChannel == moving)
    }

    @Test("The matrix fails if a token's prefix is declared wrongly") func misdeclaredPrefix() throws {
        let cast = try MatrixCast()
        let operations = MatrixOperation.all(of: try Self.document(cast)).filter { $0.name == "getBundle" }
        let tokens = cast.tokens.filter { $0.name == "acme" }.map { token in
            var token = token
            token.prefix = "org.other"
            return token
        }
        let complaints = try Self.complaints(cast, operations, tokens).complaints
        #expect(complaints.contains { $0.hasPrefix("getBundle, acme, closed, own: ") }, "\(complaints)")
    }

    @Test(
        "The matrix fails if an operation's scope is declared wrongly",
        arguments: [("withdraw", "publish"), ("setChannel", "withdraw"), ("publish", "promote")])
    func misdeclaredScope(_ name: String, _ scope: String) throws {
        let cast = try MatrixCast()
        let operations = try operations(cast, changing: name, security: #"[{"bearer":["\#(scope)"]}]"#)
        let complaints = try Self.complaints(cast, operations, cast.tokens).complaints
        #expect(complaints.contains { $0.hasPrefix("\(name), acme-\(scope), ") }, "\(complaints)")
    }

    @Test(
        "The matrix fails if an operation names no scope",
        arguments: [#"[{"bearer":[]}]"#, #"[{},{"bearer":[]}]"#, #"[{"other":["read"]}]"#, "null"])
    func undeclaredScope(_ security: String) throws {
        let cast = try MatrixCast()
        let operations = try operations(cast, changing: "getBundle", security: security)
        let complaints = try Self.complaints(cast, operations, cast.tokens).complaints
        #expect(complaints == ["getBundle: the document does not say which scope it wants"])
    }

    /// One operation, with other security requirements.
    private func operations(_ cast: MatrixCast, changing name: String, security: String) throws -> [MatrixOperation] {
        func changed(_ value: JSONValue) throws -> JSONValue {
            guard let object = value.object else { return value }
            let isMeant = object["operationId"]?.string == name
            let members = try object.members.map { member in
                JSONObject.Member(
                    member.name,
                    isMeant && member.name == "security"
                        ? try JSONValue(parsing: Array(security.utf8)) : try changed(member.value))
            }
            return JSONValue(.object(try #require(JSONObject(members))))
        }
        return MatrixOperation.all(of: try changed(try Self.document(cast))).filter { $0.name == name }
    }
}

/// The requests of the matrix, and all that was not as forecast.
private struct AccessMatrix {
    private(set) var complaints: [String] = []
    private(set) var requestCount = 0
    /// Names of operations that were asked for with and without the right to them.
    private(set) var allowed: Set<String> = []
    private(set) var refused: Set<String> = []
    /// The operations that a token was refused for its channels alone.
    private(set) var refusedByChannel: Set<String> = []
    /// The names of tokens that were made and revoked, which each happens once.
    private var made: Set<String> = []
    private var revoked: Set<String> = []

    private let cast: MatrixCast
    private let operations: [MatrixOperation]
    private let tokens: [TokenSpecimen]
    private var connection: Conversation?

    init(_ cast: MatrixCast, _ operations: [MatrixOperation], _ tokens: [TokenSpecimen]) {
        self.cast = cast
        self.operations = operations
        self.tokens = tokens
    }

    private struct Row {
        let operation: MatrixOperation
        let token: TokenSpecimen
        let isClosed: Bool
        let target: MatrixTarget

        var name: String { "\(operation.name), \(token.name), \(isClosed ? "closed" : "public"), \(target.family)" }

        /// True where the token's channels, and nothing else, forbid the request.
        var isOfAnotherChannel: Bool {
            operation.movesChannel && !token.moves(MatrixCast.channel) && token.state == .valid
                && token.has(operation.scopes ?? []) && token.covers(target.bundle)
        }

        /// The status of the refusal that has to come; `nil` where the request is within the rights.
        var refusal: Int? {
            guard let requirements = operation.requirements, let scopes = operation.scopes,
                isClosed || !requirements.contains([])
            else { return nil }
            guard token.state == .valid else { return 401 }
            if operation.takesAnyScope { return token.covers(target.bundle) ? nil : 404 }
            if operation.isReading {
                // A list holds the bundles its reader may see; a hidden bundle is not found.
                return !operation.isAboutBundle || (token.has(scopes) && token.covers(target.bundle)) ? nil : 404
            }
            guard token.has(scopes), !operation.isAboutBundle || token.covers(target.bundle) else { return 403 }
            if isOfAnotherChannel { return 403 }
            return operation.isAboutToken && !token.covers(target.bundle) ? 404 : nil
        }
    }

    mutating func run() throws {
        var isSound = true
        for operation in operations where operation.requirements == nil {
            complaints.append("\(operation.name): the document does not say which scope it wants")
            isSound = false
        }
        guard isSound else { return }
        // Reading is the same for all until something is written, and refused requests write nothing.
        for isClosed in [false, true] {
            cast.service.knobs.withLock { $0.closesReads = isClosed }
            for operation in operations where operation.isReading || isClosed {
                try ask(operation, isClosed: isClosed, refused: true)
            }
            for operation in operations where operation.isReading {
                try ask(operation, isClosed: isClosed, refused: false)
            }
        }
        for operation in operations where !operation.isReading {
            try ask(operation, isClosed: true, refused: false)
        }
    }

    private mutating func ask(_ operation: MatrixOperation, isClosed: Bool, refused: Bool) throws {
        let rows = tokens.map { token in
            cast.targets.map { Row(operation: operation, token: token, isClosed: isClosed, target: $0) }
                .filter { ($0.refusal != nil) == refused }
        }
        for rows in rows where !rows.isEmpty {
            if refused {
                let before = operation.isReading ? "" : try cast.state()
                for (_, family) in Dictionary(grouping: rows, by: \.target.family) { try expectRefusals(family) }
                if !operation.isReading, try cast.state() != before {
                    complaints.append("\(rows[0].name): a refused request changed something")
                }
            } else {
                for row in rows { try expectSuccess(row) }
            }
        }
    }

    /// About all that is and is not, in one family, the same is said.
    private mutating func expectRefusals(_ rows: [Row]) throws {
        var said: Set<String> = []
        for row in rows {
            if row.isOfAnotherChannel { refusedByChannel.insert(row.operation.name) }
            refused.insert(row.operation.name)
            let answer = try send(row)
            check(row, answer, isHead: false)
            said.insert(AccessMatrix.normalized(answer, row.target))
            guard row.operation.method == "GET" else { continue }
            check(row, try send(row, method: "HEAD"), isHead: true)
            check(row, try send(row, "If-None-Match: *\r\nIf-Match: \"none\"\r\nRange: bytes=0-0\r\n"), isHead: false)
        }
        if said.count > 1 { complaints.append("\(rows[0].name): refusals differ: \(said.sorted())") }
    }

    private mutating func check(_ row: Row, _ answer: WireAnswer, isHead: Bool) {
        guard answer.status == row.refusal else {
            return complaints.append("\(row.name): \(answer.status) instead of \(row.refusal ?? 0)")
        }
        let declared = row.operation.problems["\(answer.status)"]
        if declared == nil || !isHead && declared?.contains(answer.problemCode ?? "") == false {
            complaints.append("\(row.name): \(answer.status) \(answer.problemCode ?? "") is not declared")
        }
    }

    private mutating func expectSuccess(_ row: Row) throws {
        allowed.insert(row.operation.name)
        let answer = try send(row)
        let isThere = row.target.kind == .shown || row.target.kind == .withdrawn
        let isGone = answer.status == 410 && row.target.kind == .withdrawn
        if answer.status == 401 || answer.status == 403 {
            complaints.append("\(row.name): \(answer.status) although the token is good for it")
        } else if !row.operation.isReading, row.operation.scopes != nil {
            let status = allowedStatus(row)
            guard status == answer.status else {
                complaints.append(
                    "\(row.name), \(row.target.kind): \(answer.status) instead of \(status.map(String.init) ?? "nothing")"
                )
                return
            }
        } else if row.operation.isReading, isThere, answer.status >= 400, !isGone {
            complaints.append("\(row.name), \(row.target.kind): \(answer.status) \(answer.problemCode ?? "")")
        }
        guard row.isClosed || !row.operation.isReading, !row.operation.isAboutBundle, row.operation.scopes != nil else {
            return
        }
        for target in cast.targets where !(row.token.has(row.operation.scopes ?? []) && row.token.covers(target.bundle))
        {
            for name in [target.bundle, "\"\(target.tokenName)\""] where answer.text.contains(name) {
                complaints.append("\(row.name): the answer names \(name)")
            }
        }
    }

    /// The status of an allowed write; `nil` for one that the matrix does not know.
    ///
    /// Writes come in the order of the document, so all releases are withdrawn before they are restored, and both are
    /// there when channels are rolled back. Channels do not move: uploads are rehearsed, and no entity tag matches.
    private mutating func allowedStatus(_ row: Row) -> Int? {
        let target = row.target
        let isThere = target.kind == .shown || target.kind == .withdrawn
        switch row.operation.name {
        // Other content under a used key.
        case "publish", "publishUnnamed", "publishFile", "publishAsserting": return isThere ? 409 : 200
        case "setChannel": return target.kind == .shown ? 412 : target.kind == .withdrawn ? 410 : 404
        case "deleteChannel": return 428
        case "withdraw", "restore": return isThere ? 200 : 404
        case "rollBack": return isThere ? 412 : 404
        case "listTokens", "listAudit": return 200
        case "getOutcomes": return isThere ? 200 : 404
        case "createToken": return made.insert(target.bundle).inserted ? 201 : 409
        // Its own token is not among those of the matrix.
        case "rotateToken": return isThere && !revoked.contains(target.tokenName) ? 200 : 404
        case "revokeToken": return isThere && revoked.insert(target.tokenName).inserted ? 204 : 404
        default: return nil
        }
    }

    /// The answer with the names of its subject taken out, and all that every answer has anew.
    private static func normalized(_ answer: WireAnswer, _ target: MatrixTarget) -> String {
        var text = "\(answer.status)\n"
        for field in answer.fields.sorted(by: { $0.name < $1.name })
        where !["date", "request-id"].contains(field.name.lowercased()) {
            text += "\(field.name): \(field.value)\n"
        }
        text += answer.text
        let names = [target.bundle, target.key, target.digest, target.tokenName, answer.value("Request-Id") ?? ""]
        for name in names where !name.isEmpty { text = text.replacing(name, with: "…") }
        return text
    }

    private mutating func send(_ row: Row, method: String? = nil, _ condition: String = "") throws -> WireAnswer {
        requestCount += 1
        let method = method ?? row.operation.method
        let (body, fields) = row.operation.content(row.target)
        let secret = row.token.secret
        let head =
            "\(method) \(try row.operation.target(row.target)) HTTP/1.1\r\nHost: test\r\n"
            + (secret.isEmpty ? "" : "Authorization: Bearer \(secret)\r\n") + fields + condition
            + (body.isEmpty ? "\r\n" : "Content-Length: \(body.count)\r\n\r\n")
        let conversation = try connection ?? Conversation(try cast.service.connect())
        conversation.connection.send(Array(head.utf8) + body)
        let answer = try conversation.next(isHead: method == "HEAD")
        connection = answer.closes ? nil : conversation
        return answer
    }
}
