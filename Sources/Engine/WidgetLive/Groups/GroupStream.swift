internal import Bytes
internal import WidgetRender

/// The one stream of a page with several widgets. Each event names the widgets that it is about, and its number is the
/// position of the whole page.
final class GroupStream: Sendable {
    private struct State {
        var position: GroupPosition
        var parts: [String: PartSink] = [:]
    }

    let sink: any LiveSink
    private let state: Guarded<State>

    init(_ sink: any LiveSink, at position: GroupPosition) {
        self.sink = sink
        state = Guarded(State(position: position))
    }

    var position: GroupPosition { state.withLock { $0.position } }

    /// The stream of one widget's viewing; `nil` if that viewing has it already.
    func attach(_ letter: String, _ viewing: any LiveViewing) -> PartSink? {
        state.withLock { state in
            guard state.parts[letter]?.viewing !== viewing else { return nil }
            let part = PartSink(letter, viewing, self)
            state.parts[letter] = part
            return part
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
    var parts: [PartSink] { state.withLock { Array($0.parts.values) } }

    /// Writes the changes of one widget, unless its slot has another one by now.
    fileprivate func write(_ number: Int, _ operations: [UInt8], of part: PartSink) {
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

    private func write(_ parts: [(letter: String, operations: [UInt8])], at position: GroupPosition) {
        var data = Array("{".utf8)
        for (place, part) in parts.enumerated() {
            data += Array("\(place == 0 ? "" : ",")\"\(part.letter)\":".utf8) + part.operations
        }
        sink.write(at: position.text, data + Array("}".utf8))
    }
}

/// The stream of one widget of a page with several.
final class PartSink: LiveSink {
    let letter: String
    let viewing: any LiveViewing
    private let stream: GroupStream

    init(_ letter: String, _ viewing: any LiveViewing, _ stream: GroupStream) {
        self.letter = letter
        self.viewing = viewing
        self.stream = stream
    }

    var pendingByteCount: Int { stream.sink.pendingByteCount }

    func write(_ number: Int, _ operations: [UInt8]) { stream.write(number, operations, of: self) }

    /// The page has a beat for all of its widgets.
    func beat() {}

    /// The page outlives each of its widgets.
    func end(isOver: Bool) {}
}
