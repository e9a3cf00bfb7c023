internal import HTTPServer
internal import HTTPWire
internal import RegistryContract
internal import Sockets

/// The routes that tell how the server is doing.
struct OperationRoutes: Sendable {
    let readiness: ReadinessChecks
    let metrics: @Sendable () -> String
    /// The disk is asked for its room, and a loop must not wait for that.
    private let work = WorkQueue("widgetd.metrics", width: 1)

    init(readiness: ReadinessChecks, metrics: @escaping @Sendable () -> String) {
        self.readiness = readiness
        self.metrics = metrics
    }

    private static let never = FieldBlock(["Content-Type": "application/json", "Cache-Control": "no-store"])

    func live(_ request: borrowing Request) -> Answer {
        .response(Response(.ok, fields: OperationRoutes.never, body: HealthDocument().bytes))
    }

    func ready(_ request: borrowing Request) -> Answer {
        .later { [readiness] responder in
            readiness.run { responder.answer(OperationRoutes.answer($0)) }
        }
    }

    private static func answer(_ outcomes: [ReadinessChecks.Outcome]) -> Answer {
        let failures = outcomes.filter { $0.failure != nil }
        guard failures.isEmpty else {
            let code: ProblemCode = failures.first?.name == "accepting" ? .draining : .notReady
            let names = failures.map(\.name).joined(separator: ", ")
            var problem = ProblemCatalogue.problem(
                code, "Not passing: \(names).",
                [Problem.Member("errors", failures.map { .init(code: $0.name, detail: $0.failure ?? "") })])
            problem.fields.add("Retry-After", 1)
            return .problem(problem)
        }
        let document = ReadinessDocument(checks: outcomes.map(\.name))
        return .response(Response(.ok, fields: never, body: document.bytes))
    }

    func metricsText(_ request: borrowing Request) -> Answer { metricsAnswer() }

    func metricsAnswer() -> Answer {
        let fields = FieldBlock([
            "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
        ])
        return work.answer { [metrics] in .response(Response(.ok, fields: fields, body: Array(metrics().utf8))) }
    }
}
