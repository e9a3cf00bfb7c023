import HTTPWire
import JSONText
import RegistryContract
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings

/// `widgetd token`: makes, lists, rotates and revokes tokens, through the running server where there is one.
enum TokenCommand {
    private static let name = Positional("NAME", help: "what the token is called")
    /// The options that locate the registry of the tokens. The server's other options do not matter here.
    static let place = Settings.options.filter { ["config", "data"].contains($0.name) }
    private static let json = Option("json", help: "print the answer as JSON")

    static let command = Command(
        "token", "make, list, rotate and revoke tokens",
        example: "widgetd token create ci --scope publish --prefix com.acme --expires 90d",
        subcommands: [
            Command(
                "create", "make a token and print it, this once",
                example: "widgetd token create ci --scope publish --prefix com.acme --expires 90d",
                options: place + [
                    Option(
                        "scope", value: "SCOPE", isRepeatable: true,
                        choices: Token.Scope.allCases.map { Choice($0.rawValue) },
                        help: "what it may do: read, publish, promote, withdraw, admin"),
                    Option("prefix", value: "ID", help: "the bundles it is good for; all without it"),
                    Option(
                        "channel", value: "CHANNEL", isRepeatable: true,
                        help: "a channel it may publish to and move; all without it"),
                    Option("expires", value: "TIME", help: "until when: 90d, 12h, or 2027-01-31T00:00:00Z"), json,
                ], positionals: [name]),
            Command(
                "list", "list the tokens, without their secrets", example: "widgetd token list",
                options: place + [json]),
            Command(
                "rotate", "give a token another secret and print it, this once",
                example: "widgetd token rotate ci --keep 24h",
                options: place + [
                    Option("keep", value: "TIME", help: "for how long the present secret still works: 24h, 7d"),
                    Option("prefix", value: "ID", help: "its prefix, where several tokens have the name"), json,
                ], positionals: [name]),
            Command(
                "revoke", "make a token worthless at once", example: "widgetd token revoke ci",
                options: place + [
                    Option("prefix", value: "ID", help: "its prefix, where several tokens have the name"), json,
                ], positionals: [name]),
        ])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        do {
            switch invocation.command.last {
            case "create": return try create(invocation, settings)
            case "rotate": return try rotate(invocation, settings)
            case "revoke": return try revoke(invocation, settings)
            default: return try list(invocation, settings)
            }
        } catch let failure as StartFailure {
            invocation.terminal.complain(failure.message, hints: failure.hints)
            return failure.code
        } catch let problem as Problem {
            let failure = StartFailure(problem.reason ?? problem.detail, status: problem.status.rawValue)
            invocation.terminal.complain(failure.message)
            return failure.code
        } catch let error as SystemError {
            let failure = StartFailure(asking: error, data: settings.data)
            invocation.terminal.complain(failure.message, hints: failure.hints)
        } catch {
            invocation.terminal.complain("\(error)")
        }
        return .failed
    }

    private static func create(_ invocation: Invocation, _ settings: Settings) throws -> ExitCode {
        let scopes = invocation.values("scope")
        guard !scopes.isEmpty else {
            invocation.terminal.complain(
                "a token needs a scope", hints: ["add --scope publish, or read, promote, withdraw, admin"])
            return .misuse
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", invocation.arguments.first ?? "")
            if let prefix = invocation.value("prefix") { writer.member("prefix", prefix) }
            writer.key("scopes")
            writer.array { writer in for scope in scopes { writer.string(scope) } }
            let channels = invocation.values("channel")
            if !channels.isEmpty {
                writer.key("channels")
                writer.array { writer in for channel in channels { writer.string(channel) } }
            }
            if let expires = invocation.value("expires") { writer.member("expires", expires) }
        }
        let body = writer.finish()
        // Checked first: a token that could never exist is misuse, with or without a registry.
        do throws(Problem) {
            _ = try TokenDesk.token(body, now: invocation.world.clock.seconds)
        } catch {
            let isList = scopes.contains { $0.contains(",") }
            invocation.terminal.complain(
                error.detail, hints: isList ? ["give each with a flag of its own: --scope publish --scope promote"] : []
            )
            return .misuse
        }
        return try show(try TokenDoor(invocation, settings).create(body), invocation)
    }

    /// Prints the secret of a token that was made or rotated.
    private static func show(_ document: [UInt8], _ invocation: Invocation) throws -> ExitCode {
        guard !invocation.has("json") else { return invocation.terminal.print(document) }
        let secret: String = try JSONDocument(parsing: document).cursor.require("token")
        return invocation.terminal.print("\(secret)\n")
    }

    private static func rotate(_ invocation: Invocation, _ settings: Settings) throws -> ExitCode {
        let keep: Int64?
        do throws(UnreadableParameter) {
            keep = try invocation.value("keep").map { (text) throws(UnreadableParameter) in
                try RotateOptions.keep.value(of: text)
            }
        } catch {
            invocation.terminal.complain("--keep has to be \(error.expectation)")
            return .misuse
        }
        let name = invocation.arguments.first ?? ""
        let prefix = invocation.value("prefix")
        return try show(try TokenDoor(invocation, settings).rotate(name, prefix: prefix, keep: keep), invocation)
    }

    private static func list(_ invocation: Invocation, _ settings: Settings) throws -> ExitCode {
        let document = try TokenDoor(invocation, settings).list()
        guard !invocation.has("json") else { return invocation.terminal.print(document) }
        let tokens = try JSONDocument(parsing: document).cursor.require("items", as: [TokenLine].self)
        let remarks = tokens.compactMap { token in
            token.earlierSecretEnds.map { "\(token.name): the secret before its rotation works until \($0)\n" }
        }
        return invocation.terminal.print(TokenLine.table(tokens) + remarks.joined())
    }

    private static func revoke(_ invocation: Invocation, _ settings: Settings) throws -> ExitCode {
        let name = invocation.arguments.first ?? ""
        if let remark = try TokenDoor(invocation, settings).revoke(name, prefix: invocation.value("prefix")) {
            invocation.terminal.warn(remark)
        }
        guard invocation.has("json") else { return invocation.terminal.print("\(name) is revoked\n") }
        var writer = JSONWriter()
        writer.object { $0.member("revoked", name) }
        return invocation.terminal.print(writer.finish())
    }
}

/// The way to the tokens: the running server, or else the store itself, under its lock.
private struct TokenDoor {
    private let invocation: Invocation
    private let settings: Settings

    init(_ invocation: Invocation, _ settings: Settings) {
        self.invocation = invocation
        self.settings = settings
    }

    func list() throws -> [UInt8] {
        if let answer = try ask("GET", "/v1/tokens") { return answer }
        return try desk().list(for: .owner("owner"))
    }

    func create(_ body: [UInt8]) throws -> [UInt8] {
        if let answer = try ask("POST", "/v1/tokens", body) { return answer }
        let token = try TokenDesk.token(body, now: invocation.world.clock.seconds)
        let desk = try desk()
        // The record of the audit is in the store at once; the line of the log waits for a server.
        return try OfflineAudit(settings, on: invocation.terminal).note(
            .createToken,
            [
                LogField("token", token.name),
                LogField("scopes", token.scopes.map(\.rawValue).sorted().joined(separator: " ")),
                LogField("prefix", token.prefix),
            ] + (token.channels.isEmpty ? [] : [LogField("channels", token.channels.joined(separator: " "))])
        ) { try desk.create(body, by: .owner("owner"), "owner").bytes }
    }

    func rotate(_ name: String, prefix: String?, keep: Int64?) throws -> [UInt8] {
        var query: QueryText = []
        RotateOptions.keep.add(keep, to: &query)
        RotateOptions.prefix.add(prefix, to: &query)
        let written = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }.joined(separator: "&")
        if let answer = try ask("POST", RegistryPath.rotation(name) + (written.isEmpty ? "" : "?\(written)")) {
            return answer
        }
        let registry = try Housekeeping.openStore(settings, in: invocation.world)
        let desk = TokenDesk(registry, clock: invocation.world.clock)
        let document = try OfflineAudit(settings, on: invocation.terminal).note(
            .rotateToken, [LogField("token", name)]
        ) {
            try desk.rotate(name, prefix: prefix, keep: keep, by: .owner("owner"), "owner").bytes
        }
        OwnerToken.removeStale(registry, settings.data)
        return document
    }

    /// - Returns: a note for the operator, if one is useful.
    func revoke(_ name: String, prefix: String?) throws -> String? {
        let query = prefix.map { "?prefix=\(PercentEncoding.segment($0))" } ?? ""
        if let answer = try ask("DELETE", RegistryPath.token(name) + query) {
            guard !answer.isEmpty else { return nil }
            let remark: String = try JSONDocument(parsing: answer).cursor.require("remark")
            return remark
        }
        let registry = try Housekeeping.openStore(settings, in: invocation.world)
        let desk = TokenDesk(registry, clock: invocation.world.clock)
        let (_, wasLast) = try OfflineAudit(settings, on: invocation.terminal).note(
            .revokeToken, [LogField("token", name)]
        ) {
            try desk.revoke(name, prefix: prefix, by: .owner("owner"), "owner")
        }
        OwnerToken.removeStale(registry, settings.data)
        return wasLast && settings.accessPolicy.adminToken == nil ? TokenDesk.lastRemark : nil
    }

    private func desk() throws(StartFailure) -> TokenDesk {
        TokenDesk(try Housekeeping.openStore(settings, in: invocation.world), clock: invocation.world.clock)
    }

    /// The server's answer; `nil` when no server runs.
    private func ask(_ method: String, _ target: String, _ body: [UInt8] = []) throws -> [UInt8]? {
        guard let answer = try ControlSocket.ask(settings.data, method, target, body: body) else { return nil }
        guard (200..<300).contains(answer.status) else {
            let detail: String = try JSONDocument(parsing: answer.body).cursor.require("detail")
            throw StartFailure(detail, status: answer.status)
        }
        return answer.body
    }
}

/// A token as a line of a table.
private struct TokenLine: JSONDecodable {
    var number: Int
    var name: String
    var prefix: String
    var scopes: [String]
    var channels: [String]
    var keepsEarlierRights: Bool
    var expires: String?
    var lastUsed: String?
    var earlierSecretEnds: String?

    init(json: JSONCursor) throws(JSONError) {
        number = try json.require("number")
        name = try json.require("name")
        prefix = try json.require("prefix")
        scopes = try json.require("scopes")
        channels = try json.optional("channels") ?? []
        keepsEarlierRights = try json.optional("keepsEarlierRights") ?? false
        expires = try json.optional("expires")
        lastUsed = try json.optional("lastUsed")
        earlierSecretEnds = try json.optional("earlierSecretEnds")
    }

    static func table(_ tokens: [TokenLine]) -> String {
        let table = TextTable.text(
            ["NUMBER", "NAME", "SCOPES", "PREFIX", "CHANNELS", "EXPIRES", "LAST USED"],
            tokens.map { token in
                [
                    String(token.number), token.name,
                    token.scopes.joined(separator: ",") + (token.keepsEarlierRights ? "*" : ""),
                    token.prefix.isEmpty ? "all" : token.prefix,
                    token.channels.isEmpty ? "all" : token.channels.joined(separator: ","),
                    token.expires ?? "never", token.lastUsed ?? "never",
                ]
            })
        guard tokens.contains(where: \.keepsEarlierRights) else { return table }
        return table + "* made by an earlier version: publish moves every channel, withdraw restores\n"
    }
}
