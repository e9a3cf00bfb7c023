internal import WidgetSystemCalls

/// Standard output or standard error: it may be closed, full or slow, and none of that stops the program.
package enum StandardStream: Sendable {
    case output
    case error

    private var descriptor: OutputDescriptor {
        switch self {
        case .output: .standardOutput
        case .error: .standardError
        }
    }

    /// True if the stream is a terminal, so that a person is likely to read it.
    package var isTerminal: Bool { descriptor.isTerminal }

    /// Writes as much as it can and returns how many bytes that was.
    ///
    /// A full pipe blocks the queue that writes, and no caller, for a moment only
    /// (``OutputDescriptor/write(_:)``).
    package func write(_ bytes: [UInt8]) -> Int { descriptor.write(bytes) }
}
