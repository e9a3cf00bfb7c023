internal import Bytes
internal import JSONText
internal import Predicates
package import Transfers
package import WidgetCore
internal import WidgetRunning

/// The real network, within the grant.
package struct WebNetwork: WidgetNetwork {
    private static let largestAnswer = 8 << 20
    /// The time for an answer, all attempts included.
    package static let answerTime = Duration.seconds(60)
    private let client: TransferClient
    private let grant: NetworkGrant
    /// Answers from before; without them, every answer is asked for as a whole.
    private var answers: KeptAnswers?

    package init(_ grant: NetworkGrant, client: TransferClient = TransferClient()) {
        self.client = client
        self.grant = grant
    }

    /// The same network, which asks what was answered before only on condition that it has changed.
    package func keeping(_ answers: KeptAnswers) -> WebNetwork {
        var network = self
        network.answers = answers
        return network
    }

    package func takeNotice() -> String? { answers?.takeMishap() }

    package func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        do throws(TransferError) {
            var transfer = try transfer(request)
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
            let outcome = WebNetwork.outcome(status: answer.head.status, bytes)
            if case .response(200, _) = outcome {
                await answers?.keep(bytes, answer.head, to: request, at: Double(client.now))
            }
            guard let seconds = answer.head.secondsToRetry(now: client.now), seconds > 0 else { return outcome }
            let body = if case .response(_, let body) = outcome { body } else { Value.null }
            return .postponed(status: answer.head.status, body: body, seconds: seconds)
        } catch {
            if error.isBeforeRequest { return .failure("\(error)") }
            guard !request.isRepeatable else { return .unanswered("\(error)") }
            return .unanswered("\(error). The server may have done it; it was not asked again.")
        }
    }

    private func transfer(_ request: ServiceRequest) throws(TransferError) -> TransferRequest {
        let url = try TransferURL(request.url)
        guard grant.allows(url) else { throw TransferError(.notGranted, url) }
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
        transfer.policy = grant
        // A key goes with the request: each attempt has the same, and the server recognises it.
        if fields.contains(where: { $0.name.lowercased() == ServiceRequest.keyField.lowercased() }) {
            transfer.isRepeatable = true
        }
        transfer.limits.total = WebNetwork.answerTime
        transfer.limits.bodyByteCount = WebNetwork.largestAnswer
        return transfer
    }

    /// An answer of a server, as widgets read it.
    static func outcome(status: Int, _ bytes: [UInt8]) -> RequestOutcome {
        do throws(JSONError) {
            let table = try JSONTable(parsing: bytes, limits: JSONLimits(byteCount: largestAnswer))
            return .response(status: status, body: Value(table.root))
        } catch {
            return .unreadable(status: status, message: "The answer is not JSON: \(error)")
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
