import Dispatch
import Testing
import WidgetSystemCalls

@Suite struct `Functions of real numbers` {
    @Test func `Powers, exponentials and logarithms undo each other`() {
        #expect(Mathematics.power(2, 10) == 1_024)
        #expect(Mathematics.power(2, 0.5) == 2.0.squareRoot())
        #expect(Mathematics.decimalLogarithm(1_000) == 3)
        #expect(abs(Mathematics.naturalLogarithm(Mathematics.exponential(3)) - 3) < 1e-15)
    }

    @Test func `Angles are in radians`() {
        #expect(Mathematics.sine(.pi / 2) == 1)
        #expect(Mathematics.cosine(.pi) == -1)
        #expect(Mathematics.arcSine(1) == .pi / 2)
    }

    @Test func `Values outside a function's domain give no number, and values too large infinity`() {
        #expect(Mathematics.naturalLogarithm(-1).isNaN)
        #expect(Mathematics.arcSine(2).isNaN)
        #expect(Mathematics.decimalLogarithm(0) == -.infinity)
        #expect(Mathematics.exponential(1_000) == .infinity)
    }
}

@Suite struct `The environment of this process` {
    @Test func `A variable has one value, whichever way it is asked for`() throws {
        let path = try #require(ProcessEnvironment.value("PATH"))
        #expect(ProcessEnvironment.text("PATH") == path)
        #expect(ProcessEnvironment.all["PATH"] == path)
    }

    @Test func `A variable that is not set has no value`() {
        let name = "WIDGETD_TEST_OF_A_VARIABLE_THAT_IS_NOT_SET"
        #expect(ProcessEnvironment.value(name) == nil)
        #expect(ProcessEnvironment.text(name) == nil)
        #expect(ProcessEnvironment.all[name] == nil)
    }

    @Test func `The time of day is that of this century, and its nanoseconds are less than a second`() {
        let (first, second) = (SystemTime.now(), SystemTime.now())
        #expect((978_307_200..<4_102_444_800).contains(first.seconds))
        #expect((0..<1_000_000_000).contains(first.nanoseconds))
        #expect(second.seconds >= first.seconds)
    }
}

@Suite struct `A lock of the system` {
    /// A number that several threads change behind one lock.
    private final class Counter: @unchecked Sendable {
        let lock = ThreadLock()
        var count = 0
    }

    @Test func `A lock lets one thread at a time pass`() {
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 {
                counter.lock.lock()
                counter.count += 1
                counter.lock.unlock()
            }
        }
        #expect(counter.count == 160_000)
    }
}
