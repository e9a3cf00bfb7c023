import WidgetConsole
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// The input of a terminal: the focused element, the part of the screen that is seen, and the acts that keys stand for.
struct TerminalInput {
    /// The course of the program after a key.
    enum Course: Equatable { case `continue`, end }

    /// The first line of the widget that is seen.
    private(set) var offset = 0
    /// The reason why the last key did nothing; shown until the next key.
    private(set) var message: String?
    private var focus: ViewKey?
    /// The position of the focus among the others, in case its element goes away.
    private var index = 0
    private var file: FileQuestion?
    /// True if the last key asked to begin anew, which takes a second one.
    private var asksAnew = false
    /// True if the next drawing scrolls to the focused element.
    private var scrollsToFocus = false
    /// The screen drawn last, and the offset at which its end was seen.
    private var drawn: (screen: ViewKey, end: Int)?

    /// A file that is asked for.
    private struct FileQuestion {
        var key: ViewKey
        var path = ""
    }

    var question: String? { file.map { "a picture or a film to send, by its path: \($0.path)_" } }

    func place(among places: [TerminalPlace]) -> TerminalPlace? {
        if let known = places.first(where: { $0.key == focus }) { return known }
        return places.isEmpty ? nil : places[min(index, places.count - 1)]
    }

    /// Scrolls so that the visible part lies within the widget's lines.
    mutating func follow(_ frame: TerminalFrame) {
        if scrollsToFocus, let focused = frame.focused {
            if focused.lowerBound < offset { offset = focused.lowerBound }
            if focused.upperBound > offset + frame.room { offset = focused.upperBound - frame.room }
        }
        scrollsToFocus = false
        let end = max(0, frame.lineCount - frame.room)
        if let view = frame.view {
            // The end of a chat is seen at first, and again while the reader has not scrolled up.
            let sawEnd = drawn.map { $0.screen != view.root.key || offset >= $0.end } ?? true
            if sawEnd, view.keepsEnd { offset = end }
            drawn = (view.root.key, end)
        }
        offset = max(0, min(offset, end))
    }

    mutating func press(_ key: Key, _ widget: RunningWidget, _ frame: TerminalFrame) async -> Course {
        message = nil
        let wasAsked = asksAnew
        asksAnew = false
        await widget.forgetNotice()
        if file != nil { return await answer(key, widget) }
        let place = place(among: frame.places)
        if let place, place.takesText, await type(key, place, widget, frame) { return .continue }
        switch key {
        case .control("c"), .control("d"), .character("q"): return .end
        case .up: move(-1, frame)
        case .down: await moveDown(frame, widget)
        case .backTab: move(-1, frame, goesRound: true)
        case .tab: move(1, frame, goesRound: true)
        case .left, .right:
            if let place, await change(place, by: key == .left ? -1 : 1, widget, frame) { return .continue }
            move(key == .left ? -1 : 1, frame)
        case .pageUp: offset -= max(1, frame.room - 1)
        case .pageDown: await pageDown(frame, widget)
        case .home: offset = 0
        case .end: offset = frame.lineCount
        case .escape: message = await widget.send(.back)
        case .enter, .character(" "): if let place { await touch(place, widget, frame) }
        case .delete, .backspace:
            if let place, let row = frame.view?.row(around: place.key) {
                message = await widget.send(.deleteRow(row))
            }
        case .control("r"): await refresh(frame, widget)
        case .control("n") where wasAsked: await startAnew(widget)
        case .control("n"):
            asksAnew = true
            message = "^N once more begins anew, and removes what this run has stored"
        default: break
        }
        return .continue
    }

    // MARK: - Moving

    private mutating func move(_ step: Int, _ frame: TerminalFrame, goesRound: Bool = false) {
        let places = frame.places
        guard !places.isEmpty else {
            offset += step
            return
        }
        let now = places.firstIndex { $0.key == place(among: places)?.key } ?? 0
        index =
            goesRound ? (now + step + places.count) % places.count : max(0, min(now + step, places.count - 1))
        focus = places[index].key
        scrollsToFocus = true
    }

    /// Below the last place there may be more to read, and more to come.
    private mutating func moveDown(_ frame: TerminalFrame, _ widget: RunningWidget) async {
        let last = frame.places.last?.key
        guard last == nil || last == place(among: frame.places)?.key else { return move(1, frame) }
        if offset + frame.room < frame.lineCount { offset += 1 } else { await reachEnd(frame, widget) }
    }

    private mutating func pageDown(_ frame: TerminalFrame, _ widget: RunningWidget) async {
        if offset + frame.room >= frame.lineCount { return await reachEnd(frame, widget) }
        offset += max(1, frame.room - 1)
    }

    private mutating func reachEnd(_ frame: TerminalFrame, _ widget: RunningWidget) async {
        for key in TerminalInput.lists(frame, with: .scrollEnd) { _ = await widget.send(.scroll(key, toEnd: true)) }
    }

    private mutating func refresh(_ frame: TerminalFrame, _ widget: RunningWidget) async {
        guard let list = TerminalInput.lists(frame, with: .refresh).first else {
            message = "nothing here can be refreshed"
            return
        }
        message = await widget.send(.refresh(list))
    }

    private mutating func startAnew(_ widget: RunningWidget) async {
        await widget.restart()
        self = TerminalInput()
        message = "started anew"
    }

    private static func lists(_ frame: TerminalFrame, with event: NodeEvent) -> [ViewKey] {
        var keys: [ViewKey] = []
        frame.view?.visit { node in
            if node.events.contains(event) { keys.append(node.key) }
            return true
        }
        return keys
    }

    // MARK: - Touching

    private mutating func touch(_ place: TerminalPlace, _ widget: RunningWidget, _ frame: TerminalFrame) async {
        focus = place.key
        message = await widget.send(.tap(place.key))
        if message != nil, let refusal = await widget.formRefusal { show(refusal, frame) }
        for request in await widget.takeHostRequests() {
            switch request {
            case .open(let url): message = "the widget wants to open \(url)"
            case .native(.pickMedia, _): file = FileQuestion(key: place.key)
            case .native(.message(let target, let selector), _):
                message = "the widget asks its host for \(selector) of \(target)"
            // The terminal scrolls all of the screen, of which the list is the long part.
            case .native(.scroll(_, let toEnd), _): offset = toEnd ? .max / 2 : 0
            }
        }
    }

    /// Moves to the first field that a form has refused.
    private mutating func show(_ refusal: FormRefusal, _ frame: TerminalFrame) {
        let more = refusal.fields.count - 1
        message = (refusal.fields.first?.message ?? refusal.sentence) + (more > 0 ? ", and \(more) more" : "")
        let keys = Set(refusal.fields.map(\.key))
        guard let index = frame.places.firstIndex(where: { keys.contains($0.key) }) else { return }
        self.index = index
        focus = frame.places[index].key
        scrollsToFocus = true
    }

    private mutating func answer(_ key: Key, _ widget: RunningWidget) async -> Course {
        guard var question = file else { return .continue }
        switch key {
        case .character(let character): question.path.append(character)
        case .pasted(let text): question.path += text.filter { !$0.isNewline }
        case .backspace: _ = question.path.popLast()
        case .escape:
            file = nil
            return .continue
        case .control("c"): return .end
        case .enter:
            file = nil
            do throws(WidgetError) {
                let media = try MediaFile.read(question.path)
                message = await widget.send(.pick(question.key, media), file: question.path)
            } catch {
                message = "\(error)"
            }
            return .continue
        default: return .continue
        }
        file = question
        return .continue
    }

    /// - Returns: whether the key was for the text.
    private mutating func type(
        _ key: Key, _ place: TerminalPlace, _ widget: RunningWidget, _ frame: TerminalFrame
    ) async -> Bool {
        var text = place.value
        switch key {
        case .character(let character): text.append(character)
        case .pasted(let pasted): text += place.takesLines ? pasted : pasted.filter { !$0.isNewline }
        case .backspace: if text.popLast() == nil { return true }
        case .control("u"): text = ""
        case .enter where place.takesLines: text += "\n"
        case .enter:
            guard place.actions.contains("submit") else { return true }
            message = await widget.send(.submit(place.key))
            if message != nil, let refusal = await widget.formRefusal { show(refusal, frame) }
            return true
        default: return false
        }
        focus = place.key
        scrollsToFocus = true
        message = await widget.send(.input(place.key, .string(text)))
        return true
    }

    /// - Returns: whether the place has a value that goes up and down.
    private mutating func change(
        _ place: TerminalPlace, by direction: Double, _ widget: RunningWidget, _ frame: TerminalFrame
    ) async -> Bool {
        guard let node = frame.view?.node(place.key), let value = place.kind.row.value(of: node, moved: direction)
        else {
            return false
        }
        focus = place.key
        message = await widget.send(.input(place.key, value))
        return true
    }
}
