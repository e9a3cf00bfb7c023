internal import JSONText
internal import WidgetBytes
package import WidgetCore
internal import WidgetHosting
internal import WidgetPredicates
internal import WidgetRunning
internal import WidgetSurroundings
package import WidgetTransfers

/// The real network, within the grant.
package struct WebNetwork: WidgetNetwork {
    /// The time for an answer, all attempts included.
    package static let answerTime = Duration.seconds(60)
    let client: TransferClient
    let grant: NetworkGrant
    /// Answers from before; without them, every answer is asked for as a whole.
    private var answers: KeptAnswers?
    /// Sees each granted request before it goes.
    private(set) var review: RequestReview?
    private(set) var pictures: WebPictures

    package init(_ grant: NetworkGrant, client: TransferClient = TransferClient()) {
        self.client = client
        self.grant = grant
        pictures = WebPictures(clock: client.world.clock)
    }

    /// The same network, which asks what was answered before only on condition that it has changed.
    package func keeping(_ answers: KeptAnswers) -> WebNetwork {
        var network = self
        network.answers = answers
        return network
    }

    /// The same network, whose requests an app sees before they go.
    package func reviewed(by review: @escaping RequestReview) -> WebNetwork {
        var network = self
        network.review = review
        // What an app lets one of its users see is not another's.
        network.pictures = WebPictures(clock: client.world.clock)
        return network
    }

    package func takeNotice() -> String? { answers?.takeMishap() }

    package func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        var secrets = KeptSecrets()
        do throws(TransferError) {
            var transfer = try transfer(request)
            if let review {
                switch try await WebNetwork.reviewed(transfer, by: review) {
                case .outcome(let outcome): return outcome
                case .send(let added):
                    transfer.confidentialFields = added.map(\.field)
                    secrets = KeptSecrets(added)
                }
            }
            // An answer to the app's session is about its user, and the next one may be another's.
            let answers = transfer.confidentialFields.isEmpty ? answers : nil
            let known = await answers?.known(request)
            transfer.fields += known?.conditions ?? []
            if let count = transfer.body?.byteCount, count > 0 {
                transfer.uploadProgress = { progress(min(max(Double($0.done) / Double(count), 0), 1)) }
            }
            let answer = try await client.send(transfer)
            let bytes = try await answer.body.collect()
            if answer.head.status == 304, let known,
                case .response(_, let body) = RequestOutcome.answer(status: 200, known.bytes)
            {
                return .notModified(body: body)
            }
            var outcome = RequestOutcome.answer(status: answer.head.status, bytes)
            if let repeated = secrets.repeated(in: bytes, outcome) {
                outcome = .unreadable(
                    status: answer.head.status,
                    message: "The answer repeats the field \(repeated), which the app has added, and is not shown.")
            }
            if case .response(200, _) = outcome {
                await answers?.keep(bytes, answer.head, to: request, at: Double(client.now))
            }
            guard let seconds = answer.head.secondsToRetry(now: client.now), seconds > 0 else { return outcome }
            let body = if case .response(_, let body) = outcome { body } else { Value.null }
            return .postponed(status: answer.head.status, body: body, seconds: seconds)
        } catch {
            let reason = secrets.sentence(error)
            if error.isBeforeRequest { return .failure(reason) }
            guard !request.isRepeatable else { return .unanswered(reason) }
            return .unanswered("\(reason). The server may have done it; it was not asked again.")
        }
    }

    /// An address that the grant allows.
    func granted(_ address: String) throws(TransferError) -> TransferURL {
        let url = try TransferURL(address)
        guard grant.allows(url) else { throw TransferError(.notGranted, url) }
        return url
    }

    private func transfer(_ request: ServiceRequest) throws(TransferError) -> TransferRequest {
        let url = try granted(request.url)
        var transfer = try WebNetwork.transfer(request, to: url)
        transfer.policy = grant
        return transfer
    }

    /// The request as it would be sent, of which nothing was granted yet.
    static func transfer(_ request: ServiceRequest, to url: TransferURL) throws(TransferError) -> TransferRequest {
        guard let method = TransferMethod(rawValue: request.method) else {
            throw TransferError(.invalidField("the method \(request.method) is not supported"), url)
        }
        for header in request.headers where ReservedFields.has(header.name) {
            throw TransferError(.invalidField(header.name), url)
        }
        var fields = request.headers.map { TransferField($0.name, $0.value) }
        var body: TransferBody? = request.body.isEmpty ? nil : .bytes(request.body)
        if !request.parts.isEmpty {
            guard let form = MultipartBody(request.parts) else {
                throw TransferError(.invalidField("multipart/form-data"), url)
            }
            fields.removeAll { $0.name.lowercased() == "content-type" }
            fields.append(TransferField("Content-Type", form.contentType))
            body = .bytes(form.bytes)
        }
        var transfer = TransferRequest(method, url, fields: fields, body: body)
        // A key goes with the request: each attempt has the same, and the server recognises it.
        if fields.contains(where: { $0.name.lowercased() == ServiceRequest.keyField.lowercased() }) {
            transfer.isRepeatable = true
        }
        transfer.limits.total = WebNetwork.answerTime
        transfer.limits.bodyByteCount = RequestOutcome.largestAnswer
        return transfer
    }

    // MARK: - The app's part

    enum Reviewed {
        case send([AddedField])
        case outcome(RequestOutcome)
    }

    /// Asks the app about a request.
    static func reviewed(
        _ transfer: TransferRequest, by review: RequestReview
    ) async throws(TransferError) -> Reviewed {
        let verdict = await review(GrantedRequest(transfer))
        // The widget may have ended while the app considered.
        if Task.isCancelled { throw TransferError(.cancelled, transfer.url) }
        switch verdict {
        case .send(let added):
            for added in added where ReservedFields.isOfTransport(added.field.name) {
                throw TransferError(.invalidField(added.field.name), transfer.url)
            }
            return .send(added)
        case .answer(let status, let body, let seconds):
            let outcome = RequestOutcome.answer(status: status, body)
            guard let seconds, seconds > 0, status == 429 || status == 503 else { return .outcome(outcome) }
            let body = if case .response(_, let body) = outcome { body } else { Value.null }
            return .outcome(.postponed(status: status, body: body, seconds: seconds))
        case .refuse(let reason): return .outcome(.failure(reason))
        case .unanswered(let reason): return .outcome(.unanswered(reason))
        }
    }
}
