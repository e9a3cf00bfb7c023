internal import WidgetContract
internal import WidgetHosting
internal import WidgetRunning

/// The outcome of a link into a widget.
public enum LinkOutcome: Hashable, Sendable {
    /// The link has led to its screen, and to its row if it has one.
    case handled
    /// Requests are under way that may bring the row that it leads to. ``WidgetSession/follow(_:)`` waits for its end, and
    /// ``WidgetScreen/link`` has it then.
    case pending
    /// The link leads nowhere, for this reason.
    case notFound(String)
}

/// The end of a link into a widget, which ``WidgetSession/follow(_:)`` waits for.
public struct LinkEnd: Hashable, Sendable {
    /// The link.
    public let address: String
    /// The identifier of the widget that was to open it.
    public let widget: String
    /// The name of the screen that it has led to; `nil` if it was not opened.
    public let screen: String?
    /// The reason why it was not opened; `nil` if it was.
    public let reason: String?
    /// True if the link has led to its screen, and to its row if it has one.
    public var isOpened: Bool { reason == nil }

    init(_ arrival: LinkArrival, of address: String, in widget: String) {
        (self.address, self.widget) = (address, widget)
        switch arrival.result {
        case .handled: (screen, reason) = (arrival.screen, nil)
        case .notFound(let reason): (screen, self.reason) = (nil, reason)
        case .pending: (screen, reason) = (nil, "its row has not come")
        }
    }
}

extension LinkOutcome {
    init(_ result: LinkResult) {
        switch result {
        case .handled: self = .handled
        case .pending: self = .pending
        case .notFound(let reason): self = .notFound(reason)
        }
    }
}
