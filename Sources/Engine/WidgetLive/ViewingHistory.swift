internal import WidgetCore
internal import WidgetPredicates
internal import WidgetRender

/// A moment of a viewing, with its number.
struct ViewingMoment {
    let number: Int
    let page: PageMoment
    let program: LiveProgram
    let status: LiveStatus
    /// The sheet of a whole page; `nil` if the moment was only sent as a change.
    var sheet: String?
}

/// The last moments of a viewing, and the values that its browser has by itself.
struct ViewingHistory {
    /// A value that a person has given to a control.
    private struct Typed {
        let value: Value
        /// The number of the first moment after the event: from there on the browser has what the view has.
        var settled: Int?
    }

    private(set) var moments: [ViewingMoment] = []
    private var typed: [ViewKey: Typed] = [:]
    private let limits: LiveLimits
    /// The moments that are kept of views as large as the present one.
    private var momentCount: Int
    private(set) var lastNumber = 0
    /// True if the browser has more values than are remembered, so that it needs a whole page.
    private(set) var isBeyondLimit = false

    init(_ limits: LiveLimits) {
        self.limits = limits
        momentCount = max(limits.moments, 1)
    }

    var last: ViewingMoment? { moments.last }

    subscript(number: Int) -> ViewingMoment? { moments.last { $0.number == number } }

    mutating func add(_ moment: ViewingMoment) {
        moments.append(moment)
        lastNumber = moment.number
        if moments.count > momentCount { moments.removeFirst(moments.count - momentCount) }
        let first = moments[0].number
        typed = typed.filter { ($0.value.settled ?? .max) > first }
    }

    /// Another moment of the same number: the same view, on a page that was printed anew.
    mutating func replaceLast(by moment: ViewingMoment) {
        moments.removeLast()
        moments.append(moment)
    }

    /// Keeps fewer moments of large views, which may have little in common.
    mutating func keep(viewByteCount: Int) {
        let count = limits.historyByteCount / max(viewByteCount, 1)
        momentCount = max(min(count, limits.moments), min(limits.moments, 2), 1)
    }

    mutating func setSheet(_ sheet: String, of number: Int) {
        guard let place = moments.lastIndex(where: { $0.number == number }) else { return }
        moments[place].sheet = sheet
    }

    // MARK: - What was typed

    mutating func type(_ value: Value, into key: ViewKey) {
        typed[key] = nil
        let byteCount = typed.values.reduce(ViewingHistory.byteCount(of: value)) { sum, entry in
            sum + ViewingHistory.byteCount(of: entry.value)
        }
        if typed.count >= limits.typedCount || byteCount > limits.typedByteCount {
            (typed, isBeyondLimit) = ([:], true)
        }
        typed[key] = Typed(value: value)
    }

    private static func byteCount(of value: Value) -> Int {
        guard case .string(let text) = value else { return 0 }
        return text.utf8.count
    }

    var hasTyped: Bool { typed.contains { $0.value.settled == nil } }

    /// The values that a browser has which knows the moment, and not the later ones.
    func typed(since number: Int) -> [ViewKey: Value] {
        typed.filter { ($0.value.settled ?? .max) > number }.mapValues { $0.value }
    }

    /// The browser has the values of the view from this moment on.
    mutating func settle(at number: Int) {
        for (key, entry) in typed where entry.settled == nil { typed[key]?.settled = number }
    }

    /// A whole page has the values of its view, and no others.
    mutating func forgetTyped() { (typed, isBeyondLimit) = ([:], false) }
}

/// The stream of a viewing, with what was written to it.
struct ViewingStream {
    let sink: any PartSink
    /// The moment that the browser has; `nil` if that is unknown.
    var base: ViewingMoment?
    /// The serial that was written last; -1 before the first write, which always has one.
    var echoed = -1
}
