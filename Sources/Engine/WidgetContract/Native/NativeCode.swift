/// The program behind a widget that is written in Swift: its closures.
///
/// It is asked after each event that concerns it, and answers with values. The same turns give the same replies, unless
/// it does other work besides; at the end of such work it asks for a turn.
package protocol NativeCode: AnyObject, Sendable {
    /// Performs the calls of a turn.
    ///
    /// - Throws: if it cannot answer. The widget shows what it has shown before.
    func reply(to turn: NativeTurn) throws(NativeFailure) -> NativeReply

    /// Sets what the code calls when it wants a turn without an event. It is set once, before the first turn, and may be
    /// called from any thread, any number of times.
    func onNotice(_ notice: @escaping @Sendable () -> Void)
}

/// The reason why native code has not answered a turn.
package enum NativeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program has ended, for that reason.
    case ended(String)
    /// No answer came in time.
    case timeout(seconds: Double)
    /// The answer cannot be read.
    case unreadable(String)

    package var description: String {
        switch self {
        case .ended(let reason): "the widget's program has ended: \(reason)"
        case .timeout(let seconds):
            "the widget's program did not answer within \(Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)") seconds"
        case .unreadable(let reason): "the answer of the widget's program cannot be read: \(reason)"
        }
    }

    /// True if no later turn can be answered.
    package var isFinal: Bool {
        if case .ended = self { true } else { false }
    }
}
