internal import JSONText
internal import WidgetContract
package import WidgetCore

/// An element of a screen, as a person perceives it.
public struct ScreenElement: Sendable {
    /// Identifies the element while it is on the screen.
    public let key: String
    /// The identifier that the bundle has for it.
    public let identifier: String?
    /// The role, as a word of ARIA where there is one: `button`, `textbox`, `list`, `listitem`, `image` and others.
    public let role: String
    /// The text that it is known by.
    public let name: String?
    /// The value of a control.
    public let value: String?
    /// `disabled`, `selected`, `invalid`, `busy` and others, in alphabetical order where several hold.
    public let states: [String]
    /// `tap`, `select`, `change` and others that a person can do with it.
    public let actions: [String]
    /// The elements in it, in reading order.
    public let children: [ScreenElement]

    /// The depth of views is limited by the engine.
    package init(_ node: AccessibleNode) {
        key = node.key.description
        identifier = node.id
        role = node.role
        name = node.name
        value = node.value
        states = node.states
        actions = node.actions
        children = node.children.map { ScreenElement($0) }
    }

    /// The first element of that identifier or name, this one included.
    public func first(named wanted: String) -> ScreenElement? {
        var pending = [self]
        while let element = pending.popLast() {
            if element.identifier == wanted || element.name == wanted { return element }
            pending.append(contentsOf: element.children.reversed())
        }
        return nil
    }
}

/// The place of an element on a screen, in points from its top left corner.
public struct ElementFrame: Hashable, Sendable {
    /// Identifies the element; a number follows where one record is shown in several lists.
    public let key: String
    /// The identifier that the bundle has for it.
    public let identifier: String?
    /// The kind of element: `label`, `button`, `list` and others.
    public let kind: String
    /// The text that it shows.
    public let text: String?
    /// The distance from the left edge of the screen.
    public let x: Double
    /// The distance from the top edge of the screen.
    public let y: Double
    /// The width in points.
    public let width: Double
    /// The height in points.
    public let height: Double

    /// Reads a document that the printer of frames has written.
    static func all(in document: [UInt8]) -> [ElementFrame] {
        let limits = JSONLimits(byteCount: max(document.count, 1), depth: 16, valueCount: max(document.count, 1))
        guard let root = try? JSONValue(parsing: document, limits: limits) else { return [] }
        return (root["elements"]?.array ?? []).compactMap { element in
            guard let key = element["key"]?.string, let kind = element["kind"]?.string,
                let numbers = element["frame"]?.array?.compactMap(\.double), numbers.count == 4
            else { return nil }
            return ElementFrame(
                key: key, identifier: element["identifier"]?.string, kind: kind, text: element["text"]?.string,
                x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }
}

/// The age and state of a widget's data.
public struct DataAge: Hashable, Sendable {
    /// A state of data.
    public enum State: String, Hashable, Sendable {
        /// No update has brought data yet.
        case empty
        /// The last update found the data up to date, or brought them.
        case fresh
        /// The last update failed, and the data are those of an earlier one.
        case stale
        /// An update is running; the data from before are shown.
        case updating
    }

    /// The state at the moment of the screen.
    public let state: State
    /// The seconds since the data were last known to be up to date.
    public let seconds: Double?
    /// The reason why the last update failed.
    public let failure: String?
    /// The number of contents so far.
    public let revision: Int

    init(_ status: DataStatus) {
        state = State(rawValue: status.state.rawValue) ?? .empty
        seconds = status.age
        failure = status.failure.map { "\($0)" }
        revision = status.revision
    }
}
