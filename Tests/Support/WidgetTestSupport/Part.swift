internal import Foundation
package import Testing

/// A part of `make check`: tests that need what the everyday run does without, such as other servers, or dozens of kills.
///
/// A test is in the everyday tier, `make test`, unless its `@Suite` or `@Test` has `.part(…)`. `.ci/tests-of` reads these
/// marks from the sources, so that `make check PART=cluster` runs the tests of that part and no others.
package enum Part: String, CaseIterable, Sendable {
    /// PostgreSQL and OpenStack Swift.
    case cluster
    /// Programs that are killed, many clients at once, every call that fails.
    case faults
    /// Curl and nginx as other clients and as a proxy, in all ways in which people use them.
    case contract
    /// The compiler's own programs, and packages that are built with them.
    case compilers

    /// True in a run of this part.
    package var isRunning: Bool { Part.running.contains(rawValue) }

    private static let running: Set<String> = Set(
        (ProcessInfo.processInfo.environment["TEST_PARTS"] ?? "").split(separator: ",").map(String.init))
}

extension Trait where Self == ConditionTrait {
    /// Puts a suite or a test into a part of `make check`, and takes it out of `make test`.
    package static func part(_ part: Part) -> Self {
        .enabled(if: part.isRunning, "make check PART=\(part.rawValue)")
    }
}

/// A mark without an effect: the test is in the everyday tier, and in a part it has other arguments.
package struct PartAsWell: SuiteTrait, TestTrait {
    package let isRecursive = true
}

extension Trait where Self == PartAsWell {
    /// Runs a suite or a test in a part as well, where its arguments are others.
    package static func also(_ part: Part) -> Self { PartAsWell() }
}
