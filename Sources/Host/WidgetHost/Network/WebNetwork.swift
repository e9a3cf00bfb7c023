internal import Bytes
internal import JSONText
internal import Predicates
internal import Surroundings
package import Transfers
package import WidgetCore
internal import WidgetRunning

/// The real network, within the grant.
package struct WebNetwork: WidgetNetwork {
    private static let largestAnswer = 8 << 20
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
                case .response(_, let body) = WebNetwork.outcome(status: 200, known.bytes)
            {
                return .notModified(body: body)
            }
            var outcome = WebNetwork.outcome(status: answer.head.status, bytes)
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
        transfer.limits.bodyByteCount = WebNetwork.largestAnswer
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
            let outcome = outcome(status: status, body)
            guard let seconds, seconds > 0, status == 429 || status == 503 else { return .outcome(outcome) }
            let body = if case .response(_, let body) = outcome { body } else { Value.null }
            return .outcome(.postponed(status: status, body: body, seconds: seconds))
        case .refuse(let reason): return .outcome(.failure(reason))
        case .unanswered(let reason): return .outcome(.unanswered(reason))
        }
    }

    /// The place and the reason, without names: they are text of the server, and could repeat a field of the app in pieces
    /// or escapes that ``KeptSecrets`` does not compare.
    private static func sentence(_ error: JSONError) -> String {
        switch error.reason {
        case .duplicateName: "\(error.position): an object has two members of one name"
        case .equivalentName: "\(error.position): an object has two names that differ in code points of Unicode alone"
        default: "\(error.position): \(error.reason)"
        }
    }

    /// An answer of a server, as widgets read it.
    static func outcome(status: Int, _ bytes: [UInt8]) -> RequestOutcome {
        do throws(JSONError) {
            let table = try JSONTable(parsing: bytes, limits: JSONLimits(byteCount: largestAnswer))
            return .response(status: status, body: Value(table.root))
        } catch {
            return .unreadable(status: status, message: "The answer is not JSON: \(sentence(error))")
        }
    }
}

/// Parts of a form, one after the other, as RFC 7578 has them.
package struct MultipartBody {
    package let contentType: String
    package let bytes: [UInt8]

    /// The boundary is the digest of all parts, so no part can contain it: its author would have to know the digest of
    /// a text that includes that digest.
    ///
    /// - Returns: `nil` when the digest cannot be computed.
    package init?(_ parts: [ServiceRequest.Part]) {
        var digest = SHA256()
        for part in parts { digest.update(part.bytes) }
        guard let boundary = digest.finish().map({ "widget-\($0.hex.prefix(32))" }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(200) { $0 + $1.bytes.count + 300 })
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartBody.quoted(part.name))\""
            if let name = part.fileName { head += "; filename=\"\(MultipartBody.quoted(name))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(MultipartBody.quoted(type))" }
            bytes += Array("\(head)\r\n\r\n".utf8)
            bytes += part.bytes
            bytes += Array("\r\n".utf8)
        }
        bytes += Array("--\(boundary)--\r\n".utf8)
        contentType = "multipart/form-data; boundary=\(boundary)"
        self.bytes = bytes
    }

    /// A text as it may be within quotes on one line.
    private static func quoted(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
