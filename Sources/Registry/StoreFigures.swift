internal import Bytes

/// How long the store took for what it had to wait for, and how often it did not go well.
package final class StoreFigures: Sendable {
    package enum Step: String, CaseIterable, Sendable {
        /// Bringing an archive and its note to their places, on the disk for good.
        case place
        /// A transaction of the catalog, with all who shared it.
        case commit
        /// Comparing an archive with its digest.
        case verify
    }

    package struct Figures: Equatable, Sendable {
        /// How many took no longer than each of ``bounds``, and then all.
        package var counts = [UInt64](repeating: 0, count: StoreFigures.bounds.count + 1)
        package var sum = Duration.zero
        package var failures: UInt64 = 0
    }

    package static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(5), .seconds(30),
    ]

    private let all: Guarded<[Step: Figures]> = Guarded([:])

    package init() {}

    package subscript(_ step: Step) -> Figures { all.withLock { $0[step] ?? Figures() } }

    package func time<Value, Failure: Error>(_ step: Step, _ body: () throws(Failure) -> Value) throws(Failure) -> Value
    {
        let start = ContinuousClock.now
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            all.withLock { $0[step, default: Figures()].failures += 1 }
            throw error
        }
        let duration = ContinuousClock.now - start
        all.withLock { all in
            var figures = all[step] ?? Figures()
            figures.counts[figures.counts.count - 1] += 1
            for (index, bound) in StoreFigures.bounds.enumerated() where duration <= bound {
                figures.counts[index] += 1
            }
            figures.sum += duration
            all[step] = figures
        }
        return value
    }
}
