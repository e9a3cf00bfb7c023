/// The stream of one viewing, to a browser.
package protocol LiveSink: AnyObject, Sendable {
    /// Bytes that the browser has not taken yet.
    var pendingByteCount: Int { get }

    /// Sends a change, with the number of the view after it.
    ///
    /// - Parameter operations: a JSON array in one line.
    func write(_ number: Int, _ operations: [UInt8])

    /// Sends changes of a page with several widgets, with the position of the page after them.
    ///
    /// - Parameter changes: a JSON object in one line.
    func write(at position: String, _ changes: [UInt8])

    /// Shows that the stream is alive.
    func beat()

    /// Ends the stream: the viewing is over, or it has a newer one.
    func end(isOver: Bool)
}

extension LiveSink {
    /// A stream of one widget knows numbers alone.
    package func write(at position: String, _ changes: [UInt8]) {
        if let number = Int(position) { write(number, changes) }
    }
}

/// The stream of a viewing, with what was written to it.
struct ViewingStream {
    let sink: any LiveSink
    /// The moment that the browser has; `nil` if that is unknown.
    var base: ViewingMoment?
    /// The serial that was written last; -1 before the first write, which always has one.
    var echoed = -1
}
