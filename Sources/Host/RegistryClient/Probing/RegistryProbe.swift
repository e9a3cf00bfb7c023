package import JSONText
internal import RegistryContract
internal import WidgetSurroundings
package import WidgetTransfers

/// Tests a registry through its public address, including its proxies, and reports faults.
package struct RegistryProbe: Sendable {
    let address: RegistryAddress
    let token: String?
    let client: TransferClient
    /// False if documents are asked for where the address is and nowhere else, as hosts do.
    var followsElsewhere = true
    /// The time at which all requests end.
    var end: ContinuousClock.Instant?
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
        request.followsElsewhere = followsElsewhere
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
        var request = request
        if let end {
            let left = end - client.world.clock.now
            request.limits.total = min(request.limits.total ?? left, left)
        }
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

    /// The most characters of a detail and of a hint, which may have text of the server.
    static let textLimit = 600

    init(_ check: String, _ verdict: Verdict, _ detail: String, hint: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = ProbeFinding.cut(detail, to: ProbeFinding.textLimit)
        self.hint = hint.map { ProbeFinding.cut($0, to: ProbeFinding.textLimit) }
    }

    /// The beginning of a text of the server. A character may have any number of code points, so these are counted.
    static func cut(_ text: String, to count: Int = 200) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
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
