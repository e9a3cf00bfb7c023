internal import Database
internal import Files

extension RegistryError {
    init(_ error: DatabaseError) {
        switch error.kind {
        case .full: self = .outOfSpace
        case .outOfMemory: self = .outOfMemory
        case .corrupt, .notADatabase, .unexpectedValue: self = .damaged(error.description)
        case .busy, .cannotOpen, .inputOutput, .readOnly, .constraint, .other: self = .database(error)
        }
    }

    init(_ error: FileError) {
        self = error.isOutOfSpace ? .outOfSpace : .storage(error)
    }
}

/// Runs file operations and gives their failures the registry's names.
func storing<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(RegistryError) -> Value {
    do throws(FileError) { return try body() } catch { throw RegistryError(error) }
}
