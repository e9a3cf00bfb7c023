import JSONText
import WidgetBytes
import WidgetProcesses

/// The reason why a browser does not do what it is asked for.
enum BrowserFault: Error, Equatable {
    /// It does not answer in time.
    case timeout
    /// It has closed its channel.
    case ended
    /// It sends something else than messages.
    case unreadable(String)
    /// It cannot do it, with its reason.
    case refused(String)
}

/// The DevTools protocol of a browser: questions and answers in JSON, each with a NUL behind it, over a channel.
struct DevToolsChannel: ~Copyable {
    private let socket: StreamSocket
    private let limits: JSONLimits
    /// The moment at which the browser has failed.
    var deadline = ContinuousClock.now
    /// The bytes that are not a whole message yet, and how many of them have no NUL.
    private var rest: [UInt8] = []
    private var searchedCount = 0
    private var lastNumber = 0
    /// The pages that the browser has loaded, with all that they refer to.
    private var loaded: Set<String> = []

    /// The most pages that are remembered to be loaded; one is asked for.
    private static let loadedCount = 100
    private static let pieceByteCount = 1 << 18

    /// - Parameter byteCount: the most bytes of a message.
    init(_ socket: StreamSocket, byteCount: Int) {
        self.socket = socket
        limits = JSONLimits(byteCount: byteCount)
    }

    /// Asks for something, and waits for the answer.
    mutating func ask(
        _ method: String, in session: String? = nil, _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) throws(BrowserFault) -> JSONValue {
        lastNumber += 1
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", lastNumber)
            writer.member("method", method)
            if let session { writer.member("sessionId", session) }
            writer.key("params")
            writer.object(parameters)
        }
        guard socket.write(writer.finish() + [0], until: deadline) else {
            throw ContinuousClock.now < deadline ? .ended : .timeout
        }
        while true {
            let message = try next()
            guard message["id"]?.integer == Int64(lastNumber) else { continue }
            if let error = message["error"] { throw .refused("\(method): \(error["message"]?.string ?? "")") }
            guard let result = message["result"] else { throw .unreadable("the answer to \(method) has no result") }
            return result
        }
    }

    /// Asks for something whose answer has a text.
    mutating func text(
        _ member: String, of method: String, in session: String? = nil,
        _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) throws(BrowserFault) -> String {
        guard let text = try ask(method, in: session, parameters)[member]?.string else {
            throw .unreadable("the answer to \(method) has no \(member)")
        }
        return text
    }

    /// Waits until a page is there with all that it refers to.
    mutating func load(_ address: String, in session: String) throws(BrowserFault) {
        let answer = try ask("Page.navigate", in: session) { $0.member("url", address) }
        if let fault = answer["errorText"]?.string, !fault.isEmpty {
            throw .refused("the page is not loaded: \(fault)")
        }
        guard let loader = answer["loaderId"]?.string else { throw .unreadable("the page has no number") }
        while !loaded.contains(loader) { _ = try next() }
    }

    /// The next message; of an event, what is to be known later is remembered.
    private mutating func next() throws(BrowserFault) -> JSONValue {
        let bytes = try message()
        let message: JSONValue
        do throws(JSONError) {
            message = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw .unreadable("a message is not JSON: \(error)")
        }
        if message["method"]?.string == "Page.lifecycleEvent", let event = message["params"],
            event["name"]?.string == "load", let loader = event["loaderId"]?.string,
            loaded.count < DevToolsChannel.loadedCount
        {
            loaded.insert(loader)
        }
        return message
    }

    private mutating func message() throws(BrowserFault) -> [UInt8] {
        while true {
            if let end = rest[searchedCount...].firstIndex(of: 0) {
                let message = Array(rest[..<end])
                rest.removeSubrange(...end)
                searchedCount = 0
                return message
            }
            searchedCount = rest.count
            guard rest.count <= limits.byteCount else {
                throw .unreadable("a message has more than \(limits.byteCount) bytes")
            }
            guard ContinuousClock.now < deadline,
                let bytes = socket.read(count: DevToolsChannel.pieceByteCount, until: deadline)
            else { throw .timeout }
            guard !bytes.isEmpty else { throw .ended }
            rest += bytes
        }
    }
}
