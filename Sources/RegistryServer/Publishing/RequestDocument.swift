internal import Bytes
internal import HTTPServer
internal import JSONText

/// A JSON object that somebody sent, with the members it may have.
///
/// A member nobody knows is refused: a misspelt one would otherwise be a setting that is not made.
struct RequestDocument {
    private let cursor: JSONCursor

    init(_ body: [UInt8], members known: [String]) throws(Problem) {
        let members: [(name: String, value: JSONCursor)]
        do throws(JSONError) {
            cursor = try JSONDocument(parsing: body).cursor
            members = try cursor.members()
        } catch {
            throw ProblemCatalogue.problem(error)
        }
        for (name, value) in members where !known.contains(name) { throw RequestDocument.unknown(name, value, known) }
    }

    private static func unknown(_ name: String, _ value: JSONCursor, _ known: [String]) -> Problem {
        ProblemCatalogue.problem(
            .malformedRequest,
            "There is no member \"\(name.prefix(80))\" here; there are \(known.joined(separator: ", ")).",
            [Problem.Member("line", value.position.line), Problem.Member("column", value.position.column)])
    }

    func require<Value: JSONDecodable>(_ name: String) throws(Problem) -> Value {
        do throws(JSONError) {
            return try cursor.require(name)
        } catch {
            throw ProblemCatalogue.problem(error)
        }
    }

    func optional<Value: JSONDecodable>(_ name: String) throws(Problem) -> Value? {
        do throws(JSONError) {
            return try cursor.optional(name)
        } catch {
            throw ProblemCatalogue.problem(error)
        }
    }
}
