package import WidgetCore
package import WidgetRunning

/// The network of a widget: it answers the widget's requests.
package protocol WidgetNetwork: Sendable {
    /// - Parameter progress: called with the part of the request that was sent, from 0 to 1.
    func outcome(of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void) async -> RequestOutcome

    /// The same for a request whose action is known.
    func outcome(of outgoing: OutgoingRequest, progress: @escaping @Sendable (Double) -> Void) async -> RequestOutcome

    /// A sentence about what could not be done beside an answer, such as to keep it. Each is returned once.
    func takeNotice() -> String?

    /// True if it fetches the pictures that screens show.
    var fetchesPictures: Bool { get }

    /// Fetches a picture. The widget has no part in the request but its address.
    func picture(at address: String) async -> FetchedPicture
}

extension WidgetNetwork {
    package func takeNotice() -> String? { nil }

    package var fetchesPictures: Bool { false }

    package func picture(at address: String) async -> FetchedPicture { .failed("no pictures are fetched here") }

    package func outcome(
        of outgoing: OutgoingRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        await outcome(of: outgoing.request, progress: progress)
    }

    package func outcome(of request: ServiceRequest) async -> RequestOutcome { await outcome(of: request) { _ in } }
}

/// The network of a widget without a grant: it refuses every request.
package struct DeniedNetwork: WidgetNetwork {
    package init() {}

    package func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        .denied(request)
    }
}

/// A network of prepared answers, by method and address: for tests, and for running without a server.
package struct ScriptedNetwork: WidgetNetwork {
    private let answers: [String: RequestOutcome]
    private let steps: [Double]

    /// - Parameters:
    ///   - answers: by `GET https://host/path`, or by the address alone.
    ///   - steps: the progress that is reported before each answer.
    package init(_ answers: [String: RequestOutcome], progress steps: [Double] = []) {
        self.answers = answers
        self.steps = steps
    }

    package func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        for step in steps { progress(step) }
        return answers["\(request.method) \(request.url)"] ?? answers[request.url]
            ?? .failure("No answer is scripted for \(request.method) \(request.url).")
    }
}
