package import WidgetCore

/// Whoever answers what widgets ask the world.
package protocol WidgetNetwork: Sendable {
    func outcome(of request: Request) async -> Outcome
}

/// Nobody was asked whether this widget may use the network, so it may not.
package struct DeniedNetwork: WidgetNetwork {
    package init() {}

    package func outcome(of request: Request) async -> Outcome {
        .failure("The host has not granted this widget any network, and it asked for \(request.url).")
    }
}

/// Answers that were written beforehand, by method and address: for tests, and for running without a server.
package struct ScriptedNetwork: WidgetNetwork {
    private let answers: [String: Outcome]

    /// - Parameter answers: by `GET https://host/path`, or by the address alone.
    package init(_ answers: [String: Outcome]) {
        self.answers = answers
    }

    package func outcome(of request: Request) async -> Outcome {
        answers["\(request.method) \(request.url)"] ?? answers[request.url]
            ?? .failure("Nobody answers \(request.method) \(request.url) here.")
    }
}
