import Synchronization

/// One event, one line.
///
/// Logging never waits: a line is formatted by its caller, put into a bounded buffer, and written by a private
/// queue. A sink that is slow, full or closed costs lines, which are counted, and never the program.
///
/// ```swift
/// logger.log(.notice, "server.listening", "Ready.", [LogField("url", url)])
/// ```
package final class Logger: Sendable {
    /// The most bytes of lines held for a slow sink.
    package static let defaultBufferByteLimit = 1_024 * 1_024

    package let format: LogFormat
    private let threshold: Atomic<UInt8>
    private let time: @Sendable () -> LogTime
    private let drain: LogDrain

    package init(
        level: LogLevel = .info,
        format: LogFormat = .json,
        bufferByteLimit: Int = Logger.defaultBufferByteLimit,
        time: @escaping @Sendable () -> LogTime = { LogTime.now() },
        sink: @escaping LogSink = { StandardStream.error.write($0) }
    ) {
        self.format = format
        self.time = time
        threshold = Atomic(level.rawValue)
        drain = LogDrain(byteLimit: bufferByteLimit, sink: sink) { lineCount in
            var lines = LogLines(format)
            lines.begin(
                time(), .warning, "log.dropped", "Lines were lost because they could not be written in time.")
            lines.add("lines", lineCount)
            lines.end()
            return lines.bytes
        }
    }

    /// The least important level that is written; may be changed at any time, from any thread.
    package var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .debug }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Returns true if events of this level are written: one relaxed load.
    package func isEnabled(_ level: LogLevel) -> Bool {
        level.rawValue <= threshold.load(ordering: .relaxed)
    }

    /// Writes one line, or evaluates nothing if the level is off.
    ///
    /// - Parameters:
    ///   - event: a short dotted name to search for, like `server.listening`.
    ///   - message: a sentence for people; may be empty.
    package func log(
        _ level: LogLevel, _ event: String, _ message: @autoclosure () -> String = "",
        _ fields: @autoclosure () -> [LogField] = []
    ) {
        guard isEnabled(level) else { return }
        record(level, event, message(), fields())
    }

    /// Writes one line even if its level is off, for events that must be recorded.
    package func record(_ level: LogLevel, _ event: String, _ message: String = "", _ fields: [LogField] = []) {
        var lines = LogLines(format)
        lines.begin(time(), level, event, message)
        for field in fields { lines.add(field) }
        lines.end()
        drain.append(lines.bytes, lineCount: 1)
    }

    /// The moment that lines written now have.
    package var now: LogTime { time() }

    /// Writes lines that were collected, and empties their collection.
    package func write(_ lines: inout LogLines) {
        guard lines.count > 0 else { return }
        drain.append(lines.bytes, lineCount: lines.count)
        lines.removeAll()
    }

    /// Waits until all logged lines are written, but not longer than the limit; for the end of the program.
    ///
    /// - Returns: whether everything reached the sink in time.
    @discardableResult
    package func flush(limitMilliseconds: Int = 2_000) -> Bool {
        drain.flush(limitMilliseconds: limitMilliseconds)
    }
}

/// The importance of an event, from one that needs a person to one that only helps to find a fault.
package enum LogLevel: UInt8, CaseIterable, Sendable {
    case error
    case warning
    case notice
    case info
    case debug

    /// The word in a log line and in the settings.
    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }
}

/// The form of a line: for machines or for people.
package enum LogFormat: String, CaseIterable, Sendable {
    /// One JSON object per line.
    case json
    /// Time, level, event, message and `name=value` pairs.
    case text
}
