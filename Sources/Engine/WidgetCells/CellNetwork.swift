internal import Bytes
internal import JSONText
internal import WidgetCore
internal import WidgetHosting
internal import WidgetRunning

/// The network of a cell's widgets: the host does what they ask, if it was granted.
final class CellNetwork: WidgetNetwork {
    private struct State {
        var awaited: [Int: CheckedContinuation<RequestOutcome, Never>] = [:]
        var lastNumber = 0
    }

    private let channel: CellChannel
    private let state = Guarded(State())

    init(_ channel: CellChannel) {
        self.channel = channel
    }

    func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.awaited[number] = continuation }
                let isSent = channel.send(
                    CellMessage.bytes(CellRequests.body(of: request)) { json in
                        json.member("request", number)
                        CellRequests.write(request, to: &json)
                    })
                if !isSent || Task.isCancelled { finish(number, .unanswered("the host has not taken the request")) }
            }
        } onCancel: {
            channel.send(CellMessage.bytes { $0.member("cancel", number) })
            finish(number, .unanswered("the request was cancelled"))
        }
    }

    private func finish(_ number: Int, _ outcome: RequestOutcome) {
        state.withLock { $0.awaited.removeValue(forKey: number) }?.resume(returning: outcome)
    }

    /// Takes an answer of the host.
    func take(_ message: CellMessage) {
        guard let number = message.integer("request") else { return }
        finish(number, CellRequests.outcome(message))
    }
}
