import JSONText
import Testing
import WidgetBytes
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// A service for the sample with a real service: sightings by number, newest first, in pages; who is signed in; and
/// what was asked for.
final class AviaryServer: WidgetNetwork {
    struct State: Sendable {
        var sightings: [(id: Int, text: String, author: String)] = []
        /// Sightings since then that no client has yet.
        var arrivals = [(id: 23, text: "sighting 23", author: "ben"), (id: 24, text: "sighting 24", author: "ada")]
        var asked: [String] = []
        /// Parts of uploads: their names, types and sizes.
        var pictures: [String] = []
        var isDown = false
        var refusesDeletion = false
    }

    private let state = Guarded(State())
    private static let people = ["ada": "Ada Wren", "ben": "Ben Finch"]

    init(count: Int) {
        state.withLock { state in
            state.sightings = (1...count).map { (10 + $0, "sighting \(10 + $0)", $0 % 3 == 0 ? "ada" : "ben") }
        }
    }

    func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    var asked: [String] { state.withLock { $0.asked } }

    var pictures: [String] { state.withLock { $0.pictures } }

    var ids: [Int] { state.withLock { $0.sightings.map(\.id) } }

    func outcome(of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void) async -> RequestOutcome {
        let body = String(decoding: request.body, as: UTF8.self)
        return state.withLock { state in
            state.asked.append("\(request.method) \(request.url)\(body.isEmpty ? "" : " \(body)")")
            if state.isDown { return .failure("no server") }
            state.pictures += request.parts.map { "\($0.name): \($0.bytes.count) bytes" }
            guard let path = request.url.split(separator: "/1/", maxSplits: 1).last else { return .failure("no path") }
            let text = AviaryServer.answer(to: request.method, String(path), body, &state)
            guard let text else {
                return .response(status: 404, body: AviaryServer.value(#"{"error": {"message": "No such sighting."}}"#))
            }
            return .response(status: 200, body: AviaryServer.value(text))
        }
    }

    private static func answer(to method: String, _ path: String, _ body: String, _ state: inout State) -> String? {
        let (name, query) = split(path)
        switch (method, name) {
        case ("POST", "account/login.json"): return #"{"account": {"id": "ada", "name": "Ada Wren", "handle": "ada"}}"#
        case ("POST", "account/logout.json"): return "[]"
        case ("GET", "sightings.json"):
            if query["newer"] != nil {
                let arrivals = state.arrivals
                state.arrivals = []
                state.sightings += arrivals
                return list(arrivals[...])
            }
            let count = query["count"].flatMap { Int($0) } ?? 20
            let before = query["before"].flatMap { Int($0) } ?? .max
            return list(state.sightings.filter { $0.id < before }.sorted { $0.id > $1.id }.prefix(count))
        case ("GET", "search.json"):
            let words = (query["q"] ?? "").replacing("%20", with: " ")
            return list(state.sightings.filter { $0.text.contains(words) }[...])
        case ("POST", "sightings.json"):
            let id = (state.sightings.map(\.id).max() ?? 10) + 1
            state.sightings.append((id, decoded(split("?" + body).query["text"] ?? ""), "ada"))
            return state.sightings.last.map(object)
        case ("POST", "media/upload.json"): return #"{"media": {"id": "m\#(state.pictures.count)"}}"#
        case ("DELETE", _):
            guard !state.refusesDeletion else { return nil }
            state.sightings.removeAll { name == "sightings/\($0.id).json" }
            return "{}"
        default: return nil
        }
    }

    private static func split(_ path: String) -> (name: String, query: [String: String]) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return (
            String(parts[0]),
            Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { first, _ in first }
        )
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func list(_ sightings: ArraySlice<(id: Int, text: String, author: String)>) -> String {
        #"{"sightings": [\#(sightings.map(object).joined(separator: ", "))]}"#
    }

    /// One an hour, on the twentieth of June 2018.
    private static func object(_ sighting: (id: Int, text: String, author: String)) -> String {
        let (day, hour) = (20 + (sighting.id - 10) / 24, (sighting.id - 10) % 24)
        return #"""
            {"id": "\#(sighting.id)", "text": "\#(sighting.text.replacing(#"\"#, with: #"\\"#).replacing("\"", with: #"\""#))", "place": \#(sighting.id % 2 == 0 ? #""the pond""# : "null"),
             "seen_at": "Wed Jun \#(day) \#(hour < 10 ? "0" : "")\#(hour):00:00 +0000 2018",
             "author": {"id": "\#(sighting.author)", "name": "\#(people[sighting.author] ?? "")", "handle": "\#(sighting.author)",
              "picture": {"small": "https://pictures.example.com/\#(sighting.author).png"}}}
            """#
    }

    private static func value(_ text: String) -> Value {
        (try? JSONValue(parsing: Array(text.utf8))).map { Value($0) } ?? .null
    }
}
