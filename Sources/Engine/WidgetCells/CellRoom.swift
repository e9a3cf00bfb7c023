internal import JSONText
internal import WidgetFiles

/// The inside of a cell, which looks at bundles.
final class CellRoom: Sendable {
    private let channel: CellChannel
    private let reviewer: (any CellReviewer)?

    init(_ channel: CellChannel, reviewer: (any CellReviewer)?) {
        self.channel = channel
        self.reviewer = reviewer
    }

    /// Carries out an order.
    ///
    /// - Parameter archive: the descriptor that came before the order, if one did.
    func take(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        switch order.text("do") {
        case "review": review(order, archive)
        default: fault("an order is unknown")
        }
    }

    /// Says that an order is carried out from now on, so that the host's time for it begins.
    private func begin(_ order: CellMessage) {
        guard let number = order.number else { return }
        channel.send(CellMessage.bytes { $0.member("begun", number) })
    }

    /// Ends the channel: an order that this program does not understand is a mistake of the host.
    private func fault(_ reason: String) {
        channel.send(CellMessage.bytes { $0.member("fault", reason) })
        channel.close()
    }

    private func answer(_ order: CellMessage) {
        guard let number = order.number else { return }
        channel.send(CellMessage.bytes { $0.member("n", number) })
    }

    /// Has the program's own reviewer look at the bundle, and sends what it finds.
    private func review(_ order: CellMessage, _ archive: consuming FileDescriptor?) {
        guard let archive, let reviewer else { return fault("there is nothing to review") }
        begin(order)
        reviewer.review(archive, order.text("question") ?? "") { [channel] piece in
            channel.send(
                CellMessage.bytes(piece.bytes) { json in
                    json.member("piece", piece.name)
                    json.member("kind", piece.kind)
                })
        }
        answer(order)
    }
}
