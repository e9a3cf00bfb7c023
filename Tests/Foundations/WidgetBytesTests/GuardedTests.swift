import Dispatch
import Testing
import WidgetBytes

@Suite struct `A guarded value` {
    @Test func `A guarded value is changed by one thread at a time`() {
        let counter = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 { counter.withLock { $0 += 1 } }
        }
        #expect(counter.withLock { $0 } == 160_000)
    }

    @Test func `A guarded value is free again after an error`() {
        struct Slip: Error {}
        let counter = Guarded(1)
        #expect(throws: Slip.self) {
            try counter.withLock { value in
                value = 2
                throw Slip()
            }
        }
        #expect(counter.withLock { $0 } == 2)
    }
}
