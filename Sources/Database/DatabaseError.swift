/// Why SQLite declined, in the terms that decide what to do about it.
package struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// Another process has the file and did not let go in time.
        case busy
        /// No room or no quota.
        case full
        /// What is in the file is not what SQLite wrote.
        case corrupt
        /// The file is something else.
        case notADatabase
        case cannotOpen
        case inputOutput
        case readOnly
        case outOfMemory
        /// A rule of the schema was broken: the caller's error, or two writers of the same name.
        case constraint
        /// A column does not hold what its reader expects.
        case unexpectedValue
        case other
    }

    package let kind: Kind
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's words, and what it was about.
    package let message: String

    package init(_ kind: Kind, code: Int32, message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (SQLite code \(code))" }
}
