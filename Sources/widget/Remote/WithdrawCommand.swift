import Console
import RegistryClient
import RegistryContract

/// `widget withdraw`: takes a release back.
enum WithdrawCommand {
    static let command = Command(
        "withdraw", "take a release back: nobody is sent it any more",
        example: "widget withdraw com.acme.Clock 1.4.0~312 --reason 'crashes on launch'",
        options: [Option("reason", value: "TEXT", help: "why, for whoever asks for it")] + RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            guard let reason = invocation.value("reason"), !reason.isEmpty else {
                throw .misuse("why?", hints: ["`--reason TEXT` says so to whoever asks for the release"])
            }
            let told = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.withdraw(invocation.arguments[0], invocation.arguments[1], reason: reason)
            }
            return options.output.print(
                told.document,
                QuotedText.plain("\(told.value.bundleIdentifier) \(told.value.key) is withdrawn: \(reason)") + "\n")
        }
    }
}

/// `widget restore`: brings a withdrawn release back.
enum RestoreCommand {
    static let command = Command(
        "restore", "bring a withdrawn release back, as long as it is kept",
        example: "widget restore com.acme.Clock 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let told = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.restore(invocation.arguments[0], invocation.arguments[1])
            }
            return options.output.print(
                told.document, QuotedText.plain("\(told.value.bundleIdentifier) \(told.value.key) is back") + "\n")
        }
    }
}
