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

    /// Bytes from outside, taken as UTF-8; what is not UTF-8 is shown as U+FFFD.
    package init(_ name: String, bytes: [UInt8]) {
        self.init(name, .bytes(bytes))
    }

    /// A finished JSON value; one that is too long for a line is cut, and is text then.
    package init(_ name: String, json: [UInt8]) {
        self.init(name, .json(json))
    }

    /// Says that there is a secret, never which.
    package init(_ name: String, _ secret: Secret) {
        self.init(name, .secret)
    }
}

/// What a field can hold. A secret's text is not among it, so no line can show one.
package enum LogValue: Equatable, Sendable {
    case string(String)
    case bytes([UInt8])
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case json([UInt8])
    case secret
}
