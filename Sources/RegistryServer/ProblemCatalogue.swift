package import HTTPServer
package import HTTPWire
package import RegistryContract

/// Turns the refusals of every module into problems. Each switch is exhaustive: a new refusal does not compile
/// until somebody has decided what a client is told.
package enum ProblemCatalogue {
    package static func problem(
        _ code: ProblemCode, _ detail: String, _ members: [Problem.Member] = []
    ) -> Problem {
        Problem(code: code.rawValue, title: code.title, status: code.httpStatus, detail: detail, members: members)
    }

    /// A parameter of a query with a value that it does not take.
    package static func unreadable(_ error: UnreadableParameter) -> Problem {
        problem(
            .malformedRequest,
            "The parameter \(error.name) has to be \(error.expectation), not \(quoted(String(error.text.prefix(100)))).")
    }

    /// A refusal of the protocol engine.
    package static func problem(_ refusal: Refusal) -> Problem {
        switch refusal {
        case .malformed(let malformation):
            return problem(.malformedRequest, malformation.rawValue)
        case .requestLineTooLong(let limit):
            return limited(.uriTooLong, "The request line is longer than \(limit) bytes.", limit)
        case .fieldTooLong(let limit):
            return limited(.headerTooLarge, "A header field is longer than \(limit) bytes.", limit)
        case .headTooLong(let limit):
            return limited(.headerTooLarge, "The header fields together are longer than \(limit) bytes.", limit)
        case .tooManyFields(let limit):
            return limited(.headerTooLarge, "There are more than \(limit) header fields.", limit)
        case .unsupportedVersion:
            return problem(.unsupportedVersion, "Use HTTP/1.1.")
        case .unsupportedTransferCoding:
            return problem(.unsupportedTransferCoding, "Use chunked, or send a Content-Length.")
        case .unsupportedExpectation:
            return problem(.unsupportedExpectation, "Only 100-continue can be expected here.")
        case .unsupportedMediaType(let accepted):
            return problem(.unsupportedMediaType, "This route takes \(accepted), without a content coding.")
        case .contentTooLarge(let limit, let announced):
            return limited(
                .tooLarge, "The content is larger than the \(limit) bytes this route takes.", limit, announced)
        case .headTooSlow:
            return problem(.timeout, "The request's head did not arrive in time.")
        case .contentTooSlow:
            return problem(.timeout, "The content arrived too slowly.")
        case .rangeUnsatisfiable(let size):
            return problem(
                .rangeUnsatisfiable, "The content has \(size) bytes.", [Problem.Member("actual", size)])
        case .preconditionFailed:
            return problem(.preconditionFailed, "The representation is not the one the request's condition names.")
        case .notAcceptable(let available):
            return problem(.notAcceptable, "The answer would be \(available).")
        case .noRoute:
            return problem(.notFound, "No route leads to this path; check its spelling.")
        case .methodNotAllowed(let allowed):
            return problem(.methodNotAllowed, "Allowed here: \(allowed).")
        case .tooManyConnections:
            return retriable(.overloaded, "Too many connections are open; try again shortly.")
        case .draining:
            return retriable(.draining, "The server is shutting down; try again shortly.")
        case .internalFailure:
            return problem(.internal, "The server's log tells more under this answer's instance.")
        }
    }

    private static func limited(
        _ code: ProblemCode, _ detail: String, _ limit: Int, _ actual: Int? = nil
    ) -> Problem {
        problem(code, detail, [Problem.Member("limit", limit)] + (actual.map { [Problem.Member("actual", $0)] } ?? []))
    }

    private static func retriable(_ code: ProblemCode, _ detail: String) -> Problem {
        var problem = problem(code, detail)
        problem.fields.add("Retry-After", 1)
        return problem
    }
}

extension ProblemCode {
    /// The status of answers with this code; a test holds every code against those that are sent.
    package var httpStatus: Status { Status(rawValue: status) ?? .internalServerError }
}
