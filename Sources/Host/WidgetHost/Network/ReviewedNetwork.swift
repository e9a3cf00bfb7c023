package import WidgetCore
package import WidgetHosting
internal import WidgetRunning
internal import WidgetTransfers

/// A network of prepared answers whose requests an app sees first, as it sees those of a real one.
package struct ReviewedNetwork: WidgetNetwork {
    private let network: any WidgetNetwork
    private let review: RequestReview

    package init(_ network: any WidgetNetwork, by review: @escaping RequestReview) {
        self.network = network
        self.review = review
    }

    package func takeNotice() -> String? { network.takeNotice() }

    package func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        do throws(TransferError) {
            let transfer = try WebNetwork.transfer(request, to: try TransferURL(request.url))
            if case .outcome(let outcome) = try await WebNetwork.reviewed(transfer, by: review) { return outcome }
        } catch {
            return .failure("\(error)")
        }
        return await network.outcome(of: request, progress: progress)
    }
}
