import Predicates
import Testing
import WidgetCore
import WidgetRunning

/// Goal: what a service description says of sending again is done, and nothing else is sent again. Method: services with
/// it and without, and a network that the test is.
@Suite struct `Sending again` {
    private typealias Base = `Defects of the original`

    private static func widget(_ members: String, method: String = "POST") throws -> DrivenWidget {
        try Base.services(
            #"{\#(Base.base), "actions": {"go": {"httpMethod": "\#(method)", "resultType": "[Entry]"\#(members)}}}"#,
            actions: ["go"]
        ).started()
    }

    private static func key(_ outgoing: OutgoingRequest) -> String? {
        outgoing.request.headers.first { $0.name == "Idempotency-Key" }?.value
    }

    /// What statuses are shown as the failure.
    private static func failures(_ widget: DrivenWidget) -> [String] {
        widget.store.screens.flatMap { Array($0.statuses.values) + Array($0.actions.values) }.compactMap(\.error)
    }

    @Test(arguments: ["POST", "PATCH"])
    func `has a key for each sending, and the same for all its attempts`(_ method: String) throws {
        let widget = try Self.widget(#", "idempotencyKey": true, "offline": "retry""#, method: method)
        try widget.tap("goButton")
        let first = try Base.request(widget)
        let key = try #require(Self.key(first))
        #expect(key.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        widget.send(.response(request: first.number, .failure("nobody")))
        widget.advance(by: 5.1)
        let second = try Base.request(widget)
        #expect(second.number == first.number && Self.key(second) == key)
        widget.send(.response(request: second.number, .unanswered("lost")))
        widget.advance(by: 10.1)
        #expect(Self.key(try Base.request(widget)) == key, "the server recognises it")
        widget.send(.response(request: first.number, .response(status: 200, body: .null)))
        try widget.tap("goButton")
        let next = try #require(Self.key(try Base.request(widget)))
        #expect(next != key)
        let other = try Self.widget(#", "idempotencyKey": true"#, method: method)
        try other.tap("goButton")
        #expect(Self.key(try Base.request(other)).map { $0 != key && $0 != next } == true, "another run has others")
    }

    @Test(arguments: [("POST", ""), ("POST", #", "idempotencyKey": false"#), ("GET", #", "idempotencyKey": true"#)])
    func `has no key that was not asked for, or is not needed`(_ method: String, _ members: String) throws {
        let widget = try Self.widget(members, method: method)
        try widget.tap("goButton")
        #expect(Self.key(try Base.request(widget)) == nil)
    }

    @Test func `needs a yes or a no about the key`() throws {
        let widget = try Self.widget(#", "idempotencyKey": "always""#)
        #expect(widget.diagnostics.contains { $0.code == .badValue && "\($0)".contains("idempotency key") })
        try widget.tap("goButton")
        #expect(Self.key(try Base.request(widget)) == nil)
    }

    @Test(arguments: ["fail", "keep", "retry"])
    func `is not done with what may have been done, whatever is to happen offline`(_ policy: String) throws {
        let widget = try Self.widget(#", "offline": "\#(policy)""#)
        try widget.tap("goButton")
        let sent = try Base.request(widget)
        widget.send(.response(request: sent.number, .unanswered("The answer was lost.")))
        widget.advance(by: 600)
        #expect(widget.driver.waiting.isEmpty && widget.store.requests.isEmpty)
        #expect(Self.failures(widget).contains("The answer was lost."))
    }

    @Test func `is done with what is repeatable`() throws {
        let widget = try Self.widget(#", "offline": "retry""#, method: "GET")
        try widget.tap("goButton")
        let sent = try Base.request(widget)
        widget.send(.response(request: sent.number, .unanswered("lost")))
        widget.advance(by: 5.1)
        #expect(widget.driver.waiting.map(\.number) == [sent.number])
    }

    @Test func `is not asked for, but told, where a server says when`() throws {
        for (body, words) in [
            ("{}", "The server answered with status 503. The server asks to wait 120 s."),
            (#"{"error": "Too many."}"#, "Too many. The server asks to wait 120 s."),
        ] {
            let widget = try Self.widget(#", "offline": "retry""#)
            try widget.tap("goButton")
            let sent = try Base.request(widget)
            widget.send(
                .response(
                    request: sent.number, .postponed(status: 503, body: try `A mediator`.json(body), seconds: 120)))
            widget.advance(by: 600)
            #expect(widget.driver.waiting.isEmpty)
            #expect(Self.failures(widget).contains(words))
        }
    }
}
