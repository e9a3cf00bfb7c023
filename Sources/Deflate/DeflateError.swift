/// Why bytes could not be inflated or deflated.
package struct DeflateError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The stream breaks a rule of RFC 1951.
        case corrupt
        /// The stream holds more than the room that was given for it.
        case exceedsRoom
        /// The stream goes on after the input has ended.
        case truncated
        /// The library could not allocate its state.
        case outOfMemory
    }

    package var reason: Reason
    /// Bytes of the stream consumed before the fault was seen, where the library tells.
    package var offset: Int?

    package init(_ reason: Reason, offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
