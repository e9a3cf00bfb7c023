import Addresses
import Bytes

@testable import Transfers

/// Answers out of a script, without a socket.
struct ScriptedTransport: Transport {
    struct Answer: Sendable {
        var status: Int
        var fields: [TransferField]
        var pieces: [[UInt8]]
        /// What the body ends with, if not well.
        var failure: TransferError.Reason?

        init(
            _ status: Int, _ fields: KeyValuePairs<String, String> = [:], _ pieces: [[UInt8]] = [],
            failure: TransferError.Reason? = nil
        ) {
            self.status = status
            self.fields = fields.map { TransferField($0.key, $0.value) }
            self.pieces = pieces
            self.failure = failure
        }

        /// An exchange that comes to nothing.
        static func failed(_ reason: TransferError.Reason) -> Answer { Answer(0, failure: reason) }
    }

    var script: @Sendable (TransferRequest) -> Answer

    init(_ script: @escaping @Sendable (TransferRequest) -> Answer) { self.script = script }

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let answer = script(request)
        if answer.status == 0, let failure = answer.failure { throw TransferError(failure, request.url) }
        let head = TransferHead(status: answer.status, fields: answer.fields, url: request.url)
        return TransferAnswer(head, body: ResponseBody(Pieces(answer, request.url)))
    }

    private final class Pieces: BodySource {
        private let left: Guarded<[[UInt8]]>
        private let failure: TransferError?

        init(_ answer: Answer, _ url: TransferURL) {
            left = Guarded(answer.pieces)
            failure = answer.failure.map { TransferError($0, url) }
        }

        func next() async throws(TransferError) -> [UInt8]? {
            if let piece = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return piece }
            if let failure { throw failure }
            return nil
        }

        func cancel() {}
    }
}

/// What a transport was asked.
final class Asked: Sendable {
    private let list = Guarded([TransferRequest]())

    /// - Returns: how many there were before.
    @discardableResult
    func add(_ request: TransferRequest) -> Int {
        list.withLock { list in
            list.append(request)
            return list.count - 1
        }
    }

    var requests: [TransferRequest] { list.withLock { $0 } }
}

/// Allows one part of every server, and every address.
struct PathPolicy: TransferPolicy {
    var prefix: String
    func allows(_ url: TransferURL) -> Bool { url.path.hasPrefix(prefix) }
    func allows(_ address: IPAddress, port: UInt16) -> Bool { true }
}
