package import Files

/// A representation to be brought here in full, over as many connections as that takes.
package struct Download: Sendable {
    /// A GET. Its limits hold for each attempt, the total for all of them.
    package var request: TransferRequest
    /// The part that is wanted; `nil`: all of it. A server that sends something else instead is refused.
    package var range: Range<Int>?
    /// The strong entity tag of what is wanted, when it is known beforehand; else the first answer's is kept to.
    package var entityTag: String?
    /// How many bytes of it, or of its range, are here already. Needs the entity tag they came with.
    package var heldByteCount = 0
    /// Told how many of the wanted bytes are here.
    package var progress: (@Sendable (TransferProgress) -> Void)?

    package init(_ request: TransferRequest, range: Range<Int>? = nil, entityTag: String? = nil) {
        self.request = request
        self.range = range
        self.entityTag = entityTag
    }

    package enum Outcome: Sendable {
        /// Every byte that was announced has been handed to the sink. The head is that of the last answer.
        case complete(TransferHead, byteCount: Int)
        /// An answer without the bytes: not modified, a problem. Earlier attempts may have brought some.
        case other(TransferAnswer)
    }
}

/// What a download is written to.
package protocol DownloadSink: AnyObject, Sendable {
    /// Takes bytes; offsets count from the start of what is wanted and follow on each other.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileError)
    /// All that was written belongs to another representation: it begins anew, at zero.
    func restart() throws(FileError)
}
