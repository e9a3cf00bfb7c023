internal import HTTPServer
internal import JSONText

/// A JSON object that somebody sent, with the members it may have.
///
/// A member nobody knows is refused: a misspelt one would otherwise be a setting that is not made.
struct RequestDocument {
    private let cursor: JSONCursor

    init(_ body: [UInt8], members known: [String]) throws(Problem) {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: body)
            cursor = document.cursor
            for (name, value) in try cursor.members() where !known.contains(name) {
                throw RequestDocument.unknown(name, value, known)
            }
        } catch {
            throw ProblemCatalogue.problem(error)
        }
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
