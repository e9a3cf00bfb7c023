import JSONText
import RegistryClient
import RegistryContract
import WidgetConsole

/// `widget promote`: makes a channel show a release.
enum PromoteCommand {
    static let command = Command(
        "promote", "make a channel show a release, to all hosts or to some",
        example: "widget promote com.acme.Clock 1.4.0~312 --channel stable --rollout 25",
        options: [
            RemoteCommand.channel, RemoteCommand.rollout,
            Option("mandatory", help: "hosts update before they run the older release again"), Consent.newChannel,
        ] + RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let channel = try NamedChannel.required(invocation)
            let rollout = try RemoteCommand.rollout(invocation) ?? Rollout.bucketCount
            try await Consent.toMake(channel, of: invocation.arguments[0], invocation, at: options.registry)
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.promote(
                    invocation.arguments[0], invocation.arguments[1], channel: channel, rollout: rollout,
                    isMandatory: invocation.has("mandatory"))
            }
            return options.output.print(answer.document, ChannelText.line(answer.value) + "\n")
        }
    }
}

/// `widget rollback`: makes a channel show an earlier release.
enum RollbackCommand {
    static let command = Command(
        "rollback", "make a channel show the release that it showed before",
        example: "widget rollback com.acme.Clock --channel stable",
        options: [
            RemoteCommand.channel,
            Option("to", value: "RELEASE", help: "this release instead, which the channel showed once"),
            Option("dry-run", help: "name the release that this leads to, and change nothing"),
        ] + RegistryOptions.options,
        positionals: [RemoteCommand.identifier])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let channel = try NamedChannel.required(invocation)
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.rollback(
                    invocation.arguments[0], channel: channel, to: invocation.value("to"),
                    isDryRun: invocation.has("dry-run"))
            }
            let shown = answer.value
            guard invocation.has("dry-run") else {
                return options.output.print(answer.document, ChannelText.line(shown) + "\n")
            }
            guard shown.isDryRun == true else {
                throw .failed(
                    QuotedText.plain(
                        "the registry knows no --dry-run here: it has rolled \(shown.name) back to \(shown.release)"),
                    hints: ["`widget promote` shows the earlier release again"])
            }
            let text = "\(shown.name) would show \(shown.release), to all hosts; nothing was changed"
            return options.output.print(answer.document, QuotedText.plain(text) + "\n")
        }
    }
}

/// `widget channel`: deletes a channel.
enum ChannelCommand {
    static let command = Command(
        "channel", "delete a channel of a bundle",
        example: "widget channel delete com.acme.Clock beta --yes",
        subcommands: [
            Command(
                "delete", "delete a channel; its releases stay",
                example: "widget channel delete com.acme.Clock beta --yes",
                options: [Consent.yes] + RegistryOptions.options,
                positionals: [RemoteCommand.identifier, Positional("CHANNEL", help: "the channel's name")])
        ])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let (bundle, channel) = (invocation.arguments[0], invocation.arguments[1])
            try Consent.toDelete(channel, of: bundle, invocation)
            try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.deleteChannel(bundle, channel)
            }
            return options.output.print(
                { writer in
                    writer.object { writer in
                        writer.member("bundleIdentifier", bundle)
                        writer.member("deleted", channel)
                    }
                }, QuotedText.plain("\(bundle): channel \(channel) is deleted") + "\n")
        }
    }
}

/// The channel that a command changes; the user has to name it.
private enum NamedChannel {
    static func required(_ invocation: Invocation) throws(CommandFailure) -> String {
        guard let channel = invocation.value("channel") else {
            throw .misuse("which channel?", hints: ["`--channel stable` says so"])
        }
        return channel
    }
}

/// `widget withdraw`: takes a release back.
enum WithdrawCommand {
    static let command = Command(
        "withdraw", "take a release back: hosts no longer get it",
        example: "widget withdraw com.acme.Clock 1.4.0~312 --reason 'crashes on launch'",
        options: [
            Option("reason", value: "TEXT", help: "why; shown to clients that ask for it"),
            Option(
                "directive", value: "WORD", choices: WithdrawalDirective.allCases.map { Choice($0.rawValue) },
                help: "the duty of hosts that have it: \(WithdrawalDirective.choice); keep if not given"),
        ]
            + RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            guard let reason = invocation.value("reason"), !reason.isEmpty else {
                throw .misuse("why?", hints: ["`--reason TEXT` says so to clients that ask for the release"])
            }
            let word = invocation.value("directive")
            let directive = word.flatMap(WithdrawalDirective.init(rawValue:))
            if let word, directive == nil {
                throw .misuse("--directive is \(word)", hints: ["it can be \(WithdrawalDirective.choice)"])
            }
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.withdraw(
                    invocation.arguments[0], invocation.arguments[1], reason: reason, directive: directive)
            }
            return options.output.print(
                answer.document,
                QuotedText.plain("\(answer.value.bundleIdentifier) \(answer.value.key) is withdrawn: \(reason)") + "\n")
        }
    }
}

/// `widget restore`: brings a withdrawn release back.
enum RestoreReleaseCommand {
    static let command = Command(
        "restore", "bring a withdrawn release back, as long as it is kept",
        example: "widget restore com.acme.Clock 1.4.0~312",
        options: RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let answer = try await RemoteCommand.asking { () async throws(FetchError) in
                try await options.registry.restore(invocation.arguments[0], invocation.arguments[1])
            }
            return options.output.print(
                answer.document,
                QuotedText.plain("\(answer.value.bundleIdentifier) \(answer.value.key) is back") + "\n")
        }
    }
}
