internal import WidgetBytes

/// A parameter of a query: its name, how its value is written and read, and the words for both.
package struct QueryParameter<Value: Sendable>: Sendable {
    package let name: StaticString
    /// The meaning of the value, for the OpenAPI document.
    package let about: String
    package let schema: Schema
    /// The values it takes, for the sentence that refuses others: "… has to be `expectation`".
    package let expectation: String
    /// True for words, in which a plus sign is a blank, as forms write it.
    let isWords: Bool
    /// True if a query may name it more than once.
    let isRepeatable: Bool
    private let read: @Sendable (String) -> Value?
    private let write: @Sendable (Value) -> String

    package init(
        _ name: StaticString, _ schema: Schema, _ about: String, expectation: String, isWords: Bool = false,
        isRepeatable: Bool = false, read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.isWords = isWords
        self.isRepeatable = isRepeatable
        self.about = about
        self.schema = schema
        self.expectation = expectation
        self.read = read
        self.write = write
    }

    /// The value in a query; `nil` when the query does not name the parameter.
    @inline(__always)
    package func value(in query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) -> Value? {
        guard let text = isWords ? query.words(name) : query.parameter(name) else { return nil }
        return try value(of: text)
    }

    /// The values in a query that may name the parameter more than once.
    package func values(in query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) -> [Value] {
        var values: [Value] = []
        for text in query.parameters(name) { values.append(try value(of: text)) }
        return values
    }

    /// Reads a value from elsewhere than the query.
    package func value(of text: String) throws(UnreadableParameter) -> Value {
        guard let value = read(text) else {
            throw UnreadableParameter(name: "\(name)", text: text, expectation: expectation)
        }
        return value
    }

    /// Adds a value, if there is one, to a query that is being made.
    package func add(_ value: Value?, to query: inout QueryText) {
        if let value { query.append(("\(name)", write(value))) }
    }

    /// The parameter without the type of its value.
    package var described: ParameterDescription {
        ParameterDescription(name: "\(name)", place: .query, schema: schema, about: about, isRepeatable: isRepeatable)
    }
}

/// The names and values of a query, in their order, before they are encoded.
package typealias QueryText = [(name: String, value: String)]

/// A request whose query can be asked for parameters.
package protocol QuerySource: ~Copyable {
    /// True if there is a query.
    var hasQuery: Bool { get }
    /// The decoded value of a parameter.
    func parameter(_ name: StaticString) -> String?
    /// The decoded values of a parameter that may be given more than once.
    func parameters(_ name: StaticString) -> [String]
    /// The decoded value of a parameter in which a plus sign is a blank.
    func words(_ name: StaticString) -> String?
}

/// A value that a parameter does not take.
package struct UnreadableParameter: Error, Equatable, Sendable {
    package let name: String
    package let text: String
    package let expectation: String

    package init(name: String, text: String, expectation: String) {
        self.name = name
        self.text = text
        self.expectation = expectation
    }
}

// MARK: Kinds of values

extension QueryParameter where Value == String {
    /// Text that a law admits.
    package static func text(
        _ name: StaticString, _ schema: Schema, _ about: String, expectation: String, isWords: Bool = false,
        where isAllowed: @escaping @Sendable (String) -> Bool
    ) -> QueryParameter {
        QueryParameter(
            name, schema, about, expectation: expectation, isWords: isWords, read: { isAllowed($0) ? $0 : nil },
            write: { $0 })
    }

    static func channelName(_ name: StaticString, _ about: String) -> QueryParameter {
        text(name, .channelName, about, expectation: "a channel's name", where: ChannelName.isName)
    }

    /// The name of a token, which is formed like a channel's.
    static func tokenName(_ name: StaticString, _ about: String) -> QueryParameter {
        text(name, .channelName, about, expectation: "a token's name or number", where: ChannelName.isName)
    }

    static func version(_ name: StaticString, _ about: String) -> QueryParameter {
        text(
            name, .version, about, expectation: "a version of 1 to 64 of A-Z a-z 0-9 . _ + -",
            where: VersionText.isVersion)
    }

    /// One line that others will read. A plus sign is a blank.
    static func line(_ name: StaticString, _ about: String, atMost limit: Int) -> QueryParameter {
        text(
            name, .pattern(LineText.pattern, atMost: limit), about,
            expectation: "one line of \(limit) characters at most, without control characters", isWords: true
        ) { LineText.isLine($0, atMost: limit) }
    }

    /// Text to search for.
    ///
    /// - Parameter isWords: true for words, in which a plus sign is a blank.
    static func search(_ name: StaticString, _ about: String, isWords: Bool = false) -> QueryParameter {
        let limit = 256
        return text(
            name, .spelled(atMost: limit), about, expectation: "\(limit) characters at most", isWords: isWords
        ) { $0.unicodeScalars.count <= limit }
    }
}

extension QueryParameter where Value == Bool {
    /// A switch, which is on when it is named; a word that is neither true nor false is a mistake, not a no.
    package static func flag(_ name: StaticString, _ about: String) -> QueryParameter {
        word(
            name, .boolean, about, expectation: "true or false", ["true": true, "": true, "false": false], write: "true"
        )
    }

    /// A switch that is on when it has the one value it can have.
    static func word(_ name: StaticString, _ about: String, is word: String) -> QueryParameter {
        self.word(name, .word([word]), about, expectation: word, [word: true], write: word)
    }

    private static func word(
        _ name: StaticString, _ schema: Schema, _ about: String, expectation: String, _ words: [String: Bool],
        write: String
    ) -> QueryParameter {
        QueryParameter(
            name, schema, about, expectation: expectation, read: { words[$0] }, write: { $0 ? write : "false" })
    }
}

extension QueryParameter where Value == Int {
    /// Digits alone, and no more of them than the range needs.
    package static func number(
        _ name: StaticString, _ range: ClosedRange<Int>, _ about: String, expectation: String? = nil
    ) -> QueryParameter {
        QueryParameter(
            name, .number(range), about,
            expectation: expectation ?? "a number from \(range.lowerBound) to \(range.upperBound)",
            read: { WholeNumber.read($0, range) }, write: { String($0) })
    }
}

extension QueryParameter where Value == Digest {
    static func digest(_ name: StaticString, _ about: String) -> QueryParameter {
        QueryParameter(
            name, .digest, about, expectation: "the SHA-256 of an archive in 64 lower-case hexadecimal digits",
            read: { Digest(hex: $0) }, write: { $0.hex })
    }
}

/// Numbers as queries write them.
package enum WholeNumber {
    package static func read(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }
}

/// A line of text that one person writes and others read.
package enum LineText {
    package static func isLine(_ text: String, atMost limit: Int) -> Bool {
        text.unicodeScalars.count <= limit && text.unicodeScalars.allSatisfy(isHarmless)
    }

    /// The law as a regular expression, for characters of the basic plane: beyond it, not all engines of patterns have
    /// escapes that mean the same.
    package static let pattern =
        #"^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f"#
        + #"\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]*$"#

    /// True if a character neither ends a line nor changes the display of the text around it.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
