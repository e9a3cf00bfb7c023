internal import CSQLite
internal import Glibc

extension DatabaseError {
    /// Sorts SQLite's result codes by what can be done about them.
    ///
    /// - Parameter cause: the system's own number, as SQLite kept it: a quota or a full disk shows up as an
    ///   input/output error where SQLite grows a file by other means than writing.
    init(code: Int32, cause: Int32 = 0, message: String) {
        let kind: Kind =
            switch code & 0xFF {
            // Whatever the cause: what was synced in vain, or not indexed any more, may be found in the file after a
            // restart, and "full" means that it will not.
            case SQLITE_IOERR where DatabaseError.mayBeWritten.contains(code >> 8):
                .inputOutput
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_IOERR, SQLITE_CANTOPEN:
                if cause == ENOSPC || cause == EDQUOT {
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
            default: .other
            }
        self.init(kind, code: code, message: message)
    }

    // SQLITE_IOERR_FSYNC, _DIR_FSYNC, _SHMOPEN, _SHMSIZE, _SHMLOCK and _SHMMAP are expressions, which Swift does not
    // import.
    private static let mayBeWritten: Set<Int32> = [4, 5, 18, 19, 20, 21]
}
