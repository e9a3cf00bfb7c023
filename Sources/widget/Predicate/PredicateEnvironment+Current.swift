import Logging
import Predicates

extension PredicateEnvironment {
    /// The present moment, as the system's clock has it.
    static var current: PredicateEnvironment {
        let time = LogTime.now()
        let seconds = Double(time.secondsSinceEpoch) + Double(time.milliseconds) / 1_000
        return PredicateEnvironment(
            now: seconds - 978_307_200,
            seed: UInt64(bitPattern: time.secondsSinceEpoch &* 1_000 &+ Int64(time.milliseconds)))
    }
}
