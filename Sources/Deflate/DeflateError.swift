/// Why bytes could not be inflated or deflated.
package struct DeflateError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The stream breaks a rule of RFC 1951.
        case corrupt
        /// The library could not allocate its state.
        case outOfMemory
    }

    package var reason: Reason
    /// Bytes of the step's input consumed before the fault was seen.
    package var offset: Int?

    package init(_ reason: Reason, offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
