import Bytes
import Glibc
import JSONText
import WidgetContract
import Widgets

/// A widget whose two screens are fixed, and whose closures count.
///
/// The words of the file beside the program that ends in `.behaviour`, or of the variable `BEHAVIOUR`, say how it fails.
final class AnsweringWidget: NativeCode {
    private struct State {
        var count = 0
        var notice: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())
    private let behaviour: Set<String>

    init(_ behaviour: Set<String>) {
        self.behaviour = behaviour
    }

    static func json(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? JSONValue(.null) }

    var declaration: NativeDeclaration {
        let isData = behaviour.contains("data")
        let title = behaviour.contains("other") ? "Other count" : "Count"
        let add =
            isData
            ? #"{"do": "set", "state": "count", "to": {"$": "count + 1"}}"#
            : #"{"do": "native", "handler": "add", "value": "$count"}"#
        let kind = behaviour.contains("unknown") ? "lable" : "label"
        let sources =
            behaviour.contains("order")
            ? #""sources": {"order": {"action": "order", "when": "load"}}, "on": {"load": {"do": "call", "source": "order"}}, "#
            : ""
        let main = """
            {"schema": 1, "state": {"count": 0}, \(sources)"root": [
              {"kind": "\(kind)", "id": "shown", "payload": {"text": {"$": ["\(title): ", "$count"]}}},
              {"kind": "button", "id": "add", "payload": {"text": "Add"}, "on": {"tap": [\(add)]}},
              {"kind": "button", "id": "more", "payload": {"text": "More"},
               "on": {"tap": [{"do": "push", "scene": "Details"}]}}]}
            """
        let details = #"{"schema": 1, "title": "Details", "root": [{"kind": "label", "payload": {"text": "Details"}}]}"#
        let handlers =
            isData
            ? []
            : [
                NativeDeclaration.Handler(
                    "add", what: "onTap of the button Add", file: "Sources/Counter/Counter.swift", line: 7)
            ]
        let faults =
            behaviour.contains("remark")
            ? [
                NativeRemark(
                    "the state count is a class", hint: "make it a struct", file: "Sources/Counter/Counter.swift",
                    line: 3)
            ] : []
        return NativeDeclaration(
            "com.example.Counter", first: "Main",
            documents: [
                NativeNamedValue("Main", AnsweringWidget.json(main)),
                NativeNamedValue("Details", AnsweringWidget.json(details)),
            ], handlers: handlers, faults: faults)
    }

    func onNotice(_ notice: @escaping @Sendable () -> Void) { state.withLock { $0.notice = notice } }

    func reply(to turn: NativeTurn) -> NativeReply {
        if turn.calls.contains(where: { $0.handler == "add" }) { misbehave() }
        var reply = NativeReply(to: turn.number)
        state.withLock { state in
            for screen in turn.screens {
                for change in screen.changed where change.name == "count" {
                    state.count = Int(clamping: change.value.integer ?? 0)
                }
            }
            for call in turn.calls where call.handler == "add" {
                state.count += 1
                reply.commands.append(
                    NativeCommand(
                        .set(state: "count", to: JSONValue(.number(JSONNumber(Int64(state.count))))),
                        screen: call.screen))
            }
        }
        if behaviour.contains("notice"), let notice = state.withLock({ $0.notice }) {
            for _ in 0..<1_000 { notice() }
        }
        return reply
    }

    private func misbehave() {
        if behaviour.contains("dies") { exit(3) }
        if behaviour.contains("crashes") { abort() }
        if behaviour.contains("hangs") { while true { pause() } }
        // Until the test opens the pipe, the first time.
        if behaviour.contains("late") {
            let pipe = "\(CommandLine.arguments[0]).go"
            close(unsafe open(pipe, O_RDONLY))
            unsafe unlink(pipe)
        }
        let number = ChannelLoop.number ?? 3
        if behaviour.contains("nonsense") { send(number, "nonsense\n") }
        if behaviour.contains("closes") {
            close(number)
            while true { pause() }
        }
        if behaviour.contains("long") {
            let text = String(repeating: "x", count: 1 << 20)
            for _ in 0..<10 { send(number, text) }
            while true { pause() }
        }
    }

    private func send(_ number: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        // The pointer lives for this call, inside the array.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
    }
}

/// The program of a widget that a package made: it has no arguments, only words that say how it behaves.
enum AnsweringSpecimen {
    static func run() -> Never {
        let words = behaviour()
        print("the answerer begins")
        fflush(nil)
        guard let number = ChannelLoop.number else {
            print("run it with `widget run .`")
            exit(2)
        }
        if words.contains("silent") { while true { pause() } }
        if words.contains("descriptors") {
            for descriptor in 4..<200 where fcntl(Int32(descriptor), F_GETFD) >= 0 {
                print("descriptor \(descriptor) is open")
            }
            print("descriptors are counted")
        }
        let widget = AnsweringWidget(words)
        exit(ChannelLoop(widget) { widget.declaration }.run(on: number))
    }

    private static func behaviour() -> Set<String> {
        var text = ""
        // The texts are copied at once.
        if let given = unsafe getenv("BEHAVIOUR") { text = unsafe String(cString: given) }
        if let file = unsafe fopen("\(CommandLine.arguments[0]).behaviour", "r") {
            var room = [CChar](repeating: 0, count: 1_000)
            while unsafe fgets(&room, 1_000, file) != nil {
                text += " " + String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            unsafe fclose(file)
        }
        return Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
