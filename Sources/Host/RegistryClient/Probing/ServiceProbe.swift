internal import JSONText
internal import RegistryContract
internal import WidgetFiles
internal import WidgetSurroundings
internal import WidgetTransfers

extension RegistryProbe {
    func encryption() -> ProbeFinding {
        guard address.url.scheme == .http else { return ProbeFinding("encryption", .fine, "the address is https") }
        if ["127.0.0.1", "localhost", "[::1]"].contains(address.url.host) {
            return ProbeFinding("encryption", .fine, "plain http, but the registry is on this machine")
        }
        return ProbeFinding(
            "encryption", .warning, "plain http: tokens and bundles can be read and changed on the way",
            hint: "put a proxy with TLS in front, and use its https address")
    }

    /// Checks that the registry can be reached, and reads its description of itself.
    func facts() async -> ([ProbeFinding], WellKnownDocument?) {
        let clock = client.world.clock
        let start = clock.now
        let reply: Reply
        do throws(FetchError) {
            reply = try await ask(try request(RegistryPath.wellKnown))
        } catch {
            return ([ProbeFinding("reachable", .error, "\(error)", hint: hint(for: error))], nil)
        }
        let time = clock.now - start
        var findings: [ProbeFinding] = []
        if reply.head.url != (try? address.route(RegistryPath.wellKnown)) {
            findings.append(
                ProbeFinding(
                    "redirect", .warning, "requests are sent on to \(reply.head.url.withoutQuery)",
                    hint: "use that address: hosts do not follow to another origin, and tokens are not sent along"))
        }
        guard reply.head.status == 200,
            let facts = try? JSONDocument(parsing: reply.body).cursor.decode(as: WellKnownDocument.self)
        else {
            findings.append(
                ProbeFinding(
                    "reachable", .error, "something answers, with status \(reply.head.status), and it is no registry",
                    hint: "check the path: \(RegistryPath.wellKnown) is asked for below the address given"))
            return (findings, nil)
        }
        findings.append(ProbeFinding("reachable", .fine, "\(facts.server) answers within \(milliseconds(time)) ms"))
        findings.append(
            facts.versions.contains("v1")
                ? ProbeFinding("version", .fine, "it keeps version v1 of the contract")
                : ProbeFinding(
                    "version", .error, "it keeps \(facts.versions.joined(separator: ", ")), and v1 is spoken here",
                    hint: "use a `widget` of the registry's age"))
        let limits = facts.limits.members.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        findings.append(ProbeFinding("limits", .note, limits.isEmpty ? "it tells of none" : limits))
        return (findings, facts)
    }

    func hint(for error: FetchError) -> String {
        guard case .transfer(let failure) = error.reason else { return "the address may lack the registry's path" }
        return switch failure.reason {
        case .unknownHost: "check the name's spelling, and that this machine can look names up"
        case .noConnection: "check the port, that the server runs (`systemctl status`, `docker ps`), and firewalls"
        case .tls: "check the certificate: its name, its date, and that its chain is complete"
        case .timedOut(.handshake): "this port may speak plain http; if not, the server is overloaded"
        case .timedOut: "a firewall may swallow the packets, or the server is overloaded"
        default: "the same request with `curl -v` may tell more"
        }
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    func readiness() async -> ProbeFinding? {
        await trying("ready") { () async throws(FetchError) in
            let reply = try await ask(try request("/readyz"))
            if reply.head.status == 200 { return ProbeFinding("ready", .fine, "it is ready") }
            return ProbeFinding(
                "ready", .error, "it says that it is not: \(String(decoding: reply.body.prefix(300), as: UTF8.self))",
                hint: "its log tells more")
        }
    }

    /// Checks that problem documents arrive as they were sent.
    func problems() async -> ProbeFinding? {
        await trying("problems") { () async throws(FetchError) in
            let reply = try await ask(try request("/v1/doctor"))
            if reply.head.status == 404, RegistryProblem(status: 404, reply.body) != nil {
                return ProbeFinding("problems", .fine, "refusals arrive as problem documents")
            }
            return ProbeFinding(
                "problems", .warning, "a refusal arrives as status \(reply.head.status) without its document",
                hint: "a proxy replaces error pages (nginx: proxy_intercept_errors off)")
        }
    }

    /// The rights of the token; `nil` without one.
    func tokenStanding() async -> ProbeFinding? {
        guard token != nil else { return nil }
        return await trying("token") { () async throws(FetchError) in
            let status = try await ask(try request(RegistryPath.tokens)).head.status
            return switch status {
            case 200: ProbeFinding("token", .fine, "it may do everything, administration included")
            case 403: ProbeFinding("token", .fine, "it is known; it may not administer")
            case 401:
                ProbeFinding(
                    "token", .error, "it is not known there, or has expired",
                    hint: "`widget token create NAME --scope publish` makes a new one")
            default: ProbeFinding("token", .warning, "asked about it, the registry answers \(status)")
            }
        }
    }

    /// Checks that both clocks agree.
    func clock() async -> [ProbeFinding] {
        let finding = await trying("clock") { () async throws(FetchError) in
            let reply = try await ask(try request("/v1/doctor"))
            guard let there = reply.head["Date"].flatMap(HTTPDateText.seconds) else {
                return ProbeFinding("clock", .warning, "answers have no date", hint: "a proxy takes it away")
            }
            let skew = there - client.now
            guard abs(skew) > 60 else { return ProbeFinding("clock", .fine, "both clocks agree") }
            return ProbeFinding(
                "clock", .warning,
                "the registry's clock is \(abs(skew)) s \(skew < 0 ? "behind" : "ahead of") this one",
                hint: "caches and tokens expire early or late; let both machines keep time (chrony, systemd-timesyncd)")
        }
        return [finding].compactMap { $0 }
    }

    /// More than proxies let through by default.
    private static let uploadProbeByteCount = 2 << 20

    /// Checks that an upload of some size reaches the registry, which must refuse it because it has no token.
    func upload(_ facts: WellKnownDocument) async -> ProbeFinding {
        let finding = await trying("upload") { () async throws(FetchError) in
            var request = try request(RegistryPath.bundles)
            request.method = .post
            request.token = nil
            request.expectsContinue = true
            request.isRepeatable = false
            request.fields = [TransferField("Content-Type", "application/zip")]
            request.body = .bytes([UInt8](repeating: 0, count: RegistryProbe.uploadProbeByteCount))
            let reply = try await ask(request)
            switch reply.head.status {
            case 401: return ProbeFinding("upload", .fine, "uploads reach the registry, which asks for a token")
            case 413 where RegistryProblem(status: 413, reply.body) == nil:
                return ProbeFinding(
                    "upload", .error, "a proxy refuses uploads of \(RegistryProbe.uploadProbeByteCount) bytes",
                    hint: "raise its limit to the registry's (nginx: client_max_body_size 0)")
            default:
                return ProbeFinding(
                    "upload", .warning, "an upload without a token is answered with \(reply.head.status), not 401",
                    hint: "check what stands between here and the registry")
            }
        }
        return finding ?? ProbeFinding("upload", .note, "not tried")
    }
}
