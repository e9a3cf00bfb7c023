import HostileServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Limits, clients and requests for nearly every test here.
enum Setting {
    /// Limits that no server here reaches, even on a busy machine; a test that reaches one sets it.
    static let limits = TransferLimits(connecting: .seconds(60), stall: .seconds(60), bodyByteCount: 4 << 20)

    /// A client that does not wait between attempts.
    static let client = TransferClient(transport: CurlTransport(), in: .skipping())

    /// A client that does not wait between attempts, and whose limits of a body's rate are by a clock of the test.
    static func client(_ clock: ManualClock) -> TransferClient {
        TransferClient(transport: CurlTransport(clock: clock), in: .skipping())
    }

    static func request(_ url: String, _ method: TransferMethod = .get) throws -> TransferRequest {
        var request = TransferRequest(method, try TransferURL(url))
        request.limits = limits
        return request
    }

    /// Why an exchange failed.
    static func reason<Value: Sendable>(
        _ body: () async throws(TransferError) -> Value
    ) async -> TransferError.Reason? {
        do throws(TransferError) {
            _ = try await body()
            return nil
        } catch {
            return error.reason
        }
    }
}

/// Bytes in memory.
final class MemorySink: DownloadSink {
    struct State: Sendable {
        var bytes: [UInt8] = []
        var restarts = 0
    }

    let state: Observed<State>

    init(holding bytes: [UInt8] = []) { state = Observed(State(bytes: bytes)) }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        state.change { state in
            #expect(offset == state.bytes.count)
            state.bytes += bytes
        }
    }

    func restart() throws(FileError) {
        state.change { state in
            state.bytes = []
            state.restarts += 1
        }
    }

    var bytes: [UInt8] { state.value.bytes }
    var restarts: Int { state.value.restarts }
}

/// Answers out of a script, without a socket.
struct ScriptedTransport: Transport {
    struct Answer: Sendable {
        var status: Int
        var fields: [TransferField]
        var pieces: [[UInt8]]
        /// The error that the body ends with.
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
    var usesProxy = false

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

/// The requests that a transport got.
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
