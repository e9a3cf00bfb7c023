import Addresses
import Bytes
import Files
import HostileServer
import Testing

@testable import Transfers

/// What nearly every test here needs.
enum Setting {
    /// Limits that no server here reaches, however busy the machine is; a test that reaches one sets it.
    static let limits = TransferLimits(connecting: .seconds(60), stall: .seconds(60), bodyByteCount: 4 << 20)

    /// A client that does not wait between attempts.
    static let client = TransferClient(transport: CurlTransport(), clock: HastyClock())

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

/// Time that passes only by pausing, and chance without surprises.
final class HastyClock: TransferClock {
    private let pauses = Guarded([Duration]())
    private let elapsed = Guarded(Duration.zero)
    let wallClock: Int64

    init(wallClock: Int64 = 1_000_000_000) { self.wallClock = wallClock }

    var now: Duration { elapsed.withLock { $0 } }
    func chance() -> Double { 0.5 }

    func pause(_ duration: Duration) async {
        pauses.withLock { $0.append(duration) }
        elapsed.withLock { $0 += duration }
    }

    var taken: [Duration] { pauses.withLock { $0 } }
}

/// Bytes in memory.
final class MemorySink: DownloadSink {
    private struct State {
        var bytes: [UInt8] = []
        var restarts = 0
    }

    private let state: Guarded<State>

    init(holding bytes: [UInt8] = []) { state = Guarded(State(bytes: bytes)) }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        state.withLock { state in
            #expect(offset == state.bytes.count)
            state.bytes += bytes
        }
    }

    func restart() throws(FileError) {
        state.withLock { state in
            state.bytes = []
            state.restarts += 1
        }
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var restarts: Int { state.withLock { $0.restarts } }
}
