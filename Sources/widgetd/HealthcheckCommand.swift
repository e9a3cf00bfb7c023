import Addresses
import Configuration
import Console
import JSONText
import Sockets

/// `widgetd healthcheck`: asks the configured server whether it is ready, for a container's own check.
enum HealthcheckCommand {
    static let command = Command(
        "healthcheck", "exit 0 when the server answers /readyz with 200",
        example: "widgetd healthcheck --listen 127.0.0.1:8080",
        options: Settings.options.filter { ["config", "listen"].contains($0.name) } + [
            Option("json", help: "print what /readyz answers")
        ])

    static func run(_ invocation: Invocation, _ loaded: LoadedSettings<Settings>) -> ExitCode {
        guard let address = loaded.settings.listen.first else { return .misuse }
        do {
            let endpoint = try Endpoint(address)
            let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = try Probe.exchange(Array(request.utf8), with: endpoint.reachable, seconds: 5)
            let status = String(decoding: answer.prefix(12), as: UTF8.self)
            let body = ControlSocket.parse(answer)?.body ?? []
            if invocation.has("json"), !body.isEmpty { _ = Terminal.print(body) }
            guard status == "HTTP/1.1 200" else {
                let line = String(decoding: answer.prefix { $0 != 0x0D }, as: UTF8.self)
                let reasons = failures(body)
                Terminal.complain(
                    "the server at \(endpoint.reachable) is not ready: "
                        + (reasons.isEmpty ? line : reasons.joined(separator: "; ")))
                return .failed
            }
            return .clean
        } catch let mistake as Endpoint.Mistake {
            Terminal.complain("cannot ask \(address): \(mistake.explanation)")
        } catch {
            Terminal.complain("no answer from \(address): \(error)", hints: ["is the server running?"])
        }
        return .failed
    }

    /// What does not hold, as the answer says.
    private static func failures(_ body: [UInt8]) -> [String] {
        guard let errors = try? JSONDocument(parsing: body).cursor.member("errors")?.elements() else { return [] }
        return errors.compactMap { error in
            guard let check: String = try? error.require("code"), let detail: String = try? error.require("detail")
            else {
                return nil
            }
            return "\(check): \(detail)"
        }
    }
}
