internal import Synchronization
internal import WidgetTestSupport

/// A service on loopback that speaks the endpoints which the framework's Twitter sample asks for: it keeps tweets, counts
/// every request, and refuses, delays or loses answers when a test says so.
package final class ScriptedTwitter: Sendable {
    /// One request, as it arrived.
    package struct Asked: Sendable {
        package var method: String
        /// The last part of the path without its ending: `home_timeline`, `update`, `42` of `destroy/42.json`.
        package var endpoint: String
        package var query: [String: String]
        package var form: [String: String]
        /// The bytes of the parts of a form, by their names.
        package var parts: [String: [UInt8]]
    }

    /// A fault of one answer.
    package enum Fault: Sendable {
        /// Nothing is done, and this is the answer.
        case refuse(Int, String)
        /// The request is done, and this is the answer.
        case doAndRefuse(Int)
        /// The request is done, and the connection ends without an answer.
        case loseAnswer
        case delay(milliseconds: Int32)
    }

    package struct Tweet: Sendable {
        package var id: Int
        package var text: String
        package var user: Int
    }

    struct State: Sendable {
        var tweets: [Tweet] = []
        var asked: [Asked] = []
        var isSignedIn = true
        /// True if parameters in the body of a GET are not seen, as most servers do.
        var readsQueryAlone = false
        var faults: [String: Fault] = [:]
        var uploadCount = 0
    }

    private let state: Shared
    private let server: HostileServer

    /// The script outlives the initializer, so it shares the state by reference.
    private final class Shared: Sendable {
        let value = Mutex(State())
    }

    /// - Parameter count: the tweets that there are to begin with, from 1, the oldest.
    package init(count: Int) throws {
        let state = Shared()
        self.state = state
        state.value.withLock { state in
            state.tweets = (1...count).map { Tweet(id: $0, text: ScriptedTwitter.text($0), user: [7, 8, 12][$0 % 3]) }
        }
        server = try HostileServer { visit in ScriptedTwitter.answer(visit, state) }
    }

    package var url: String { server.url }

    package var asked: [Asked] { state.value.withLock { $0.asked } }

    /// The number of requests for an endpoint.
    package func count(_ endpoint: String) -> Int { asked.count { $0.endpoint == endpoint } }

    package var tweets: [Tweet] { state.value.withLock { $0.tweets } }

    package func setSignedIn(_ isSignedIn: Bool) { state.value.withLock { $0.isSignedIn = isSignedIn } }

    package func readQueryAlone() { state.value.withLock { $0.readsQueryAlone = true } }

    /// Lets an endpoint fail in this way from now on; `nil` ends it.
    package func fault(_ endpoint: String, _ fault: Fault?) { state.value.withLock { $0.faults[endpoint] = fault } }

    /// Adds tweets, each newer than all before.
    package func add(_ texts: String..., user: Int = 7) {
        state.value.withLock { state in
            for text in texts { _ = ScriptedTwitter.add(text, user, to: &state) }
        }
    }

    private static func add(_ text: String, _ user: Int, to state: inout State) -> Tweet {
        let tweet = Tweet(id: (state.tweets.map(\.id).max() ?? 0) + 1, text: text, user: user)
        state.tweets.append(tweet)
        return tweet
    }

    // MARK: - Answers

    /// The text of a tweet: some have characters that formats, forms and JSON treat in a special way.
    private static func text(_ number: Int) -> String {
        switch number % 5 {
        case 0: "tweet \(number): 100% \"quoted\" & %@"
        case 1: "tweet \(number): back\\slash"
        case 2: "tweet \(number): one line\nand another"
        case 3: "tweet \(number): Größe"
        default: "tweet \(number)"
        }
    }

    private static func answer(_ visit: Visit, _ shared: Shared) {
        let asked = ScriptedTwitter.asked(visit)
        let fault = shared.value.withLock { state in
            state.asked.append(asked)
            return state.faults[asked.endpoint]
        }
        if case .refuse(let status, let body)? = fault { return visit.answer(status, text: body) }
        if case .delay(let milliseconds)? = fault { _ = visit.connection.hangsUp(within: milliseconds) }
        let (status, body) = shared.value.withLock { ScriptedTwitter.handle(asked, visit.request.target, &$0) }
        switch fault {
        case .doAndRefuse(let status): visit.answer(status, text: error("Over capacity"))
        case .loseAnswer: return
        case .refuse, .delay, nil: visit.answer(status, ["Content-Type: application/json"], text: body)
        }
    }

    private static func handle(_ asked: Asked, _ target: String, _ state: inout State) -> (Int, String) {
        switch (asked.method, asked.endpoint) {
        case ("GET", "verify_credentials"):
            return state.isSignedIn ? (200, user(12)) : (401, error("Could not authenticate you."))
        case ("GET", "home_timeline"):
            let given = state.readsQueryAlone ? asked.query : asked.form.merging(asked.query) { $1 }
            let newest = given["max_id"].flatMap { Int($0) } ?? .max
            let oldest = given["since_id"].flatMap { Int($0) } ?? 0
            let count = given["count"].flatMap { Int($0) } ?? 20
            let page = state.tweets.filter { $0.id <= newest && $0.id > oldest }.sorted { $0.id > $1.id }.prefix(count)
            return (200, "[\(page.map(object).joined(separator: ","))]")
        case ("POST", "update"):
            guard let text = asked.form["status"], !text.isEmpty else {
                return (403, error("Missing required parameter: status."))
            }
            return (200, object(add(text, 12, to: &state)))
        case ("POST", "upload"):
            guard asked.parts["media"] != nil else { return (400, error("media type unrecognized.")) }
            state.uploadCount += 1
            return (200, #"{"media_id_string": "900\#(state.uploadCount)"}"#)
        case ("POST", let id) where target.contains("/statuses/destroy/"):
            guard let place = state.tweets.firstIndex(where: { "\($0.id)" == id }) else {
                return (404, error("No status found with that ID."))
            }
            return (200, object(state.tweets.remove(at: place)))
        default: return (404, error("Sorry, that page does not exist"))
        }
    }

    package static func error(_ message: String) -> String { #"{"errors": [{"code": 1, "message": "\#(message)"}]}"# }

    private static func user(_ id: Int) -> String {
        let (nickname, name) = [7: ("ann", "Ann Lee"), 8: ("bob", "Bob Ray")][id] ?? ("jack", "Jack Archer")
        return #"""
            {"id_str": "\#(id)", "screen_name": "\#(nickname)", "name": "\#(name)", "followers_count": 5, "friends_count": 6,
             "listed_count": 7}
            """#
    }

    /// A tweet every 20 minutes, from noon of the nineteenth of June 2018.
    private static func object(_ tweet: Tweet) -> String {
        let minutes = 12 * 60 + tweet.id * 20
        let day = minutes < 24 * 60 ? "Tue Jun 19" : "Wed Jun 20"
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(minutes / 60 % 24)):\(two(minutes % 60)):00"
        let text = tweet.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return #"""
            {"id_str": "\#(tweet.id)", "text": "\#(text)", "created_at": "\#(day) \#(time) +0000 2018",
             "favorite_count": \#(tweet.id * 2), "retweet_count": \#(tweet.id * 3), "user": \#(user(tweet.user))}
            """#
    }

    // MARK: - Requests

    private static func asked(_ visit: Visit) -> Asked {
        let body = visit.readBody()
        let parts = visit.request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let name = parts[0].split(separator: "/").last.map(String.init) ?? ""
        let type = visit.request.value("Content-Type") ?? ""
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        return Asked(
            method: visit.request.method, endpoint: String(name.prefix { $0 != "." }),
            query: pairs(parts.count > 1 ? parts[1] : ""),
            form: isForm ? pairs(String(decoding: body, as: UTF8.self)) : [:],
            parts: type.split(separator: "boundary=").count > 1
                ? self.parts(body, String(type.split(separator: "boundary=")[1])) : [:])
    }

    private static func pairs(_ text: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
            pairs[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
        return pairs
    }

    private static func decoded(_ text: Substring) -> String {
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

    /// The parts of a form, as RFC 7578 has them.
    private static func parts(_ body: [UInt8], _ boundary: String) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let mark = Array("--\(boundary)".utf8)
        let blank = Array("\r\n\r\n".utf8)
        for piece in body.split(separator: mark) {
            guard let range = piece.firstRange(of: blank) else { continue }
            let head = String(decoding: piece[..<range.lowerBound], as: UTF8.self)
            let quoted = head.split(separator: "name=\"", maxSplits: 1)
            guard quoted.count > 1 else { continue }
            found[String(quoted[1].prefix { $0 != "\"" })] = Array(piece[range.upperBound...].dropLast(2))
        }
        return found
    }
}
