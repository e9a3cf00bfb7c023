package import JSONText
package import RegistryContract
internal import Transfers

/// A registry's refusal, with everything it says (RFC 9457).
package struct RegistryProblem: Equatable, Sendable {
    package let status: Int
    /// The last part of its type, which is what programs go by.
    package let code: String
    package let title: String
    package let detail: String
    /// All of it; a registry may say more than is known here.
    package let document: JSONValue
    /// The seconds after which the registry wants to be asked again, when it says so.
    package var retryAfter: Int?

    /// Larger ones are not read.
    static let byteLimit = 64 << 10

    /// `nil` when the bytes are not a problem document: proxies answer with pages of their own.
    package init?(status: Int, _ bytes: [UInt8]) {
        guard bytes.count <= RegistryProblem.byteLimit,
            let json = try? JSONDocument(parsing: bytes, limits: JSONLimits(depth: 16)).cursor
        else { return nil }
        // A member of the wrong kind does not make a refusal unreadable.
        guard let problem = (try? json.decode(as: ProblemDocument.self)) ?? RegistryProblem.essence(json.value) else {
            return nil
        }
        self.status = status
        code = problem.codeText
        title = problem.title.isEmpty ? problem.codeText : problem.title
        detail = problem.detail
        document = json.value
    }

    private static func essence(_ document: JSONValue) -> ProblemDocument? {
        guard let type = document["type"]?.string, let detail = document["detail"]?.string else { return nil }
        var problem = ProblemDocument()
        (problem.type, problem.detail, problem.title) = (type, detail, document["title"]?.string ?? "")
        return problem
    }

    /// Whether it is one of some problems.
    package func isOne(of codes: ProblemCode...) -> Bool { codes.contains { $0.rawValue == code } }
}

extension FetchError {
    /// An answer that is not what was asked for.
    init(_ answer: TransferAnswer) async {
        let bytes = answer.head.status >= 400 ? try? await answer.body.collect() : nil
        self.init(answer.head, bytes ?? [])
    }

    /// An answer that is not the archive that was asked for.
    init(inPlaceOfArchive answer: TransferAnswer) async {
        await self.init(answer)
        if case .unexpectedStatus(let status, _) = reason, status == 404 || status == 410 {
            reason = .archiveGone(status: status)
        }
    }

    /// A refusal with its body.
    init(_ head: TransferHead, _ body: [UInt8]) {
        let retryAfter = head.secondsToRetry(now: SystemClock().wallClock)
        guard head.status >= 400, var problem = RegistryProblem(status: head.status, body) else {
            self.init(.unexpectedStatus(head.status, retryAfter: retryAfter))
            return
        }
        problem.retryAfter = retryAfter
        self.init(.problem(problem))
    }
}
