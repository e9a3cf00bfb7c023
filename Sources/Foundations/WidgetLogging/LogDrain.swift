import Dispatch
import WidgetBytes

/// Takes whole lines and returns the number of bytes it has written.
package typealias LogSink = @Sendable (_ lines: [UInt8]) -> Int

/// Lines on their way out: a bounded buffer that a private serial queue empties into the sink.
///
/// Callers append under a lock and return; only the queue ever waits for the sink. Past the bound, lines are dropped
/// and counted, and a separate line gives the count when there is room again.
final class LogDrain: Sendable {
    private struct State {
        /// Whole lines that the queue has not taken yet.
        var waiting: [UInt8] = []
        /// Bytes the queue has taken and the sink has not returned from.
        var byteCountInSink = 0
        /// Lines lost since the last time their number was logged.
        var droppedLineCount = 0
        var isScheduled = false
        /// The last write ended inside a line, so the next must begin with a line's end.
        var endsInsideLine = false
        /// The sink did not take all of the last batch; it is tried again only when there is a new line.
        var isSinkFailing = false
    }

    private struct Batch {
        var bytes: [UInt8]
        var startsWithLineEnd: Bool
        /// The number of lost lines that the last line of the batch reports; 0 if it is not a report.
        var reportedLineCount: Int
    }

    private let state = Guarded(State())
    private let byteLimit: Int
    private let queue = DispatchQueue(label: "log")
    private let sink: LogSink
    private let report: @Sendable (_ lineCount: Int) -> [UInt8]

    /// - Parameter report: writes the line that says how many lines were lost.
    init(byteLimit: Int, sink: @escaping LogSink, report: @escaping @Sendable (_ lineCount: Int) -> [UInt8]) {
        self.byteLimit = byteLimit
        self.sink = sink
        self.report = report
    }

    /// Takes whole lines: all of them, or none.
    func append(_ lines: [UInt8], lineCount: Int) {
        let mustSchedule = state.withLock { state in
            guard state.waiting.count + state.byteCountInSink + lines.count <= byteLimit else {
                state.droppedLineCount += lineCount
                return false
            }
            state.waiting.append(contentsOf: lines)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { queue.async { self.drain() } }
    }

    /// Waits until everything appended so far has been given to the sink, or until the time is over.
    func flush(limitMilliseconds: Int) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            while self.writeBatch() {}
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + .milliseconds(limitMilliseconds)) == .success
    }

    /// The pause of the queue after a batch; lines logged meanwhile need no separate wake-up.
    private static let lingerMilliseconds = 5

    private func drain() {
        guard writeBatch() else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(LogDrain.lingerMilliseconds)) { self.drain() }
    }

    /// Gives the waiting lines to the sink; `false` if there were none.
    private func writeBatch() -> Bool {
        guard let batch = take() else { return false }
        let writtenByteCount = min(max(sink(batch.bytes), 0), batch.bytes.count)
        settle(batch, writtenByteCount: writtenByteCount)
        return true
    }

    private func take() -> Batch? {
        state.withLock { state in
            let droppedLineCount = state.droppedLineCount
            guard !state.waiting.isEmpty || (droppedLineCount > 0 && !state.isSinkFailing) else {
                state.isScheduled = false
                return nil
            }
            var bytes: [UInt8] = []
            swap(&bytes, &state.waiting)
            if state.endsInsideLine { bytes.insert(UInt8(ascii: "\n"), at: 0) }
            if droppedLineCount > 0 { bytes.append(contentsOf: report(droppedLineCount)) }
            state.droppedLineCount = 0
            state.byteCountInSink = bytes.count
            return Batch(
                bytes: bytes, startsWithLineEnd: state.endsInsideLine, reportedLineCount: droppedLineCount)
        }
    }

    private func settle(_ batch: Batch, writtenByteCount: Int) {
        let lost = batch.bytes[writtenByteCount...]
        var lostLineCount = lost.count { $0 == UInt8(ascii: "\n") }
        if batch.startsWithLineEnd, writtenByteCount == 0 { lostLineCount -= 1 }
        if !lost.isEmpty, batch.reportedLineCount > 0 {
            // The report was the last line. It is lost, so the lines that it counted are reported again.
            lostLineCount += batch.reportedLineCount - 1
        }
        state.withLock { state in
            state.byteCountInSink = 0
            state.droppedLineCount += lostLineCount
            state.isSinkFailing = !lost.isEmpty
            if writtenByteCount > 0 {
                state.endsInsideLine = batch.bytes[writtenByteCount - 1] != UInt8(ascii: "\n")
            }
        }
    }
}
