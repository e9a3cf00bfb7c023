import JSONText
import Testing

@testable import WidgetContract

/// Goal: a host and a program of one version understand each other, and know when they do not. Method: lines of both.
@Suite struct `A line of a channel` {
    private let declaration = NativeDeclaration(
        "com.example.Counter", first: "Main", documents: [NativeNamedValue("Main", JSONValue(.array([])))],
        handlers: [NativeDeclaration.Handler("h1", what: "onTap", file: "Main.swift", line: 7)],
        faults: [NativeRemark("a fault")])

    private func question(_ text: String) throws -> ChannelQuestion {
        try JSONDocument(parsing: Array(text.utf8)).cursor.decode()
    }

    private func answer(_ text: String) throws -> ChannelAnswer {
        try JSONDocument(parsing: Array(text.utf8)).cursor.decode()
    }

    @Test func `is one line, which means the same when it is read`() throws {
        for message in [
            ChannelQuestion.begin(version: ChannelQuestion.version),
            .turn(NativeTurn(3, screens: [NativeTurn.Screen(1, scene: "Main")], calls: [NativeCall("h1", screen: 1)])),
        ] {
            #expect(try question(String(decoding: message.line, as: UTF8.self)) == message)
            #expect(message.line.firstIndex(of: 0x0A) == message.line.count - 1)
        }
        for message in [
            ChannelAnswer.program(declaration), .reply(NativeReply(to: 3, commands: [NativeCommand(.back())])), .notice,
        ] {
            #expect(try answer(String(decoding: message.line, as: UTF8.self)) == message)
            #expect(message.line.firstIndex(of: 0x0A) == message.line.count - 1)
        }
    }

    @Test func `has the form that is written down`() throws {
        #expect(try question(#"{"begin": 1}"#) == .begin(version: 1))
        #expect(try answer(#"{"notice": {}}"#) == .notice)
        #expect(try answer(#"{"reply": {"turn": 7}}"#) == .reply(NativeReply(to: 7)))
    }

    @Test(arguments: [#"{}"#, #"{"begin": "1"}"#, #"{"turn": {}}"#, #"{"begin": 1, "more": 2}"#, "[]"])
    func `without one of its members is refused as a question`(text: String) {
        #expect(throws: JSONError.self) { try question(text) }
    }

    @Test(arguments: [#"{}"#, #"{"reply": {}}"#, #"{"program": {"identifier": "a"}}"#, #"{"answer": {}}"#, "7"])
    func `without one of its members is refused as an answer`(text: String) {
        #expect(throws: JSONError.self) { try answer(text) }
    }
}
