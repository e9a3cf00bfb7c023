/// A failure of PostgreSQL or of the way to it, sorted by its remedy.
package struct PostgresError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// The server could not be reached, refused the connection, or closed it. Of a statement that was under way it is
        /// not known whether it took effect.
        case connection
        /// No answer came in the time that was given; the connection was given up.
        case timeout
        /// The server ended the statement: its time was over, or a lock was not to be had.
        case busy
        /// No room.
        case full
        /// Stored pages or indexes are not as they were written.
        case corrupt
        case outOfMemory
        /// The server is a standby, or accepts no writes.
        case readOnly
        /// A rule of the schema was broken.
        case constraint
        /// A column does not hold the type or value that its reader expects.
        case unexpectedValue
        /// The address or the server's configuration cannot be used.
        case unusable
        case other
    }

    package let kind: Kind
    /// PostgreSQL's code of five characters; empty where the failure is not the server's answer.
    package let state: String
    package let message: String

    package init(_ kind: Kind, state: String = "", message: String) {
        self.kind = kind
        self.state = state
        self.message = message
    }

    package var description: String { state.isEmpty ? message : "\(message) (PostgreSQL code \(state))" }

    /// True when the connection is gone with it.
    package var endsConnection: Bool { kind == .connection || kind == .timeout }
}

extension PostgresError {
    /// True for a lock that was not to be had within the time that the statement waits for one.
    package var isLockTimeout: Bool { state == "55P03" || state == "40P01" }

    /// Sorts PostgreSQL's codes by their remedies.
    init(state: String, message: String) {
        let kind: Kind =
            switch state {
            case "53100": .full
            case "53200": .outOfMemory
            // Too many connections, and a server that starts or stops.
            case "53300", "57P01", "57P02", "57P03": .connection
            case "25006": .readOnly
            // The transaction was ended for idling, and the connection with it.
            case "25P03", "57P05": .connection
            case "XX001", "XX002": .corrupt
            case "55P03", "57014", "40001", "40P01": .busy
            default:
                switch state.prefix(2) {
                case "08": .connection
                case "23": .constraint
                case "28", "3D": .unusable
                default: .other
                }
            }
        self.init(kind, state: state, message: message)
    }
}
