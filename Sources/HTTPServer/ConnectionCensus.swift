internal import Addresses
internal import Bytes
internal import Sockets
internal import Synchronization

/// How many connections there are, in all and from each address, over all loops.
final class ConnectionCensus: Sendable {
    private let total = Atomic<Int>(0)
    private let perAddress = Guarded<[IPAddress: Int]>([:])

    var count: Int { total.load(ordering: .relaxed) }

    /// Counts one more, unless there are `limit` already.
    func admit(limit: Int) -> Bool {
        let (_, count) = total.add(1, ordering: .relaxed)
        guard count > limit else { return true }
        total.subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts one more for which another is about to leave.
    func admitBeyondLimit() {
        total.add(1, ordering: .relaxed)
    }

    func leave() {
        total.subtract(1, ordering: .relaxed)
    }

    func admit(_ address: IPAddress, limit: Int) -> Bool {
        perAddress.withLock { table in
            let count = table[address, default: 0]
            guard count < limit else { return false }
            table[address] = count + 1
            return true
        }
    }

    func leave(_ address: IPAddress) {
        perAddress.withLock { table in
            guard let count = table[address] else { return }
            table[address] = count > 1 ? count - 1 : nil
        }
    }
}
