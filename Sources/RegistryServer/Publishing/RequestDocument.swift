internal import Bytes
internal import HTTPServer
internal import JSONText
internal import RegistryContract

/// Reads the documents that requests bring.
enum RequestDocument {
    static func read<Document: WireRequest>(
        _ body: [UInt8], as type: Document.Type = Document.self
    ) throws(Problem) -> Document {
        let cursor: JSONCursor
        let members: [(name: String, value: JSONCursor)]
        do throws(JSONError) {
            cursor = try JSONDocument(parsing: body).cursor
            members = try cursor.members()
        } catch {
            throw ProblemCatalogue.problem(error)
        }
        let known = Document.members.map(\.name)
        for (name, value) in members where !known.contains(name) { throw unknown(name, value, known) }
        return try rethrowing(try cursor.decode(), as: { (error: JSONError) in ProblemCatalogue.problem(error) })
    }

    private static func unknown(_ name: String, _ value: JSONCursor, _ known: [String]) -> Problem {
        ProblemCatalogue.problem(
            .malformedRequest,
            "There is no member \"\(name.prefix(80))\" here; there are \(known.joined(separator: ", ")).",
            [Problem.Member("line", value.position.line), Problem.Member("column", value.position.column)])
    }
}
