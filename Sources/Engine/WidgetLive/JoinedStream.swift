internal import WidgetBytes
internal import WidgetRender

/// The one stream of a page. Each event names the widgets that it is about, and its number is the position of the whole page.
final class JoinedStream: Sendable {
    private struct State {
        var position: PagePosition
        var parts: [String: WidgetSink] = [:]
    }

    let sink: any LiveSink
    private let use: PageUse
    private let state: Guarded<State>

    init(_ sink: any LiveSink, at position: PagePosition, _ use: PageUse) {
        self.sink = sink
        self.use = use
        state = Guarded(State(position: position))
    }

    var position: PagePosition { state.withLock { $0.position } }

    /// The stream of one widget; `nil` if that has it already.
    func attach(_ letter: String, _ part: any LivePart) -> WidgetSink? {
        state.withLock { state in
            guard state.parts[letter]?.part !== part else { return nil }
            let sink = WidgetSink(letter, part, self)
            state.parts[letter] = sink
            return sink
        }
    }

    /// Forgets the stream of a widget, and what the page shows of it.
    func detach(_ letter: String) {
        state.withLock { state in
            state.parts[letter] = nil
            state.position.views[letter] = nil
        }
    }

    /// The streams of all widgets.
    var parts: [WidgetSink] { state.withLock { Array($0.parts.values) } }

    /// Writes the changes of one widget, unless its slot has another one by now.
    fileprivate func write(_ number: Int, _ operations: [UInt8], of part: WidgetSink) {
        state.withLock { state in
            guard state.parts[part.letter] === part else { return }
            state.position.views[part.letter] = number
            write([(part.letter, operations)], at: state.position)
        }
    }

    /// Writes changes of the slots themselves, after which the page shows the moment of a number.
    ///
    /// - Parameter views: the numbers of the widgets' views that the changes contain.
    func write(_ changes: [(letter: String, operations: [PageOperation])], at number: Int, _ views: [String: Int]) {
        state.withLock { state in
            state.position.number = number
            state.position.views.merge(views) { $1 }
            guard !changes.isEmpty else { return }
            write(changes.map { ($0.letter, PageOperation.json($0.operations)) }, at: state.position)
        }
    }

    private func write(_ parts: [(letter: String, operations: [UInt8])], at position: PagePosition) {
        var data = Array("{".utf8)
        for (place, part) in parts.enumerated() {
            data += Array("\(place == 0 ? "" : ",")\"\(part.letter)\":".utf8) + part.operations
        }
        sink.write(at: position.text, data + Array("}".utf8))
        use.setBeat()
    }
}

/// The stream of one widget of a page.
final class WidgetSink: PartSink {
    let letter: String
    let part: any LivePart
    private let stream: JoinedStream

    init(_ letter: String, _ part: any LivePart, _ stream: JoinedStream) {
        self.letter = letter
        self.part = part
        self.stream = stream
    }

    var pendingByteCount: Int { stream.sink.pendingByteCount }

    func write(_ number: Int, _ operations: [UInt8]) { stream.write(number, operations, of: self) }
}
