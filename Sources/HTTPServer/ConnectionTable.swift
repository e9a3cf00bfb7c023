internal import Sockets

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

    /// Whether output waits for the client.
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
