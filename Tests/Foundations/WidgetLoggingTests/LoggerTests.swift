import Dispatch
import Synchronization
import Testing
import WidgetLogging

@Suite struct `A logger` {
    @Test func `A logger writes events of its level and does not evaluate others`() {
        let sink = CollectingSink()
        let logger = makeLogger(sink, level: .notice)
        let evaluated = Mutex(0)
        func message(_ text: String) -> String {
            evaluated.withLock { $0 += 1 }
            return text
        }
        logger.log(.error, "a", message("1"))
        logger.log(.notice, "b", message("2"))
        logger.log(.info, "c", message("3"))
        logger.log(.debug, "d", message("4"))
        logger.flush()
        #expect(sink.lines.count == 2)
        #expect(evaluated.withLock { $0 } == 2)
    }

    @Test func `A logger follows a level that changes while it runs`() {
        let sink = CollectingSink()
        let logger = makeLogger(sink, level: .error)
        logger.log(.info, "before")
        logger.level = .debug
        #expect(logger.isEnabled(.debug))
        logger.log(.debug, "after")
        logger.flush()
        #expect(sink.lines.count == 1)
        #expect(sink.text.contains(#""event":"after""#))
    }

    @Test func `A logger never waits for a sink that stalls and counts what it had to drop`() {
        let sink = CollectingSink(stalling: true)
        let lineByteCount = #"{"time":"2026-11-21T07:15:00.007Z","level":"info","event":"n"}"#.utf8.count + 1
        let logger = makeLogger(sink, bufferByteLimit: lineByteCount * 10)
        logger.log(.info, "1")
        sink.waitUntilStalled()
        for _ in 0..<100 { logger.log(.info, "n") }
        sink.open()
        #expect(logger.flush())
        // One line was inside the sink, nine found room beside it.
        #expect(sink.lines.count == 11)
        #expect(
            sink.lines.last
                == #"{"time":"2026-11-21T07:15:00.007Z","level":"warning","event":"log.dropped","#
                + #""message":"Lines were lost because they could not be written in time.","lines":91}"#)
        logger.log(.info, "2")
        logger.flush()
        #expect(sink.lines.count == 12)
    }

    @Test func `A logger gives up a flush that the sink holds up`() {
        let sink = CollectingSink(stalling: true)
        let logger = makeLogger(sink)
        logger.log(.info, "1")
        sink.waitUntilStalled()
        #expect(!logger.flush(limitMilliseconds: 1))
        sink.open()
        #expect(logger.flush())
    }

    @Test func `A logger counts lines that a failing sink did not take and reports them when it recovers`() {
        let sink = CollectingSink(acceptedByteCounts: [0, 0])
        let logger = makeLogger(sink)
        for event in ["lost", "lost too"] {
            logger.log(.info, event)
            logger.flush()
        }
        #expect(sink.text.isEmpty)
        logger.log(.info, "kept")
        logger.flush()
        #expect(sink.lines.count == 2)
        #expect(sink.lines.first?.contains(#""event":"kept""#) == true)
        #expect(sink.lines.last?.hasSuffix(#""lines":2}"#) == true)
    }

    @Test(arguments: [1, 20, 60]) func `A logger ends a line that was cut before it writes the next`(_ byteCount: Int) {
        let sink = CollectingSink(acceptedByteCounts: [byteCount, 0])
        let logger = makeLogger(sink)
        for event in ["cut", "lost", "whole"] {
            logger.log(.info, event)
            logger.flush()
        }
        #expect(sink.lines.count == 3)
        #expect(sink.lines.first?.utf8.count == byteCount)
        #expect(sink.lines[1].contains(#""event":"whole""#))
        #expect(sink.lines[2].hasSuffix(#""lines":2}"#))
    }

    @Test func `A logger keeps every line whole when many threads log`() async {
        let sink = CollectingSink()
        let logger = makeLogger(sink, bufferByteLimit: 64 << 20)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<2_000 {
                        logger.log(.info, "e", "", [LogField("task", task), LogField("index", index)])
                    }
                }
            }
        }
        logger.flush()
        let lines = sink.lines
        #expect(lines.count == 16_000)
        #expect(Set(lines).count == 16_000)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"time""#) && $0.hasSuffix("}") })
    }
}

@Suite struct `A secret` {
    private let secret = Secret("correct-horse-battery-staple-0123456789")

    @Test func `A secret is masked however it is printed`() {
        var dumped = ""
        dump((secret, [secret], ["k": secret]), to: &dumped)
        for text in [
            "\(secret)", String(describing: secret), String(reflecting: [secret]), "\(Optional(secret) as Any)", dumped,
        ] {
            #expect(!text.contains("horse"))
        }
        #expect("\(secret)" == "(secret)")
    }

    @Test func `A secret is equal to the same text only`() {
        #expect(secret == Secret(secret.exposedText))
        #expect(secret != Secret("correct-horse-battery-staple-0123456788"))
        #expect(secret != Secret("correct"))
        #expect(secret != Secret(""))
    }
}

/// A sink that keeps its bytes, and can stall or take only some of them.
final class CollectingSink: Sendable {
    private let collected = Mutex<[UInt8]>([])
    private let acceptedByteCounts = Mutex<[Int]>([])
    private let entered = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let stallsOnce: Atomic<Bool>

    /// - Parameters:
    ///   - acceptedByteCounts: how much the first writes take; later ones take all.
    ///   - stalling: true if the first write waits for `open()`.
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
