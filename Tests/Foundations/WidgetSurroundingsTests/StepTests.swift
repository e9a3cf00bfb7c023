import Testing
import WidgetBytes
import WidgetSurroundings

/// Goal: what waits for a clock is met by each step, in one order. Method: clocks that the test moves.
@Suite struct `A step of a clock` {
    /// Sets a call for a second later, again and again, and counts how often the clock has stopped.
    private actor Follower: ClockFollower {
        private let clock: ManualClock
        private var due: ContinuousClock.Instant
        private(set) var moments: [Duration] = []

        init(_ clock: ManualClock) {
            self.clock = clock
            due = clock.now
        }

        func settle() async {
            guard clock.now >= due else { return }
            moments.append(clock.passed)
            due = clock.now + .seconds(1)
            _ = clock.call(at: due) {}
        }
    }

    @Test func `A step stops at each call, and lets followers settle there`() async {
        let clock = ManualClock()
        let follower = Follower(clock)
        clock.add(follower)
        await clock.step(by: .seconds(3.5))
        #expect(await follower.moments == [.zero, .seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.passed == .seconds(3.5))
        clock.remove(follower)
        await clock.step(by: .seconds(10))
        #expect(await follower.moments.count == 4)
    }

    @Test func `A step of no length lets followers settle, and moves nothing`() async {
        let clock = ManualClock()
        let follower = Follower(clock)
        clock.add(follower)
        await clock.step(by: .zero)
        await clock.step(by: .seconds(-5))
        #expect(await follower.moments == [.zero])
        #expect(clock.passed == .zero)
    }

    @Test func `A clock moves whenever something waits for it, until a body has ended`() async {
        let clock = ManualClock()
        await clock.moving {
            for _ in 0..<3 { await clock.sleep(for: .seconds(20)) }
        }
        #expect(clock.passed == .seconds(60))
        #expect(clock.waitingCount == 0)
    }

    @Test func `A repeated call comes after each interval, until it is cancelled`() {
        let clock = ManualClock()
        let count = Guarded(0)
        let alarm = clock.call(every: .seconds(2)) { count.withLock { $0 += 1 } }
        clock.advance(by: .seconds(7))
        #expect(count.withLock { $0 } == 3)
        alarm.cancel()
        clock.advance(by: .seconds(7))
        #expect(count.withLock { $0 } == 3 && clock.waitingCount == 0)
    }

    @Test func `A wait of a test ends when its task is cancelled`() async {
        let clock = ManualClock()
        let task = Task { await clock.waits(for: 1) }
        task.cancel()
        await task.value
        #expect(clock.waitingCount == 0)
    }
}

/// Goal: code that waits takes no time in a test, and its waits can be read afterwards.
@Suite struct `A clock that skips waits` {
    @Test func `Sleeps return at once and move the clock to their ends`() async {
        let clock = SkippingClock(date: .seconds(100))
        await clock.sleep(for: .seconds(5))
        await clock.sleep(for: .zero)
        await clock.sleep(until: clock.now + .seconds(2))
        #expect(clock.sleeps == [.seconds(5), .seconds(2)])
        #expect(clock.passed == .seconds(7) && clock.seconds == 107)
    }

    @Test func `A sleep of a cancelled task moves nothing`() async {
        let clock = SkippingClock()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await clock.sleep(for: .seconds(5))
        }
        task.cancel()
        await task.value
        #expect(clock.passed == .zero && clock.sleeps.isEmpty)
    }

    @Test func `A sleep makes the calls on its way`() async {
        let clock = SkippingClock()
        let isCalled = Guarded(false)
        _ = clock.call(after: .seconds(3)) { isCalled.withLock { $0 = true } }
        await clock.sleep(for: .seconds(5))
        #expect(isCalled.withLock { $0 })
    }

    @Test(arguments: [0, 0.25, 0.5, 0.999_999]) func `Chance can be a fixed number`(fraction: Double) {
        #expect(abs(FixedChance(fraction).fraction - fraction) < 1e-9)
    }

    @Test func `Seconds of any size are a duration`() {
        #expect(Duration(nearest: 1.5) == .milliseconds(1_500))
        #expect(Duration(nearest: .nan) == .zero)
        #expect(Duration(nearest: .infinity) > .seconds(99 * 365 * 86_400))
        #expect(Duration(nearest: -.infinity) == .zero - Duration(nearest: .infinity))
    }
}

/// Goal: tasks that wait for disks have a thread, which tests can step. Method: stepped threads.
@Suite struct `An executor of a queue` {
    @Test func `A task runs when its threads are stepped`() async {
        let threads = SteppedThreads()
        let executor = threads.executor("test")
        let isDone = Guarded(false)
        let task = Task(executorPreference: executor) { isDone.withLock { $0 = true } }
        #expect(!isDone.withLock { $0 })
        threads.run()
        #expect(isDone.withLock { $0 })
        await task.value
    }
}
