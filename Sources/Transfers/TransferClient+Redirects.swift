internal import Bytes

extension TransferClient {
    /// One attempt: the request, and wherever servers send it.
    func follow(_ request: TransferRequest, timeLeft: Duration?) async throws(TransferError) -> TransferAnswer {
        let home = request.url
        var request = request
        let deadline = timeLeft.map { clock.now + $0 }
        var redirects = 0
        while true {
            guard request.policy?.allows(request.url) ?? true else {
                throw TransferError(.addressRefused(request.url.withoutQuery), request.url)
            }
            request.limits.total = deadline.map { $0 - clock.now }
            if let left = request.limits.total, left <= .zero { throw TransferError(.timedOut(.total), request.url) }
            let answer: TransferAnswer
            do throws(TransferError) {
                answer = try await transport.exchange(request)
            } catch {
                throw redirects == 0 ? error : error.afterRedirect()
            }
            guard answer.head.isRedirect, let location = answer.head["Location"] else { return answer }
            answer.body.cancel()
            redirects += 1
            guard redirects <= request.limits.redirects else {
                throw TransferError(.limitReached(.redirects, request.limits.redirects), request.url)
            }
            request = try TransferClient.redirected(request, by: answer.head, to: location)
            guard request.followsElsewhere || home.isAtHome(request.url) else {
                throw TransferError(.redirectedElsewhere(to: request.url.withoutQuery), answer.head.url)
            }
        }
    }

    private static func redirected(
        _ request: TransferRequest, by head: TransferHead, to location: String
    ) throws(TransferError) -> TransferRequest {
        var next = request
        next.url = try rethrowing(as: { TransferError(.redirectRefused(to: $0.address), request.url) }) {
            () throws(TransferError) in try request.url.resolving(location)
        }
        // What was encrypted stays so. And a request that changes something is repeated as it is or not at all: as a
        // GET, which 301 to 303 may turn it into, it would only seem to have been heard.
        let isDowngrade = request.url.scheme == .https && next.url.scheme == .http
        let isRepeated = request.method == .get || request.method == .head || [307, 308].contains(head.status)
        guard !isDowngrade, isRepeated else {
            throw TransferError(.redirectRefused(to: next.url.withoutQuery), request.url)
        }
        if !next.url.hasSameOrigin(as: request.url) {
            next.token = nil
            // Any other may say who asks: services call such fields as they like.
            next.fields.removeAll { field in !harmless.contains { $0.hasSameLetters(as: field.name) } }
        }
        return next
    }

    /// What says how to answer or what is sent, and nothing of who asks.
    private static let harmless = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Content-Digest", "Content-Encoding",
        "Content-Language", "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
        "If-Unmodified-Since", "Last-Event-ID", "Range", "User-Agent",
    ]
}

extension TransferHead {
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}
