import JSONText
import Testing
import WidgetContract

/// Goal: what passes between a widget and its native code means the same in both processes, and nothing else is taken.
/// Method: values that are written and read again, and documents with one fault each.
@Suite struct `Turns of native code` {
    private static func read<T: JSONDecodable>(_ json: String, as type: T.Type = T.self) throws(JSONError) -> T {
        try JSONDocument(parsing: Array(json.utf8), limits: NativeReply.limits).cursor.decode()
    }

    private static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    private static func fault<T: JSONDecodable>(_ json: String, as type: T.Type) -> String {
        do throws(JSONError) {
            _ = try read(json, as: type)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `A turn reads as it was written`() throws {
        let turn = NativeTurn(
            7,
            screens: [
                NativeTurn.Screen(1, scene: "Main", content: JSONValue(.null)),
                NativeTurn.Screen(
                    4, scene: "Details", changed: [NativeNamedValue("users", try Self.json(#"[{"name":"Ann"}]"#))]),
            ],
            calls: [
                NativeCall(
                    "h1", screen: 4, argument: try Self.json("1.5"),
                    items: [
                        NativeNamedValue("user", try Self.json(#"{"id":1}"#)),
                        NativeNamedValue("user", try Self.json("2")),
                    ]), NativeCall("h2", screen: 1),
            ])
        let read: NativeTurn = try Self.read(String(decoding: turn.json, as: UTF8.self))
        #expect(read == turn)
        #expect(read.calls[0].item == JSONValue(.number(JSONNumber(2))), "the innermost item is the row's")
        #expect(read.screens[0].content != nil && read.screens[1].content == nil)
    }

    private static let actions: [NativeCommand.Action] = [
        .set(state: "a", to: JSONValue(.null)), .append(state: "a", item: JSONValue(.boolean(true))),
        .update(state: "a", at: 3, to: JSONValue(.string("x"))), .remove(state: "a", at: 0),
        .push(scene: "D", with: JSONValue(.array([])), result: "h"), .present(scene: "D"), .back(),
        .dismiss(value: JSONValue(.null)), .alert(title: "T", message: "M"), .open(url: "https://a.example"),
        .refresh(), .refresh(source: "s"), .focus(id: "f"), .cache(key: "k", to: JSONValue(.null), seconds: 2.5),
        .uncache(key: "k"), .call(action: "a", service: "s", with: JSONValue(.null), then: "h1", otherwise: "h2"),
        .after(seconds: 0.5, handler: "h"),
    ]

    @Test func `A reply with commands of every kind reads as it was written`() throws {
        #expect(Set(Self.actions.map(\.name)) == Set(NativeCommand.Action.names))
        let reply = NativeReply(
            to: 7, documents: [NativeNamedValue("Main", try Self.json(#"{"kind":"label"}"#))],
            commands: Self.actions.map { NativeCommand($0) } + [NativeCommand(.back(), screen: 4)],
            remarks: [
                NativeRemark("two rows of one key", hint: "give each its own", file: "App.swift", line: 3),
                NativeRemark("slow", isError: false),
            ])
        #expect(try Self.read(String(decoding: reply.json, as: UTF8.self)) == reply)
        #expect(!reply.isEmpty && NativeReply(to: 1).isEmpty)
        #expect(try Self.read(#"{"turn": 1}"#) == NativeReply(to: 1))
    }

    @Test func `A widget's description of itself reads as it was written`() throws {
        let declaration = NativeDeclaration(
            "org.example.counter", first: "Main",
            documents: [NativeNamedValue("Main", try Self.json(#"{"kind":"label"}"#))],
            handlers: [NativeDeclaration.Handler("h1", what: "onTap of Add", file: "App.swift", line: 12)],
            faults: [NativeRemark("no")])
        #expect(try Self.read(String(decoding: declaration.json, as: UTF8.self)) == declaration)
        let headless = #"{"identifier": "a", "first": "Other", "documents": {"Main": {}}}"#
        #expect(Self.fault(headless, as: NativeDeclaration.self).contains("documents with the first one, Other"))
    }

    @Test(arguments: [
        (#"{"commands": []}"#, "turn"), (#"{"turn": "1"}"#, "expected"), (#"{"turn": 1, "command": []}"#, "commands"),
        (#"{"turn": 1, "commands": {}}"#, "array"), (#"{"turn": 1, "commands": [{"do": "sett"}]}"#, "set, append"),
        (#"{"turn": 1, "commands": [{"do": "set", "state": "a"}]}"#, "to"),
        (#"{"turn": 1, "commands": [{"do": "set", "state": "", "to": 1}]}"#, "1 to 1000 bytes"),
        (#"{"turn": 1, "commands": [{"do": "set", "state": "a", "to": 1, "too": 1}]}"#, "screen, do, state, to"),
        (#"{"turn": 1, "commands": [{"do": "back", "screen": 1.5}]}"#, "1.5"),
        (#"{"turn": 1, "commands": [{"do": "push", "scene": "D", "result": 3}]}"#, "string"),
        (#"{"turn": 1, "documents": []}"#, "object"), (#"{"turn": 1, "remarks": [{"hint": "x"}]}"#, "message"),
        (#"{"turn": 1, "documents": {"A": {}, "A": {}}}"#, "A"),
    ])
    func `A reply with a fault is refused, and the reason names it`(json: String, reason: String) {
        #expect(Self.fault(json, as: NativeReply.self).contains(reason), "\(Self.fault(json, as: NativeReply.self))")
    }

    @Test func `More commands, documents or calls than there may be are refused`() {
        let commands = Array(repeating: #"{"do":"back"}"#, count: NativeReply.commandLimit + 1).joined(separator: ",")
        #expect(
            Self.fault("{\"turn\":1,\"commands\":[\(commands)]}", as: NativeReply.self).contains(
                "at most \(NativeReply.commandLimit)"))
        let documents = (0...NativeReply.documentLimit).map { "\"d\($0)\":{}" }.joined(separator: ",")
        #expect(Self.fault("{\"turn\":1,\"documents\":{\(documents)}}", as: NativeReply.self).contains("at most 256"))
        let calls = Array(repeating: #"{"handler":"h","screen":1}"#, count: NativeTurn.callLimit + 1)
        let turn = "{\"turn\":1,\"calls\":[\(calls.joined(separator: ","))]}"
        #expect(Self.fault(turn, as: NativeTurn.self).contains("at most 20000"))
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(!Self.fault("{\"turn\":1,\"documents\":{\"d\":\(deep)}}", as: NativeReply.self).isEmpty)
    }

    @Test func `A failure says what happened, and whether it is the last one`() {
        #expect("\(NativeFailure.timeout(seconds: 10))".contains("within 10 seconds"))
        #expect("\(NativeFailure.ended("exit code 1"))".contains("exit code 1"))
        #expect("\(NativeFailure.unreadable("no JSON"))".contains("no JSON"))
        #expect(NativeFailure.ended("").isFinal && !NativeFailure.timeout(seconds: 1.5).isFinal)
    }
}
