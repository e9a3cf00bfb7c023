import HTTPWire
import WidgetHTTPServer

/// The problems of a server that knows no registry: each refusal has a code and its status.
enum TestProblems {
    static func problem(_ refusal: Refusal) -> Problem {
        switch refusal {
        case .malformed(let malformation): problem("malformed-request", 400, malformation.rawValue)
        case .requestLineTooLong: problem("uri-too-long", 414)
        case .fieldTooLong, .headTooLong, .tooManyFields: problem("header-too-large", 431)
        case .unsupportedVersion: problem("unsupported-version", 505)
        case .unsupportedTransferCoding: problem("unsupported-transfer-coding", 501)
        case .unsupportedExpectation: problem("unsupported-expectation", 417)
        case .unsupportedMediaType: problem("unsupported-media-type", 415)
        case .contentTooLarge: problem("too-large", 413)
        case .headTooSlow, .contentTooSlow: problem("timeout", 408)
        case .rangeUnsatisfiable: problem("range-unsatisfiable", 416)
        case .preconditionFailed: problem("precondition-failed", 412)
        case .notAcceptable: problem("not-acceptable", 406)
        case .noRoute: problem("not-found", 404)
        case .methodNotAllowed: problem("method-not-allowed", 405)
        case .tooManyConnections: retriable("overloaded")
        case .draining: retriable("draining")
        case .internalFailure: problem("internal", 500)
        }
    }

    private static func problem(_ code: String, _ status: Int, _ detail: String = "A refusal of the engine.") -> Problem
    {
        Problem(
            code: code, title: code, status: Status(rawValue: status) ?? .internalServerError, detail: detail,
            members: [])
    }

    private static func retriable(_ code: String) -> Problem {
        var problem = problem(code, 503)
        problem.fields.add("Retry-After", 1)
        return problem
    }
}
