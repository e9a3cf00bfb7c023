/// A store of archives that a mark ties to one catalog.
///
/// Each question is one attempt with an end, and the store itself answers it: a copy on this machine proves nothing.
package protocol MarkedStore: Sendable {
    /// The text of the mark; `nil` without one.
    func mark() throws(StoreTrouble) -> String?
    /// Writes the mark, in place of another.
    func setMark(_ text: String) throws(StoreTrouble)
    /// True if the store has all bytes of an archive.
    func holdsWhole(_ blob: StoredBlob) throws(StoreTrouble) -> Bool
}

/// The reason for which a store of archives cannot be used.
package enum StoreTrouble: Error, Equatable, Sendable {
    /// It answers, and does not do what a registry needs; or it is another catalog's.
    case refused(String)
    /// It does not answer.
    case silent(String)

    package var reason: String {
        switch self {
        case .refused(let reason), .silent(let reason): reason
        }
    }
}

extension StoreTrouble {
    /// The error of work that wanted the store.
    package var error: RegistryError {
        switch self {
        case .refused(let reason): .storeRefused(reason)
        case .silent(let reason): .unreachable(reason)
        }
    }
}

/// The name by which a catalog knows its store of archives, and that store the catalog.
package struct StoreTie: Equatable, Sendable {
    package var name: String
    /// True once the store had the mark.
    package var isSettled: Bool

    package init(name: String, isSettled: Bool) {
        self.name = name
        self.isSettled = isSettled
    }
}

/// A catalog whose archives are in a store that it does not make.
package protocol TiedCatalog: ReleaseCatalog {
    func tie() throws(RegistryError) -> StoreTie?
    /// Gives the tie a name in place of another, which is not settled.
    func renameTie(_ name: String) throws(RegistryError)
    func settleTie(_ name: String) throws(RegistryError)
    /// Does what makes a tie while no other process of the catalog does.
    func makingTie(_ body: () -> Void) throws(RegistryError)
    /// Has the row of this process say with each sign of life how its store answers: `ok`, or the trouble.
    func showStore(_ state: @escaping @Sendable () -> String)
    /// True if another process that serves has said that the store answers it, so much later than so long ago.
    func othersReachStore(laterBy pause: Duration, than ago: Duration) -> Bool
}
