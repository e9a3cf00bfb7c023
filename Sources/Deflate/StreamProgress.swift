/// What one step of a stream took and gave.
package struct StreamProgress: Equatable, Sendable {
    /// Bytes of the input that need not be offered again.
    package var consumed: Int
    /// Bytes written to the start of the room.
    package var produced: Int
    /// The stream's own end was reached; what follows in the input is not part of it.
    package var isFinished: Bool
}
