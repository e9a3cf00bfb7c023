import Arguments
import Console
import JSONText
import RegistryClient
import RegistryContract

/// `widget token`: makes, lists and revokes tokens.
enum TokenCommand {
    private static let name = Positional("NAME", help: "what the token is called")

    static let command = Command(
        "token", "make, list and revoke tokens of a registry",
        example: "widget token create ci --scope publish --prefix com.acme --expires 90d",
        subcommands: [
            Command(
                "create", "make a token and print it, this once",
                example: "widget token create ci --scope publish --prefix com.acme --expires 90d",
                options: [
                    Option(
                        "scope", value: "SCOPE", isRepeatable: true,
                        help: "what it may do: read, publish, promote, withdraw, admin"),
                    Option("prefix", value: "ID", help: "the bundles it is good for; all without it"),
                    Option("expires", value: "TIME", help: "until when: 90d, 12h, or 2027-01-31T00:00:00Z"),
                ] + RegistryOptions.options,
                positionals: [name]),
            Command(
                "list", "list the tokens, without their secrets", example: "widget token list",
                options: RegistryOptions.options),
            Command(
                "revoke", "make a token worthless at once", example: "widget token revoke ci",
                options: [Option("prefix", value: "ID", help: "its prefix, where several tokens have the name")]
                    + RegistryOptions.options, positionals: [name]),
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            switch invocation.command.last {
            case "create": try await create(invocation, options)
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
        let told = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.createToken(
                invocation.arguments[0], scopes: scopes, prefix: invocation.value("prefix"),
                expires: invocation.value("expires"))
        }
        guard let secret = told.value.secret else {
            throw .failed(
                "the registry has made the token and does not say what it is",
                hints: ["`widget token revoke \(invocation.arguments[0])` takes it back"])
        }
        // Not to be silenced: nobody can ask for it again.
        guard options.output.asJSON || options.output.isQuiet == false else {
            return Terminal.print(QuotedText.plain(secret) + "\n")
        }
        return options.output.print(told.document, QuotedText.plain(secret) + "\n")
    }

    private static func list(_ options: RegistryOptions) async throws(CommandFailure) -> ExitCode {
        let told = try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.tokens()
        }
        return options.output.print(
            told.document,
            TextTable.text(
                ["NUMBER", "NAME", "SCOPES", "PREFIX", "EXPIRES", "LAST USED"],
                told.value.items.map { token in
                    [
                        String(token.number), token.name, token.scopes.joined(separator: ","), token.prefix.isEmpty ? "all" : token.prefix,
                        token.expires ?? "never", token.lastUsed ?? "never",
                    ].map(QuotedText.plain)
                }))
    }

    private static func revoke(
        _ invocation: Invocation, _ options: RegistryOptions
    ) async throws(CommandFailure) -> ExitCode {
        let name = invocation.arguments[0]
        try await RemoteCommand.asking { () async throws(FetchError) in
            try await options.registry.revokeToken(name, prefix: invocation.value("prefix"))
        }
        return options.output.print(
            { $0.object { $0.member("revoked", name) } }, QuotedText.plain("\(name) is revoked") + "\n")
    }
}
