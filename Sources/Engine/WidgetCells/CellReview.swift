internal import JSONText
internal import WidgetBytes
package import WidgetFiles
internal import WidgetLive
internal import WidgetSurroundings

/// The part of a program that looks at a bundle for the pages about it, in a cell that does nothing else.
package protocol CellReviewer: Sendable {
    /// - Parameters:
    ///   - archive: the bundle's, as a registry has written it.
    ///   - question: the host's text.
    ///   - send: sends what was found, piece by piece: those before the end of a cell that ends early are kept.
    func review(_ archive: consuming FileDescriptor, _ question: String, _ send: (ReviewPiece) -> Void)
}

/// A part of what a review has found.
package struct ReviewPiece: Equatable, Sendable {
    package let name: String
    package let kind: String
    package let bytes: [UInt8]

    package init(name: String, kind: String, bytes: [UInt8]) {
        self.name = name
        self.kind = kind
        self.bytes = bytes
    }
}

/// The pieces that a cell has sent, and the reason if it has not come to the end of its review.
package struct CellReview: Sendable {
    package let pieces: [ReviewPiece]
    package let end: CellEnd?

    package init(pieces: [ReviewPiece], end: CellEnd?) {
        self.pieces = pieces
        self.end = end
    }
}

extension CellHouse {
    /// Has a cell look at an archive; it is ended afterwards.
    ///
    /// - Parameters:
    ///   - digest: of the archive: one whose reviews end by faults again and again is not looked at for a while.
    ///   - question: the text for its ``CellReviewer``.
    ///   - stillBytes: those that it asks for, which come on top of what any review may send.
    package func review(
        _ archive: HandedFile, digest: String, _ question: String, stillBytes: Int = 0
    ) async -> CellReview {
        var limits = limits
        limits.reviewByteCount += stillBytes
        if let end = refusal(of: digest) { return CellReview(pieces: [], end: end) }
        let found = Guarded(ReviewPieces())
        do throws(CellEnd) {
            let cell = try await fresh()
            defer { cell.kill(.done) }
            cell.onExtra { [weak cell, limits] message in
                if !found.withLock({ $0.take(message, limits) }) { cell?.kill(.fault("it sends more than it may")) }
            }
            _ = try await cell.ask("review", within: limits.reviewSeconds, passing: archive) { json in
                json.member("question", question)
            }
            return CellReview(pieces: found.withLock { $0.pieces }, end: nil)
        } catch {
            note(error, of: digest)
            return CellReview(pieces: found.withLock { $0.pieces }, end: error)
        }
    }
}

/// The pieces that a cell has sent so far.
private struct ReviewPieces {
    private(set) var pieces: [ReviewPiece] = []
    private var byteCount = 0

    /// - Returns: false for what is not a piece, or more than a review may have.
    mutating func take(_ message: CellMessage, _ limits: CellLimits) -> Bool {
        guard let name = message.text("piece"), let kind = message.text("kind") else { return false }
        byteCount += message.headByteCount + message.body.count
        guard pieces.count < limits.reviewPieces, byteCount <= limits.reviewByteCount else { return false }
        pieces.append(ReviewPiece(name: name, kind: kind, bytes: message.body))
        return true
    }
}
