package import JSONText
internal import RegistryContract
package import Transfers

/// Tests a registry through its public address, including its proxies, and reports faults.
package struct RegistryProbe: Sendable {
    let address: RegistryAddress
    let token: String?
    let client: TransferClient
    /// Receives each finding as soon as it is known.
    let tell: @Sendable (ProbeFinding) -> Void

    package init(
        _ address: RegistryAddress, token: String?, client: TransferClient = TransferClient(),
        tell: @escaping @Sendable (ProbeFinding) -> Void = { _ in }
    ) {
        self.address = address
        self.token = token
        self.client = client
        self.tell = tell
    }

    /// Tries everything there is to try.
    package func run() async -> [ProbeFinding] {
        var findings: [ProbeFinding] = []
        func add(_ more: [ProbeFinding]) {
            for finding in more {
                tell(finding)
                findings.append(finding)
            }
        }
        add([encryption()])
        let (reached, facts) = await facts()
        add(reached)
        guard let facts else { return findings }
        add([await readiness(), await problems(), await tokenStanding()].compactMap { $0 })
        add(await clock())
        add([await upload(facts)])
        add([publicAddress(facts)])
        add(await forms())
        add(await archives())
        add([await events()])
        return findings
    }

    // MARK: For the other files

    func request(_ path: String, _ query: [(name: String, value: String)] = []) throws(FetchError) -> TransferRequest {
        var request = TransferRequest(.get, try address.route(path, query))
        request.token = token
        request.retries = .never
        request.limits.stall = .seconds(15)
        request.limits.total = .seconds(30)
        return request
    }

    /// An answer with any status, or the reason why there is no answer.
    struct Reply: Sendable {
        let head: TransferHead
        let body: [UInt8]
    }

    func ask(_ request: TransferRequest) async throws(FetchError) -> Reply {
        do throws(TransferError) {
            let answer = try await client.send(request)
            return Reply(head: answer.head, body: try await answer.body.collect())
        } catch {
            throw FetchError(error)
        }
    }

    func document(_ reply: Reply) -> JSONValue? {
        try? JSONValue(parsing: reply.body, limits: RemoteRegistry.jsonLimits)
    }

    /// Turns a failure to ask into a finding.
    func trying(
        _ check: String, _ body: () async throws(FetchError) -> ProbeFinding?
    ) async -> ProbeFinding? {
        do throws(FetchError) {
            return try await body()
        } catch {
            return ProbeFinding(check, .error, "\(error)", hint: "the same request with `curl -v` may tell more")
        }
    }
}

extension RegistryProbe {
    /// A little longer than a registry is ever silent.
    private static let patience = Duration.seconds(17)

    /// Checks that events of the feed arrive as they are written.
    func events() async -> ProbeFinding {
        let finding = await trying("events") { () async throws(FetchError) in
            var request = try request(RegistryPath.changes)
            request.fields = [TransferField("Accept", "text/event-stream")]
            request.limits.total = RegistryProbe.patience
            request.limits.stall = RegistryProbe.patience
            request.limits.bodyByteCount = nil
            do throws(TransferError) {
                let answer = try await client.send(request)
                guard answer.head.status == 200, answer.head["Content-Type"]?.hasPrefix("text/event-stream") == true
                else {
                    return ProbeFinding(
                        "events", .warning, "the feed is answered with \(answer.head.status)",
                        hint: "`widget watch` asks now and then instead")
                }
                _ = try await answer.body.next()
                return ProbeFinding("events", .fine, "changes are told as they happen")
            } catch {
                guard case .timedOut = error.reason else { throw FetchError(error) }
                return ProbeFinding(
                    "events", .warning, "the feed is opened, and nothing comes of it",
                    hint: "a proxy gathers it (nginx: proxy_buffering off); `widget watch` asks now and then instead")
            }
        }
        return finding ?? ProbeFinding("events", .note, "not tried")
    }
}

/// One result of probing a registry.
package struct ProbeFinding: Equatable, Sendable {
    package enum Verdict: String, Sendable {
        case fine = "ok"
        /// Could not be tried, or is only worth knowing.
        case note
        /// Works, but not as well as it should.
        case warning
        /// Hosts or publishers will meet it.
        case error
    }

    /// The check, in one word.
    package let check: String
    package let verdict: Verdict
    package let detail: String
    /// Advice on resolving it.
    package let hint: String?

    init(_ check: String, _ verdict: Verdict, _ detail: String, hint: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.hint = hint
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("check", check)
            writer.member("verdict", verdict.rawValue)
            writer.member("detail", detail)
            if let hint { writer.member("hint", hint) }
        }
    }
}
