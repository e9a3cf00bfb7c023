package import JSONText

/// The answer of native code to a turn.
package struct NativeReply: Equatable, Sendable {
    /// The number of the turn.
    package var turn: Int
    /// Documents that are new, or other ones than before. Those that are left out stay.
    package var documents: [NativeNamedValue]
    /// In their order.
    package var commands: [NativeCommand]
    /// Texts for the author of the widget.
    package var remarks: [NativeRemark]

    package init(
        to turn: Int, documents: [NativeNamedValue] = [], commands: [NativeCommand] = [], remarks: [NativeRemark] = []
    ) {
        self.turn = turn
        self.documents = documents
        self.commands = commands
        self.remarks = remarks
    }

    /// True if it leads to nothing.
    package var isEmpty: Bool { documents.isEmpty && commands.isEmpty && remarks.isEmpty }

    /// The most documents, commands and remarks of one reply.
    package static let documentLimit = 256
    package static let commandLimit = 2_000
    package static let remarkLimit = 100
    /// The limits of a turn or a reply in JSON. Values in it lie up to 80 deep.
    package static let limits = JSONLimits(byteCount: 8 << 20, depth: 120, valueCount: 1_000_000)
}

/// A fault that native code has found in itself, or another text for its author.
package struct NativeRemark: Equatable, Sendable {
    package var message: String
    package var hint: String?
    /// The file of the source, as the compiler names it.
    package var file: String?
    package var line: Int?
    /// True if a part of the widget does not work.
    package var isError: Bool

    package init(_ message: String, hint: String? = nil, file: String? = nil, line: Int? = nil, isError: Bool = true) {
        self.message = message
        self.hint = hint
        self.file = file
        self.line = line
        self.isError = isError
    }
}

/// An action that native code wants, on one screen.
package struct NativeCommand: Equatable, Sendable {
    /// The actions of documents that it can have, with values in place of expressions.
    package enum Action: Equatable, Sendable {
        case set(state: String, to: JSONValue)
        /// Adds an item to a state that is a list.
        case append(state: String, item: JSONValue)
        /// Replaces an item of a state that is a list.
        case update(state: String, at: Int, to: JSONValue)
        /// Removes an item of a state that is a list.
        case remove(state: String, at: Int)
        /// Shows a document onto the screens of the navigation bar.
        ///
        /// `result` is the handler that is called with the value with which the screen is left.
        case push(scene: String, with: JSONValue? = nil, result: String? = nil)
        /// Shows a document in front of the screen.
        case present(scene: String, with: JSONValue? = nil, result: String? = nil)
        case back(value: JSONValue? = nil)
        case dismiss(value: JSONValue? = nil)
        case alert(title: String, message: String = "")
        case open(url: String)
        /// Asks a source again; without a name, all sources.
        case refresh(source: String? = nil)
        /// Puts the cursor into a field.
        case focus(id: String)
        /// Stores a value in the cache, for a number of seconds.
        case cache(key: String, to: JSONValue, seconds: Double? = nil)
        case uncache(key: String)
        /// Asks a service. The handlers are called with the answer, or with the reason for a failure.
        case call(
            action: String, service: String? = nil, with: JSONValue? = nil, then: String? = nil,
            otherwise: String? = nil
        )
        /// Calls a handler after that many seconds, if the screen is still open.
        case after(seconds: Double, handler: String)
    }

    /// The number of the screen; `nil` for the visible one. Commands for screens that are closed by now have no effect.
    package var screen: Int?
    package var action: Action

    package init(_ action: Action, screen: Int? = nil) {
        self.action = action
        self.screen = screen
    }
}
