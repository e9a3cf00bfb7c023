import Testing
import WidgetBytes
import WidgetSurroundings

@Suite struct `A clock that a test moves` {
    let clock = ManualClock(date: .seconds(1_000))
    let heard = Guarded<[String]>([])

    private func call(_ word: String, after seconds: Int) -> Alarm {
        clock.call(after: .seconds(seconds)) { [heard] in heard.withLock { $0.append(word) } }
    }

    private var words: [String] { heard.withLock { $0 } }

    @Test func `Calls come in the order of their moments, and then in that in which they were set`() {
        for (word, seconds) in [("late", 3), ("first", 1), ("second", 1), ("never", 9)] {
            _ = call(word, after: seconds)
        }
        clock.advance(by: .seconds(4))
        #expect(words == ["first", "second", "late"])
        #expect(clock.passed == .seconds(4))
        #expect(clock.waitingCount == 1)
    }

    @Test func `A call sees its own moment, and one that it sets within the step is made in it`() {
        _ = clock.call(after: .seconds(1)) { [clock, heard] in
            heard.withLock { $0.append("\(clock.passed.components.seconds)") }
            _ = clock.call(after: .seconds(2)) { heard.withLock { $0.append("\(clock.passed.components.seconds)") } }
        }
        clock.advance(by: .seconds(10))
        #expect(words == ["1", "3"])
    }

    @Test func `A call that was taken back is not made`() {
        let alarm = call("cancelled", after: 1)
        alarm.cancel()
        alarm.cancel()
        clock.advance(by: .seconds(2))
        #expect(words.isEmpty)
        #expect(clock.waitingCount == 0)
    }

    @Test func `The time of day passes with the clock, and people can set it without waking anything`() {
        _ = call("alarm", after: 5)
        clock.advance(by: .milliseconds(1_500))
        #expect(clock.date == (1_001, 500_000_000))
        clock.shiftDate(by: .seconds(-2_000))
        #expect(clock.date == (-999, 500_000_000))
        #expect(words.isEmpty)
    }

    @Test func `A sleeping task continues at its moment, and a cancelled one at once`() async {
        let sleeper = Task { [clock] in
            await clock.sleep(for: .seconds(60))
            return (clock.passed, Task.isCancelled)
        }
        await clock.waits(for: 1)
        clock.advance(by: .seconds(59))
        clock.advance(by: .seconds(1))
        #expect(await sleeper.value == (.seconds(60), false))
        let other = Task { [clock] in
            await clock.sleep(for: .seconds(60))
            return Task.isCancelled
        }
        await clock.waits(for: 1)
        other.cancel()
        #expect(await other.value)
        #expect(clock.waitingCount == 0)
    }

    @Test func `A test hears that calls were taken back, and that they were made`() async {
        let alarms = [1, 2, 3].map { call("\($0)", after: $0) }
        await clock.waits(forAtMost: 3)
        let fewer = Task { [clock] in
            await clock.waits(forAtMost: 1)
            return clock.waitingCount
        }
        alarms[2].cancel()
        clock.advance(by: .seconds(1))
        #expect(await fewer.value == 1)
        let none = Task { [clock] in
            await clock.waits(forAtMost: 0)
            return clock.waitingCount
        }
        alarms[1].cancel()
        #expect(await none.value == 0)
        #expect(words == ["1"])
    }

    @Test func `A test hears that a call was set for a moment`() async {
        let moment = clock.now + .seconds(15)
        _ = call("sooner", after: 1)
        let set = Task { [clock] in
            await clock.waits { $0.contains(moment) }
            return clock.waitingCount
        }
        _ = call("later", after: 20)
        _ = call("then", after: 15)
        #expect(await set.value == 3)
        clock.advance(by: .seconds(15))
        #expect(words == ["sooner", "then"])
    }

    @Test func `A call whose moment has passed is made by the next move`() {
        clock.advance(by: .seconds(5))
        _ = clock.call(at: clock.now - .seconds(2)) { [heard] in heard.withLock { $0.append("late") } }
        #expect(words.isEmpty)
        clock.advance(by: .zero)
        #expect(words == ["late"])
        #expect(clock.passed == .seconds(5))
    }

    @Test func `A duration that no calendar has is a wait and no fault`() {
        let alarm = clock.call(after: .seconds(Int64.max)) {}
        #expect(clock.next != nil)
        alarm.cancel()
    }

    @Test func `A thread rests until the clock says so, or until it shall end for good`() async {
        let signal = StopSignal(clock)
        let rested = Task.detached { [signal] in signal.rest(for: .seconds(30)) }
        await clock.waits(for: 1)
        clock.advance(by: .seconds(30))
        #expect(await rested.value == false)
        let stopped = Task.detached { [signal] in signal.rest(for: .seconds(30)) }
        await clock.waits(for: 1)
        signal.give()
        #expect(await stopped.value)
        #expect(signal.rest(for: .seconds(30)))
        #expect(clock.waitingCount == 0)
    }
}

@Suite struct `Threads that a test steps` {
    /// The steps of three tasks and a queue, in their order.
    private func trace(seed: UInt64) -> [String] {
        let (clock, threads, heard) = (ManualClock(), SteppedThreads(), Guarded<[String]>([]))
        let world = World(clock: clock, chance: SeededChance(seed: seed), threads: threads)
        for name in ["a", "b", "c"] {
            Task(executorPreference: threads) {
                for _ in 0..<3 {
                    await world.clock.sleep(for: .milliseconds(Int(world.chance.fraction * 1_000)))
                    heard.withLock { $0.append("\(name) \(clock.passed)") }
                }
            }
        }
        world.threads.queue("line").async { heard.withLock { $0.append("queue \(clock.passed)") } }
        threads.run()
        while clock.advanceToNext() { threads.run() }
        return heard.withLock { $0 }
    }

    @Test(arguments: [1, 2, 3])
    func `One seed has one course of events`(seed: UInt64) {
        let first = trace(seed: seed)
        #expect(first.count == 10)
        #expect(trace(seed: seed) == first)
    }

    @Test func `Another seed has another course`() {
        #expect(trace(seed: 1) != trace(seed: 2))
    }
}

@Suite struct `The machine's surroundings` {
    @Test func `An alarm rings, and one that was taken back does not`() async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            _ = clock.call(after: .zero) {
                // The clock has one thread, which is here.
                clock.call(after: .zero) { Issue.record("it was cancelled") }.cancel()
                _ = clock.call(after: .milliseconds(1)) { continuation.resume() }
            }
        }
    }
}
