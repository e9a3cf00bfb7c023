package import JSONText
package import WidgetCore
internal import WidgetPredicates
package import WidgetRender

/// An act of a viewer, as a browser sends it: an array of its name, a key and what else there is to say.
package enum LiveEvent: Equatable {
    case tap(ViewKey)
    case input(ViewKey, LiveInput)
    case submit(ViewKey)
    case select(ViewKey)
    case delete(ViewKey)
    case refresh(ViewKey)
    case scroll(ViewKey)
    /// So many rows of a list are wanted.
    case more(ViewKey, count: Int)
    /// The reader goes back until that can be done so many times only.
    case back(to: Int)
    /// The key Enter in a form without script.
    case enter
    /// A switch of the page's workbench.
    case look(PageLook.Kind, String)

    package var key: ViewKey? {
        switch self {
        case .tap(let key), .input(let key, _), .submit(let key), .select(let key), .delete(let key), .refresh(let key),
            .scroll(let key), .more(let key, _):
            key
        case .back, .enter, .look: nil
        }
    }

    /// - Returns: `nil` for anything but an event.
    package init?(_ json: JSONValue) {
        guard let parts = json.array, let verb = parts.first?.string else { return nil }
        if verb == "enter" {
            guard parts.count == 1 else { return nil }
            self = .enter
            return
        }
        if verb == "back" {
            guard parts.count == 2, let depth = parts[1].integer, 0...Int64(LiveEvent.deepest) ~= depth else {
                return nil
            }
            self = .back(to: Int(depth))
            return
        }
        if verb == "look" {
            guard parts.count == 3, let kind = parts[1].string.flatMap({ PageLook.Kind(rawValue: $0) }),
                let word = parts[2].string
            else { return nil }
            self = .look(kind, word)
            return
        }
        guard parts.count >= 2, let key = parts[1].string.flatMap({ ViewKey($0) }) else { return nil }
        switch (verb, parts.count) {
        case ("tap", 2): self = .tap(key)
        case ("submit", 2): self = .submit(key)
        case ("select", 2): self = .select(key)
        case ("delete", 2): self = .delete(key)
        case ("refresh", 2): self = .refresh(key)
        case ("input", 3):
            guard let input = LiveInput(parts[2]) else { return nil }
            self = .input(key, input)
        case ("scroll", 2): self = .scroll(key)
        case ("more", 3):
            guard let count = parts[2].integer, 0...1_000_000 ~= count else { return nil }
            self = .more(key, count: Int(count))
        default: return nil
        }
    }

    /// The times that a reader can go back.
    package static let deepest = 100

    /// The events of a batch, with its serial: `[serial, [event…]]`.
    ///
    /// - Throws: a sentence about what is not a batch.
    package static func batch(
        _ body: [UInt8], byteLimit: Int, countLimit: Int
    ) throws(SettingFault) -> (serial: Int64, events: [LiveEvent]) {
        let bounds = JSONLimits(byteCount: byteLimit, depth: 4, valueCount: 6 * countLimit)
        guard let json = try? JSONValue(parsing: body, limits: bounds) else {
            throw SettingFault("The actions are not JSON, or more than a batch may have.")
        }
        guard let parts = json.array, parts.count == 2, let serial = parts[0].integer, 1..<(Int64(1) << 53) ~= serial,
            let list = parts[1].array, list.count <= countLimit
        else { throw SettingFault("A batch is an array of its serial and its events.") }
        var events: [LiveEvent] = []
        for item in list {
            // Browsers with script send what Enter means themselves.
            guard let event = LiveEvent(item), event != .enter else {
                throw SettingFault("An event has another form.")
            }
            events.append(event)
        }
        return (serial, events)
    }

    /// The event of a form's button.
    package static func button(_ text: String) -> LiveEvent? {
        let limits = JSONLimits(byteCount: 32 << 10, depth: 2, valueCount: 8)
        return (try? JSONValue(parsing: Array(text.utf8), limits: limits)).flatMap { LiveEvent($0) }
    }

    /// The widget's event; `nil` for one that the page answers itself, or that the node has no value for.
    ///
    /// - Parameter node: the element of the present view; `nil` for a button of an alert.
    package func event(at node: ViewNode?) -> Event? {
        switch self {
        case .tap(let key): return .tap(key)
        case .select(let key): return .select(key)
        case .input(let key, let input): return node.flatMap { input.value(for: $0) }.map { .input(key, $0) }
        case .submit(let key): return .submit(key)
        case .delete(let key): return .deleteRow(key)
        case .refresh(let key): return .refresh(key)
        case .scroll(let key): return .scroll(key, toEnd: true)
        case .more, .back, .enter, .look: return nil
        }
    }
}

/// A value as a browser sends it.
package enum LiveInput: Equatable {
    case text(String)
    case truth(Bool)
    case number(Double)

    init?(_ json: JSONValue) {
        if let text = json.string {
            self = .text(text)
        } else if let truth = json.boolean {
            self = .truth(truth)
        } else if let number = json.double, number.isFinite {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// The value that a control of the node's kind understands.
    package func value(for node: ViewNode) -> Value? {
        switch (node.kind.row.value, self) {
        case (.flag, .truth(let truth)): return .boolean(truth)
        case (.flag, _): return nil
        // The reducer knows the time zone.
        case (.date, .text(let text)): return DateMode(node[.dateMode]).accepts(text) ? .string(text) : nil
        case (.date, _): return nil
        case (.choice, _), (.range, _), (.page, _), (.number, _): return number.map { LiveInput.number($0) }
        case (_, .text(let text)): return .string(text)
        case (_, .truth(let truth)): return .boolean(truth)
        case (_, .number(let number)): return LiveInput.number(number)
        }
    }

    private var number: Double? {
        switch self {
        case .text(let text):
            guard text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
            return number
        case .number(let number): return number
        case .truth: return nil
        }
    }

    private static func number(_ number: Double) -> Value {
        Int64(exactly: number).map { .integer($0) } ?? .double(number)
    }
}

extension ViewNode {
    /// True if the control shows the value that a browser has for it.
    package func shows(_ value: Value) -> Bool {
        switch (kind.row.value, value) {
        case (.text, .string(let text)): self.text(.text) == text
        case (.flag, .boolean(let truth)): isTrue(.value) == truth
        case (.date, .string(let text)): DateMode(self[.dateMode]).isSame(text, dateText ?? "")
        case (.choice, _), (.range, _), (.page, _), (.number, _): number(.value) == value.number
        default: false
        }
    }
}
