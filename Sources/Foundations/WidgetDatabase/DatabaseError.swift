internal import CWidgetSQLite
internal import WidgetFiles

/// A failure of SQLite, sorted by its remedy.
package struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// Another process has the file and did not release it in time.
        case busy
        /// No room or no quota.
        case full
        /// The file's contents are not as SQLite wrote them.
        case corrupt
        /// The file is something else.
        case notADatabase
        case cannotOpen
        case inputOutput
        case readOnly
        case outOfMemory
        /// A rule of the schema was broken: the caller's error, or two writers of the same name.
        case constraint
        /// A column does not hold the type or value that its reader expects.
        case unexpectedValue
        /// The file lacks tables or columns that the statement names.
        case otherTables
        case other
    }

    package let kind: Kind
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's message, with its subject.
    package let message: String

    package init(_ kind: Kind, code: Int32, message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (SQLite code \(code))" }
}

extension DatabaseError {
    /// Sorts SQLite's result codes by their remedies.
    ///
    /// - Parameter cause: the system's own number, as SQLite kept it: a quota or a full disk shows up as an
    ///   input/output error where SQLite grows a file by other means than writing.
    init(code: Int32, cause: Int32 = 0, message: String) {
        let kind: Kind =
            switch code & 0xFF {
            // For any cause: pages whose sync failed, or that have left the index, may still be found in the file after
            // a restart, and "full" promises that they will not.
            case SQLITE_IOERR where DatabaseError.mayBeWritten.contains(code >> 8):
                .inputOutput
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_IOERR, SQLITE_CANTOPEN:
                if FileError.isOutOfSpace(code: cause) {
                    .full
                } else {
                    code & 0xFF == SQLITE_IOERR ? .inputOutput : .cannotOpen
                }
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_MISMATCH: .unexpectedValue
            case SQLITE_ERROR where message.contains("no such ") || message.contains("has no column"): .otherTables
            default: .other
            }
        self.init(kind, code: code, message: message)
    }

    // SQLITE_IOERR_FSYNC, _DIR_FSYNC, _SHMOPEN, _SHMSIZE, _SHMLOCK and _SHMMAP are expressions, which Swift does not
    // import.
    private static let mayBeWritten: Set<Int32> = [4, 5, 18, 19, 20, 21]
}
