import JSONText
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetDocuments
import WidgetHosting
import WidgetRunning

/// Native code that a test writes: closures by their names, which see what the code knows of the screens.
final class TestCode: NativeCode {
    /// All that the code has learned.
    struct Memory: Sendable {
        var turns: [NativeTurn] = []
        /// The states of open screens, by the screens' numbers.
        var states: [Int: [String: JSONValue]] = [:]
        /// The calls, with their arguments and items.
        var heard: [String] = []
        var wishes: (@Sendable () -> Void)?

        /// A state of the lowest screen, or of another one.
        func state(_ name: String, of screen: Int? = nil) -> JSONValue {
            (screen ?? turns.last?.screens.first?.number).flatMap { states[$0]?[name] } ?? JSONValue(.null)
        }

        mutating func learn(_ turn: NativeTurn) {
            turns.append(turn)
            for screen in turn.screens {
                for state in screen.changed { states[screen.number, default: [:]][state.name] = state.value }
            }
        }
    }

    typealias Handler = @Sendable (NativeCall, inout Memory) -> [NativeCommand.Action]
    /// Changes the reply of a turn, or fails.
    typealias Rule = @Sendable (NativeTurn, inout NativeReply, inout Memory) throws(NativeFailure) -> Void

    private let handlers: [String: Handler]
    private let rule: Rule
    private let memory = Guarded(Memory())

    init(_ handlers: [String: Handler] = [:], rule: @escaping Rule = { _, _, _ throws(NativeFailure) in }) {
        self.handlers = handlers
        self.rule = rule
    }

    func reply(to turn: NativeTurn) throws(NativeFailure) -> NativeReply {
        try memory.withLock { memory throws(NativeFailure) in
            memory.learn(turn)
            var reply = NativeReply(to: turn.number)
            for call in turn.calls {
                let item = call.item.map { " \(line(of: $0))" } ?? ""
                memory.heard.append("\(call.handler) \(line(of: call.argument))\(item)")
                for action in handlers[call.handler]?(call, &memory) ?? [] {
                    reply.commands.append(NativeCommand(action, screen: call.screen))
                }
            }
            try rule(turn, &reply, &memory)
            return reply
        }
    }

    func onNotice(_ notice: @escaping @Sendable () -> Void) { memory.withLock { $0.wishes = notice } }

    /// Asks for a turn.
    func ask() { memory.withLock { $0.wishes }?() }

    var turns: [NativeTurn] { memory.withLock { $0.turns } }

    var heard: [String] { memory.withLock { $0.heard } }

    // MARK: - Widgets

    /// A widget of documents with this code, which has not begun.
    func native(_ main: String, _ others: [String: String] = [:]) throws -> NativeProgram {
        var documents = [NativeNamedValue("Main", try TestCode.json(main))]
        for (name, text) in others { documents.append(NativeNamedValue(name, try TestCode.json(text))) }
        return NativeProgram(
            NativeDeclaration("test.native", first: "Main", documents: documents), code: self)
    }

    func instance(_ main: String, _ others: [String: String] = [:]) throws -> WidgetInstance {
        let native = try native(main, others)
        let program = try native.program()
        #expect(program.diagnostics.isEmpty, "\(program.diagnostics)")
        return WidgetInstance(program, native: native)
    }

    func widget(_ main: String, _ others: [String: String] = [:]) throws -> DrivenWidget {
        try DrivenWidget(try instance(main, others)).started()
    }

    static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    static func number(_ number: Int) -> JSONValue { JSONValue(.number(JSONNumber(Int64(number)))) }

    static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }
}

/// A value as one line.
private func line(of value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}
