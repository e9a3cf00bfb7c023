internal import Addresses
internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// Files that were taken out of their archives and are being sent.
///
/// While one is being read, all requests for it share its bytes. What slow readers of different files hold in memory
/// together has a limit, and what the readers at one address hold has a smaller one.
final class SharedContents: Sendable {
    struct Key: Hashable, Sendable {
        let digest: Digest
        let path: String
        let caching: Document.Caching
        /// Two that were asked for in the same moment may both have been taken out.
        fileprivate var copy = 0

        init(digest: Digest, path: String, caching: Document.Caching) {
            self.digest = digest
            self.path = path
            self.caching = caching
        }
    }

    /// Memory that was promised to a file that is being taken out of its archive.
    struct Claim: Sendable {
        fileprivate let number: Int
    }

    /// A file that is being sent, to each address as a resource of its own, all of the same bytes.
    private struct Content {
        struct Held {
            weak var resource: Resource?
        }

        let byteCount: Int
        var readers: [IPAddress: Held]
    }

    private struct State {
        var contents: [Key: Content] = [:]
        var claims: [Int: (client: IPAddress, byteCount: Int)] = [:]
        var next = 0

        /// Forgets what was sent.
        mutating func sweep() {
            for (key, content) in contents {
                let readers = content.readers.filter { $0.value.resource != nil }
                if readers.count < content.readers.count {
                    contents[key] = readers.isEmpty ? nil : Content(byteCount: content.byteCount, readers: readers)
                }
            }
        }

        var used: Int {
            contents.values.reduce(0) { $0 + $1.byteCount } + claims.values.reduce(0) { $0 + $1.byteCount }
        }

        func used(by client: IPAddress) -> Int {
            contents.values.reduce(0) { $1.readers[client] == nil ? $0 : $0 + $1.byteCount }
                + claims.values.reduce(0) { $1.client == client ? $0 + $1.byteCount : $0 }
        }
    }

    private let state = Guarded(State())
    private let budget: Int
    /// What the readers at one address may have of the budget.
    private let share: Int

    /// - Parameter budget: bytes of all that is being sent; one file alone may have more.
    init(budget: Int) {
        self.budget = budget
        share = budget / 8
    }

    /// What is being sent to others, for one more reader; `nil` when it is not.
    func share(_ key: Key, with client: IPAddress, _ make: (Resource.Content) -> Resource) -> Resource? {
        state.withLock { state in
            guard let content = state.contents[key] else { return nil }
            if let own = content.readers[client]?.resource { return own }
            guard let other = content.readers.values.lazy.compactMap(\.resource).first else { return nil }
            let made = make(other.content)
            state.contents[key]?.readers[client] = Content.Held(resource: made)
            return made
        }
    }

    /// Room for another file, promised until it is released; or why there is none.
    ///
    /// An address that is being sent nothing may have one file of any size that there is room for.
    func claim(_ byteCount: Int, for client: IPAddress) throws(Problem) -> Claim {
        try state.withLock { state throws(Problem) in
            state.sweep()
            let used = state.used
            guard used == 0 || byteCount <= budget - min(used, budget) else {
                throw SharedContents.busy("Files of many bytes are being sent to others")
            }
            let own = state.used(by: client)
            guard own == 0 || byteCount <= share - min(own, share) else {
                throw SharedContents.busy("As many bytes of files as one address may have are being sent to yours")
            }
            state.next += 1
            state.claims[state.next] = (client, byteCount)
            return Claim(number: state.next)
        }
    }

    func release(_ claim: Claim) {
        state.withLock { _ = $0.claims.removeValue(forKey: claim.number) }
    }

    /// Counts what is about to be sent.
    ///
    /// - Parameter byteCount: the memory that it takes.
    func hold(_ resource: Resource, of byteCount: Int, for key: Key, at client: IPAddress) {
        state.withLock { state in
            var key = key
            while state.contents[key]?.readers.values.contains(where: { $0.resource != nil }) ?? false { key.copy += 1 }
            state.contents[key] = Content(
                byteCount: byteCount, readers: [client: Content.Held(resource: resource)])
        }
    }

    private static func busy(_ what: String) -> Problem {
        var problem = ProblemCatalogue.problem(
            .overloaded, "\(what); try again shortly, or fetch the whole archive.")
        problem.fields.add("Retry-After", 2)
        return problem
    }
}
