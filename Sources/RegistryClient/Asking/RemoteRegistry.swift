package import JSONText
package import Transfers

/// A registry elsewhere: what can be read from it, and what can be told to it.
package struct RemoteRegistry: Sendable {
    package let address: RegistryAddress
    let token: String?
    let client: TransferClient
    let retries: RetryPolicy

    /// What a document of a registry may be; a list of files is the longest there is.
    private static let documentByteLimit = 16 << 20
    package static let jsonLimits = JSONLimits(byteCount: documentByteLimit, depth: 16, valueCount: 1_000_000)

    /// - Parameter retries: fewer than for a download: somebody is waiting for a word.
    package init(
        _ address: RegistryAddress, token: String? = nil, client: TransferClient = TransferClient(),
        retries: RetryPolicy = RetryPolicy(attempts: 3)
    ) {
        self.address = address
        self.token = token
        self.client = client
        self.retries = retries
    }

    /// What a registry said, and what of it is understood here.
    package struct Told<Value: JSONDecodable & Sendable>: Sendable {
        package let value: Value
        /// All of it.
        package let document: JSONValue
        package let head: TransferHead
        /// Of the document as it came.
        package let byteCount: Int
    }

    // MARK: For the other files

    func request(_ method: TransferMethod = .get, _ path: String, _ query: [(name: String, value: String)] = [])
        throws(FetchError) -> TransferRequest
    {
        var request = TransferRequest(method, try address.route(path, query))
        request.token = token
        request.retries = retries
        request.fields = [TransferField("Accept", "application/json")]
        request.limits.bodyByteCount = RemoteRegistry.documentByteLimit
        request.limits.total = .seconds(120)
        // Every write may safely be repeated; that is a promise of registries.
        request.isRepeatable = true
        return request
    }

    /// Asks and takes anything but success for a refusal.
    func answer(_ request: TransferRequest) async throws(FetchError) -> (head: TransferHead, body: [UInt8]) {
        let head: TransferHead
        let body: [UInt8]
        do throws(TransferError) {
            let answer = try await client.send(request)
            head = answer.head
            body = try await answer.body.collect()
        } catch {
            throw FetchError(error)
        }
        guard head.isSuccess else {
            if let problem = ProblemDocument(status: head.status, body) { throw FetchError(.problem(problem)) }
            throw FetchError(.unexpectedStatus(head.status))
        }
        return (head, body)
    }

    func ask<Value: JSONDecodable & Sendable>(
        _ request: TransferRequest, for type: Value.Type = Value.self
    ) async throws(FetchError) -> Told<Value> {
        let (head, body) = try await answer(request)
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body, limits: RemoteRegistry.jsonLimits, root: .container)
            return Told(
                value: try document.cursor.decode(), document: document.cursor.value, head: head,
                byteCount: body.count)
        } catch {
            throw FetchError(error)
        }
    }

    /// A request whose body is a small document.
    func writing(_ request: TransferRequest, _ members: (inout JSONWriter) -> Void) -> TransferRequest {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        var request = request
        request.body = .bytes(writer.finish())
        request.fields.append(TransferField("Content-Type", "application/json"))
        return request
    }
}
