internal import JSONText
internal import WidgetBytes
package import WidgetContract

/// A widget whose two screens are fixed, and whose closures count.
///
/// Words say what else it is.
package final class AnsweringWidget: NativeCode {
    private struct State {
        var count = 0
        var notice: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())
    private let behaviour: Set<String>
    private let misbehave: @Sendable () -> Void

    /// - Parameter misbehave: called before it counts.
    package init(_ behaviour: Set<String>, before misbehave: @escaping @Sendable () -> Void = {}) {
        self.behaviour = behaviour
        self.misbehave = misbehave
    }

    private static func json(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: Array(text.utf8))) ?? JSONValue(.null)
    }

    package var declaration: NativeDeclaration {
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

    package func onNotice(_ notice: @escaping @Sendable () -> Void) { state.withLock { $0.notice = notice } }

    package func reply(to turn: NativeTurn) -> NativeReply {
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
}
