internal import Bytes
internal import JSONText
internal import Predicates
package import Transfers
package import WidgetCore

/// The real network, as far as it was granted.
package struct WebNetwork: WidgetNetwork {
    private let client: TransferClient
    private let grant: NetworkGrant

    package init(_ grant: NetworkGrant, client: TransferClient = TransferClient()) {
        self.client = client
        self.grant = grant
    }

    package func outcome(of request: Request) async -> Outcome {
        do throws(TransferError) {
            let answer = try await client.send(try transfer(request))
            let bytes = try await answer.body.collect()
            return WebNetwork.outcome(status: answer.head.status, bytes)
        } catch {
            return .failure("\(error)")
        }
    }

    private func transfer(_ request: Request) throws(TransferError) -> TransferRequest {
        let url = try TransferURL(request.url)
        guard grant.allows(url) else { throw TransferError(.addressRefused("it is not among what was granted"), url) }
        guard let method = TransferMethod(rawValue: request.method) else {
            throw TransferError(.invalidField("the method \(request.method) is not supported"), url)
        }
        var fields = request.headers.map { TransferField($0.name, $0.value) }
        var body: RequestBody? = request.body.isEmpty ? nil : .bytes(request.body)
        if !request.parts.isEmpty {
            let form = MultipartBody(request.parts)
            fields.removeAll { $0.name.lowercased() == "content-type" }
            fields.append(TransferField("Content-Type", form.contentType))
            body = .bytes(form.bytes)
        }
        var transfer = TransferRequest(method, url, fields: fields, body: body)
        transfer.policy = grant
        transfer.limits.total = .seconds(60)
        return transfer
    }

    /// An answer of a server, as widgets read it.
    static func outcome(status: Int, _ bytes: [UInt8]) -> Outcome {
        do throws(JSONError) {
            return .response(
                status: status, body: Value(try JSONValue(parsing: bytes, limits: JSONLimits(byteCount: 8 << 20))))
        } catch {
            return .unreadable(status: status, message: "The answer is no JSON: \(error)")
        }
    }
}

/// Parts of a form with a line between them that none of them has.
struct MultipartBody {
    let contentType: String
    let bytes: [UInt8]

    init(_ parts: [Request.Part]) {
        var number = 0
        func boundary() -> [UInt8] { Array("widget-part-\(number)".utf8) }
        while parts.contains(where: { MultipartBody.contains(boundary(), in: $0.bytes) }) { number += 1 }
        var bytes: [UInt8] = []
        for part in parts {
            let name = part.name.map { $0.isNewline || $0 == "\"" ? "_" : String($0) }.joined()
            bytes += Array("--".utf8) + boundary()
            bytes += Array("\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n".utf8)
            if let type = part.contentType { bytes += Array("Content-Type: \(type)\r\n".utf8) }
            bytes += Array("\r\n".utf8) + part.bytes + Array("\r\n".utf8)
        }
        bytes += Array("--".utf8) + boundary() + Array("--\r\n".utf8)
        contentType = "multipart/form-data; boundary=" + String(decoding: boundary(), as: UTF8.self)
        self.bytes = bytes
    }

    private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count >= needle.count, let first = needle.first else { return false }
        for start in 0...(bytes.count - needle.count) where bytes[start] == first {
            if bytes[start..<start + needle.count].elementsEqual(needle) { return true }
        }
        return false
    }
}
