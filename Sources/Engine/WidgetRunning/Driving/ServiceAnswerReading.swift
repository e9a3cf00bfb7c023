internal import JSONText
internal import WidgetBytes
package import WidgetCore
internal import WidgetPredicates

extension RequestOutcome {
    /// The most bytes of an answer.
    package static let largestAnswer = 8 << 20

    /// The place and the reason, without names: they are text of the server, and could repeat a field of the app in pieces
    /// or escapes that ``KeptSecrets`` does not compare.
    private static func sentence(_ error: JSONError) -> String {
        switch error.reason {
        case .duplicateName: "\(error.position): an object has two members of one name"
        case .equivalentName: "\(error.position): an object has two names that differ in code points of Unicode alone"
        default: "\(error.position): \(error.reason)"
        }
    }

    /// The answer to a request of a widget that was granted no network.
    package static func denied(_ request: ServiceRequest) -> RequestOutcome {
        .failure("The host has not granted this widget any network, and it asked for \(request.url).")
    }

    /// An answer of a server, as widgets read it.
    package static func answer(status: Int, _ bytes: [UInt8]) -> RequestOutcome {
        do throws(JSONError) {
            let table = try JSONTable(parsing: bytes, limits: JSONLimits(byteCount: largestAnswer))
            return .response(status: status, body: Value(table.root))
        } catch {
            return .unreadable(status: status, message: "The answer is not JSON: \(sentence(error))")
        }
    }
}
