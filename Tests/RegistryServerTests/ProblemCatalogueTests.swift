import Files
import Glibc
import HTTPServer
import HTTPWire
import Registry
import RegistryContract
import RegistryServer
import Testing

@Suite struct `The problem catalogue` {
    static let refusals: [Refusal] =
        Malformation.allCases.map { .malformed($0) } + [
            .requestLineTooLong(limit: 1), .fieldTooLong(limit: 2), .headTooLong(limit: 3), .tooManyFields(limit: 4),
            .unsupportedVersion, .unsupportedTransferCoding, .unsupportedExpectation,
            .unsupportedMediaType(accepted: "application/zip"), .contentTooLarge(limit: 5), .contentTooSlow,
            .headTooSlow,
            .rangeUnsatisfiable(size: 6), .preconditionFailed, .notAcceptable(available: "application/json"), .noRoute,
            .methodNotAllowed(allowed: "GET"), .tooManyConnections, .draining, .internalFailure,
        ]

    @Test(arguments: refusals)
    func `tells of every refusal with its own status, a title and a next step`(_ refusal: Refusal) {
        let problem = ProblemCatalogue.problem(refusal)
        #expect(problem.status == refusal.status)
        #expect(ProblemCode(rawValue: problem.code)?.title == problem.title)
        #expect(problem.detail.hasSuffix("."))
    }

    @Test(arguments: ProblemCode.allCases)
    func `has a distinct title and an explanation for every code`(_ code: ProblemCode) {
        #expect(ProblemCode.allCases.filter { $0.title == code.title } == [code])
        #expect(code.explanation.count > 60)
        #expect(code.status >= 400)
        #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    }

    @Test func `names the limit that was hit`() {
        let problem = ProblemCatalogue.problem(.fieldTooLong(limit: 8_192))
        #expect(problem.detail.contains("8192"))
        guard case .number(8_192)? = problem.members.first(where: { $0.name == "limit" })?.value else {
            Issue.record("no limit member")
            return
        }
    }

    @Test(arguments: [EMFILE, ENFILE]) func `asks to come again when there is no descriptor to be had`(_ code: Int32) {
        let problem = ProblemCatalogue.problem(RegistryError.storage(FileError(.open, subject: "a blob", code: code)))
        #expect(problem.code == "overloaded")
        #expect(problem.status == .serviceUnavailable)
        #expect(
            ProblemCatalogue.problem(RegistryError.storage(FileError(.open, subject: "x", code: EIO))).status
                == .internalServerError)
    }

    @Test func `tells nothing of the inside in a server's failure`() {
        let problem = ProblemCatalogue.problem(.internalFailure)
        #expect(problem.code == "internal")
        #expect(problem.members.isEmpty)
    }
}
