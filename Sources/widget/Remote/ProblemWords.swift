import JSONText
import RegistryClient
import RegistryContract

/// A registry's problem as a command says it.
///
/// A registry speaks to any client and names addresses, fields and bodies. Where a command has words for what to do, they
/// take the place of those.
struct ProblemWords {
    let sentence: String
    /// Each of several things that are wrong.
    let causes: [String]
    let hints: [String]
    /// What a report should say: the code, and all members that are not said above.
    let reference: String

    private static let said: Set<String> = ["type", "title", "status", "detail", "instance", "errors"]

    /// - Parameter known: hints that do not come from the problem's code.
    init(_ problem: RegistryProblem, hints known: [String]) {
        hints = known + ProblemWords.hints(problem)
        let detail = hints.isEmpty ? problem.detail : ProblemWords.withoutWire(problem.detail)
        sentence = detail.isEmpty ? problem.title : "\(problem.title): \(detail)"
        let members = problem.document.object?.members ?? []
        causes = (problem.document["errors"]?.array ?? []).map { error in
            let place = error["path"]?.string.map { "\($0): " } ?? ""
            let code = error["code"]?.string.map { " [\($0)]" } ?? ""
            return "\(place)\(error["detail"]?.string ?? "")\(code)"
        }
        var facts = [problem.code, "status \(problem.status)"]
        if let instance = problem.document["instance"]?.string { facts.append("request \(instance)") }
        for member in members where !ProblemWords.said.contains(member.name) {
            var writer = JSONWriter()
            writer.value(member.value)
            let text = member.value.string ?? String(decoding: writer.bytes, as: UTF8.self)
            facts.append("\(member.name) \(text)")
        }
        reference = facts.joined(separator: ", ")
    }

    private static func hints(_ problem: RegistryProblem) -> [String] {
        switch ProblemCode(rawValue: problem.code) {
        case .noEarlierRelease: ["`--to RELEASE` names one; `widget show ID` lists those there are"]
        case .noSuchRelease, .noSuchChannel: ["`widget show ID` lists the releases and channels there are"]
        case .noSuchBundle: ["`widget list` shows what the registry has"]
        case .preconditionFailed: ["`widget show ID` shows it as it is now; repeat the command if it still makes sense"]
        case .withdrawn: ["`widget restore ID RELEASE` brings a withdrawn release back"]
        case .notAcceptable: ["the registry may be of another version; `widget doctor` probes it"]
        default: []
        }
    }

    /// A text without the clauses that speak of requests, and without what follows such a clause in its sentence.
    private static func withoutWire(_ detail: String) -> String {
        var kept: [String] = []
        for sentence in detail.split(separator: ". ") {
            let clauses = sentence.split(separator: "; ").prefix { clause in !wire.contains { clause.contains($0) } }
            if !clauses.isEmpty { kept.append(clauses.joined(separator: "; ")) }
        }
        return kept.joined(separator: ". ")
    }

    private static let wire = [
        "/v1/", "{\"", "POST ", "PUT ", "GET ", "If-Match", "entity tag", "Authorization", "curl ", "Bearer ",
    ]
}
