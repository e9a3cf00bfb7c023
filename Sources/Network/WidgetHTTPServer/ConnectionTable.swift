internal import Synchronization
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetSockets

/// A loop's entry for one connection, in use or idle: a few dozen bytes.
struct Connection {
    var channel = ByteChannel.none
    /// Distinguishes events of this connection from those of an earlier one in the same slot.
    var generation: UInt32 = 0
    var listener: UInt8 = 0
    /// True if the peer is counted in the table of addresses.
    var isCounted = false
    var peer = IPAddress(high: 0, low: 0)
    var state = ConnectionState()
    /// Exists only while there is something in it.
    var activity: Activity?
}

/// The memory of a connection that is not idle, made when a request cannot be read and answered in one turn.
final class Activity {
    /// Bytes that arrived and have not been used: part of a head, or requests behind the present one.
    var input: [UInt8] = []
    /// The number of bytes of an unfinished head that had arrived when it was last parsed.
    var examined = 0
    var output = OutputQueue()
    var exchange: Exchange?

    var isEmpty: Bool { input.isEmpty && output.isEmpty && exchange == nil }
}

/// A loop's connections, side by side, found by number.
///
/// Safe to use: slots are made, owned and freed here, and every number is checked against those in use.
/// Room for the most connections there can be is reserved at once, but a page of it is touched only when a
/// slot on it is first used.
@safe
final class ConnectionTable {
    private let slots: UnsafeMutablePointer<Connection>
    private let capacity: Int
    private var free: [Int32] = []
    /// Slots from here on have never been used.
    private(set) var highWater = 0
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe slots = .allocate(capacity: capacity)
    }

    deinit {
        unsafe slots.deinitialize(count: highWater)
        unsafe slots.deallocate()
    }

    subscript(slot: Int) -> Connection {
        @inline(__always)
        unsafeAddress {
            precondition(slot < highWater && slot >= 0, "a connection's number comes from this table")
            return unsafe UnsafePointer(slots + slot)
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(slot < highWater && slot >= 0, "a connection's number comes from this table")
            return unsafe slots + slot
        }
    }

    /// A free slot, its generation raised; `nil` when all are taken.
    func take(_ channel: ByteChannel, _ state: ConnectionState) -> Int? {
        let slot: Int
        if let last = free.popLast() {
            slot = Int(last)
        } else {
            guard highWater < capacity else { return nil }
            slot = highWater
            unsafe (slots + slot).initialize(to: Connection())
            highWater &+= 1
        }
        count &+= 1
        let generation = (self[slot].generation &+ 1) & 0x7FFF_FFFF
        self[slot] = Connection(channel: channel, generation: generation, state: state)
        return slot
    }

    func release(_ slot: Int) {
        self[slot].state = ConnectionState()
        self[slot].channel = .none
        self[slot].activity = nil
        free.append(Int32(truncatingIfNeeded: slot))
        count &-= 1
    }

    func isOpen(_ slot: Int) -> Bool { self[slot].state.phase != .closed }

    /// True if output waits for the client.
    func hasOutput(_ slot: Int) -> Bool {
        guard let activity = self[slot].activity else { return false }
        return !activity.output.isEmpty
    }

    /// The name under which a slot's present connection is known to the poller and to responders.
    func token(_ slot: Int) -> UInt64 {
        UInt64(self[slot].generation) << 32 | UInt64(slot)
    }

    /// The slot a token names, unless its connection is gone.
    func slot(_ token: UInt64) -> Int? {
        let slot = Int(token & 0xFFFF_FFFF)
        guard slot < highWater, isOpen(slot), self[slot].generation == UInt32(token >> 32) else {
            return nil
        }
        return slot
    }
}

/// The number of connections, in all and from each address, over all loops.
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
