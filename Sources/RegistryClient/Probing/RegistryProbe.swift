internal import JSONText
package import Transfers

/// Tries a registry through its public address, proxies and all, and says what is wrong with it.
package struct RegistryProbe: Sendable {
    let address: RegistryAddress
    let token: String?
    let client: TransferClient
    /// Told of each finding as soon as it is known.
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

    /// An answer, whatever its status, or why there is none.
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
