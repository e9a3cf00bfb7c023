import JSONText
import RegistryClient
import RegistryContract
import WidgetConsole

/// `widget token`: makes, lists, rotates and revokes tokens.
enum RemoteTokenCommand {
    private static let name = Positional("NAME", help: "what the token is called")

    static let command = Command(
        "token", "make, list, rotate and revoke tokens of a registry",
        example: "widget token create ci --scope publish --prefix com.acme --expires 90d",
        subcommands: [
            Command(
                "create", "make a token and print it, this once",
                example: "widget token create ci --scope publish --prefix com.acme --expires 90d",
                options: [
                    Option(
                        "scope", value: "SCOPE", isRepeatable: true,
                        choices: ["read", "publish", "promote", "withdraw", "admin"],
                        help: "what it may do: read, publish, promote, withdraw, admin"),
                    Option("prefix", value: "ID", help: "the bundles it is good for; all without it"),
                    Option(
                        "channel", value: "CHANNEL", isRepeatable: true,
                        help: "a channel it may publish to and move; all without it"),
                    Option("expires", value: "TIME", help: "until when: 90d, 12h, or 2027-01-31T00:00:00Z"),
                ] + RegistryOptions.options,
                positionals: [name]),
            Command(
                "list", "list the tokens, without their secrets", example: "widget token list",
                options: RegistryOptions.options),
            Command(
                "rotate", "give a token another secret and print it, this once",
                example: "widget token rotate ci --keep 24h",
                options: [
                    Option("keep", value: "TIME", help: "for how long the present secret still works: 24h, 7d"),
                    Option("prefix", value: "ID", help: "its prefix, where several tokens have the name"),
                ] + RegistryOptions.options, positionals: [name]),
            Command(
                "revoke", "make a token worthless at once", example: "widget token revoke ci",
                options: [Option("prefix", value: "ID", help: "its prefix, where several tokens have the name")]
                    + RegistryOptions.options, positionals: [name]),
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            switch invocation.command.last {
            case "create": try await create(invocation, options)
            case "rotate": try await rotate(invocation, options)
            case "revoke": try await revoke(invocation, options)
            default: try await list(options)
            }
        }
    }

    private static func create(
        _ invocation: Invocation, _ options: RegistryOptions
    ) async throws(CommandFailure) -> ExitCode {
        let scopes = invocation.values("scope")
        guard !scopes.isEmpty else {
            throw .misuse("a token needs a scope", hints: ["add --scope publish, or read, promote, withdraw, admin"])
        }
        let channels = invocation.values("channel")
        let answer = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.createToken(
                invocation.arguments[0], scopes: scopes, prefix: invocation.value("prefix"),
                channels: channels.isEmpty ? nil : channels, expires: invocation.value("expires"))
        }
        // A registry of an earlier version ignores the member, and the token would be good for all channels.
        guard answer.value.channels == Set(channels).sorted() else {
            throw .failed(
                "the registry has made a token for all channels: it does not know of tokens for some",
                hints: ["`widget token revoke \(invocation.arguments[0])` takes it back"])
        }
        guard let secret = answer.value.secret else {
            throw .failed(
                "the registry has made the token and does not say what it is",
                hints: ["`widget token revoke \(invocation.arguments[0])` takes it back"])
        }
        return show(secret, answer.document, options)
    }

    /// Printed even with --quiet, because the registry does not show a secret again.
    private static func show(_ secret: String, _ document: JSONValue, _ options: RegistryOptions) -> ExitCode {
        guard options.output.asJSON || options.output.isQuiet == false else {
            return options.output.terminal.print(QuotedText.plain(secret) + "\n")
        }
        return options.output.print(document, QuotedText.plain(secret) + "\n")
    }

    private static func rotate(
        _ invocation: Invocation, _ options: RegistryOptions
    ) async throws(CommandFailure) -> ExitCode {
        let name = invocation.arguments[0]
        let keep: Int64?
        do throws(UnreadableParameter) {
            keep = try invocation.value("keep").map { (text) throws(UnreadableParameter) in
                try RotateOptions.keep.value(of: text)
            }
        } catch {
            throw .misuse("--keep cannot be used", hints: ["it takes \(error.expectation)"])
        }
        let answer = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.rotateToken(name, prefix: invocation.value("prefix"), keep: keep)
        }
        guard let secret = answer.value.secret else {
            throw .failed(
                "the registry has rotated the token and does not say what its secret is",
                hints: ["rotate it once more, with an administrator's token if this was its own"])
        }
        return show(secret, answer.document, options)
    }

    private static func list(_ options: RegistryOptions) async throws(CommandFailure) -> ExitCode {
        let answer = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.tokens()
        }
        var text = TextTable.text(
            ["NUMBER", "NAME", "SCOPES", "PREFIX", "CHANNELS", "EXPIRES", "LAST USED"],
            answer.value.items.map { token in
                [
                    String(token.number), token.name,
                    token.scopes.joined(separator: ",") + (token.keepsEarlierRights == true ? "*" : ""),
                    token.prefix.isEmpty ? "all" : token.prefix,
                    token.channels.isEmpty ? "all" : token.channels.joined(separator: ","),
                    token.expires ?? "never", token.lastUsed ?? "never",
                ].map(QuotedText.plain)
            })
        if answer.value.items.contains(where: { $0.keepsEarlierRights == true }) {
            text += "* made by an earlier version: publish moves every channel, withdraw restores\n"
        }
        for token in answer.value.items {
            guard let end = token.earlierSecretEnds else { continue }
            text += QuotedText.plain("\(token.name): the secret before its rotation works until \(end)") + "\n"
        }
        return options.output.print(answer.document, text)
    }

    private static func revoke(
        _ invocation: Invocation, _ options: RegistryOptions
    ) async throws(CommandFailure) -> ExitCode {
        let name = invocation.arguments[0]
        let remark = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.revokeToken(name, prefix: invocation.value("prefix"))
        }
        if let remark { options.output.terminal.warn(QuotedText.plain(remark)) }
        return options.output.print(
            { $0.object { $0.member("revoked", name) } }, QuotedText.plain("\(name) is revoked") + "\n")
    }
}
