import Dispatch
import Logging
import Synchronization

/// A sink that keeps what it is given and can be told to stall or to take only so many bytes.
final class CollectingSink: Sendable {
    private let collected = Mutex<[UInt8]>([])
    private let acceptedByteCounts = Mutex<[Int]>([])
    private let entered = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let stallsOnce: Atomic<Bool>

    /// - Parameters:
    ///   - acceptedByteCounts: how much the first writes take; later ones take all.
    ///   - stalling: whether the first write waits for `open()`.
    init(acceptedByteCounts: [Int] = [], stalling: Bool = false) {
        self.acceptedByteCounts.withLock { $0 = acceptedByteCounts.reversed() }
        stallsOnce = Atomic(stalling)
    }

    @Sendable func write(_ bytes: [UInt8]) -> Int {
        if stallsOnce.exchange(false, ordering: .relaxed) {
            entered.signal()
            gate.wait()
        }
        let count = min(acceptedByteCounts.withLock { $0.popLast() } ?? bytes.count, bytes.count)
        collected.withLock { $0.append(contentsOf: bytes[..<count]) }
        return count
    }

    /// Returns when the first write is stalled.
    func waitUntilStalled() { entered.wait() }

    func open() { gate.signal() }

    var text: String { collected.withLock { String(decoding: $0, as: UTF8.self) } }

    var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// 2026-11-21T07:15:00.007Z.
let quarterPastSeven = LogTime(secondsSinceEpoch: 1_795_245_300, milliseconds: 7)

func makeLogger(
    _ sink: CollectingSink, format: LogFormat = .json, level: LogLevel = .info, bufferByteLimit: Int = 1 << 20
) -> Logger {
    Logger(
        level: level, format: format, bufferByteLimit: bufferByteLimit, time: { quarterPastSeven }, sink: sink.write)
}
