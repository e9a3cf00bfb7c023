/// A named value beside the message.
///
/// `time`, `level`, `event` and `message` are taken: a field of such a name would appear twice.
package struct LogField: Equatable, Sendable {
    package var name: String
    package var value: LogValue

    package init(_ name: String, _ value: LogValue) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ text: String) {
        self.init(name, .string(text))
    }

    package init(_ name: String, _ number: Int) {
        self.init(name, .integer(Int64(number)))
    }

    package init(_ name: String, _ number: Double) {
        self.init(name, .double(number))
    }

    package init(_ name: String, _ answer: Bool) {
        self.init(name, .boolean(answer))
    }

    /// Bytes from outside, taken as UTF-8; invalid bytes are shown as U+FFFD.
    package init(_ name: String, bytes: [UInt8]) {
        self.init(name, .bytes(bytes))
    }

    /// A finished JSON value; one that is too long for a line is cut, and is text then.
    package init(_ name: String, json: [UInt8]) {
        self.init(name, .json(json))
    }

    /// Shows that there is a secret, never its text.
    package init(_ name: String, _ secret: Secret) {
        self.init(name, .secret)
    }
}

/// The value of a field. It cannot hold the text of a secret, so lines cannot show one.
package enum LogValue: Equatable, Sendable {
    case string(String)
    case bytes([UInt8])
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case json([UInt8])
    case secret
}

/// Text that no description, dump, interpolation or log line shows.
///
/// The only way to the text is the long word `exposedText`, so every place that lets it out can be found by name.
package struct Secret: Sendable {
    package let exposedText: String

    package init(_ text: String) {
        exposedText = text
    }

    /// The text shown in place of the secret.
    package static let mask = "(secret)"
}

extension Secret: Equatable {
    /// Takes the same time wherever two secrets of equal length differ.
    package static func == (first: Secret, second: Secret) -> Bool {
        let one = first.exposedText.utf8
        let other = second.exposedText.utf8
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Secret.mask }
    package var debugDescription: String { Secret.mask }

    /// A dump finds no children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
