import Console
import RegistryClient
import RegistryContract

/// What all commands have in common that speak to a registry.
enum RemoteCommand {
    static func run(
        _ invocation: Invocation, _ body: (RegistryOptions) async throws(CommandFailure) -> ExitCode
    ) async -> ExitCode {
        do throws(CommandFailure) {
            return try await body(try RegistryOptions(invocation))
        } catch {
            return error.show(asJSON: invocation.has("json"))
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
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1] : "0"
        guard parts.count <= 2, (1...3).contains(parts[0].count), (1...2).contains(digits.count),
            (parts[0] + digits).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let whole = Int(parts[0]), let rest = Int(digits.count == 2 ? digits : digits + "0"),
            whole * 100 + rest <= Rollout.bucketCount
        else {
            throw .misuse("--rollout is \(text)", hints: ["it takes percent from 0 to 100, such as 25 or 2.5"])
        }
        return whole * 100 + rest
    }

    /// Basis points as percent.
    static func percent(_ rollout: Int) -> String {
        let rest = rollout % 100
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(rollout / 100)\(digits) %"
    }
}
