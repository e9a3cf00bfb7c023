import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetConsole
import WidgetFiles

/// The common part of all commands that talk to a registry.
enum RemoteCommand {
    /// - Parameter address: the registry that an argument names.
    static func run(
        _ invocation: Invocation, at address: String? = nil,
        _ body: (RegistryOptions) async throws(CommandFailure) -> ExitCode
    ) async -> ExitCode {
        do throws(CommandFailure) {
            return try await body(try RegistryOptions(invocation, at: address))
        } catch {
            return error.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    /// Asks the registry.
    static func asking<Value>(
        _ body: () async throws(FetchError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(FetchError) {
            return try await body()
        } catch {
            throw .registry(error)
        }
    }

    static let identifier = Positional("ID", help: "the bundle's identifier, such as com.acme.Clock")
    static let release = Positional("RELEASE", help: "a release key, such as 1.4.0~312")
    static let channel = Option("channel", value: "CHANNEL", help: "the channel")
    static let rollout = Option(
        "rollout", value: "PCT", help: "show it to this share of hosts for now, in percent")

    /// Percent as basis points: `25`, `2.5`, `0.25`.
    static func rollout(_ invocation: Invocation) throws(CommandFailure) -> Int? {
        guard let text = invocation.value("rollout") else { return nil }
        guard let points = basisPoints(text) else {
            throw .misuse("--rollout is \(text)", hints: ["it takes percent from 0 to 100, such as 25 or 2.5"])
        }
        return points
    }

    /// Percent from 0 to 100 as basis points; `nil` for another text.
    static func basisPoints(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1] : "0"
        guard parts.count <= 2, (1...3).contains(parts[0].count), (1...2).contains(digits.count),
            (parts[0] + digits).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let whole = Int(parts[0]), let rest = Int(digits.count == 2 ? digits : digits + "0"),
            whole * 100 + rest <= Rollout.bucketCount
        else { return nil }
        return whole * 100 + rest
    }

    /// Basis points as percent.
    static func percent(_ rollout: Int) -> String {
        let rest = rollout % 100
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(rollout / 100)\(digits) %"
    }
}

/// The registry that a command talks to, its credentials, and the form of its output.
struct RegistryOptions {
    static let json = Option("json", help: "print the same facts as JSON")
    static let options = [
        Option("server", value: "URL", help: "the registry; else WIDGET_SERVER"),
        Option("token", value: "TOKEN", help: "who asks; else WIDGET_TOKEN or WIDGET_TOKEN_FILE"),
        Option("follow-elsewhere", help: "follow redirects to other hosts, without the token"),
        json, Option("quiet", letter: "q", help: "print nothing but errors"),
    ]

    let address: RegistryAddress
    let token: String?
    /// True if redirects may lead to another origin than the registry's.
    let followsElsewhere: Bool
    let output: CommandOutput

    /// Room for a token and its line end; a larger file does not hold a token.
    private static let tokenByteLimit = 4_096

    init(_ invocation: Invocation, at argument: String? = nil) throws(CommandFailure) {
        output = CommandOutput(invocation)
        followsElsewhere = invocation.has("follow-elsewhere")
        guard let text = argument ?? RegistryOptions.name(invocation) else {
            throw .misuse(
                "no registry is named",
                hints: ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names one; `widgetd serve` starts one there"]
            )
        }
        address = try rethrowing(
            try RegistryAddress(text),
            as: { (error: FetchError) in
                CommandFailure.misuse(
                    "\(error)", hints: ["--server and WIDGET_SERVER take an address such as https://widgets.example"])
            })
        token = try RegistryOptions.token(invocation)
    }

    var registry: RemoteRegistry { RemoteRegistry(address, token: token, followsElsewhere: followsElsewhere) }

    /// True if the command line or the environment names a registry.
    static func nameRegistry(_ invocation: Invocation) -> Bool { name(invocation) != nil }

    private static func name(_ invocation: Invocation) -> String? {
        invocation.value("server") ?? invocation.terminal.variable("WIDGET_SERVER")
    }

    private static func token(_ invocation: Invocation) throws(CommandFailure) -> String? {
        if let token = invocation.value("token") ?? invocation.terminal.variable("WIDGET_TOKEN") {
            return try checked(token, from: "--token or WIDGET_TOKEN")
        }
        guard let path = invocation.terminal.variable("WIDGET_TOKEN_FILE") else { return nil }
        let text: String
        do throws(FileError) {
            let file = try FileDescriptor.readingNamed(path)
            text = String(decoding: try file.read(at: 0, count: tokenByteLimit), as: UTF8.self)
        } catch {
            throw .failed("\(error)", hints: ["WIDGET_TOKEN_FILE names a file with nothing but a token in it"])
        }
        return try checked(String(text.prefix { !$0.isNewline }), from: path)
    }

    private static func checked(_ token: String, from place: String) throws(CommandFailure) -> String {
        guard token.first != "\"", token.first != "'" else {
            throw .misuse("the token from \(place) has quotation marks around it", hints: ["leave them out"])
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .misuse(
                "the text from \(place) is not a token",
                hints: ["`widget token create NAME --scope publish` makes one"])
        }
        return token
    }
}
