import CellSupport
import Glibc
import Processes
import WidgetCells

/// A cell that does something which no widget can do, before it carries out an order: `Specimen cell ORDER DEED`, and the
/// parts of the confinement to leave out. Without a deed it is an ordinary cell; with the deed `count`, calls outside the
/// list are counted instead of ending it, and it exits with the number of the first one (modulo 256) once there is one.
struct CellSpecimen {
    private let order: String
    private let deed: String
    private let words: [String]
    private let deeds = Deeds()
    private var isCounting: Bool { deed.hasPrefix("count") }

    init(_ arguments: [String]) {
        order = arguments.first ?? ""
        deed = arguments.dropFirst().first ?? ""
        words = Array(arguments.dropFirst(2))
    }

    func run() -> Never {
        // Before it confines itself, for hosts that wait for it.
        if order == "start" { deeds.perform(deed) }
        let isRun = CellProgram.run(words, mode: isCounting ? .counting : .enforcing, reviewer: Echo(deeds.perform)) {
            exitAfterForbiddenCall()
            if $0 == order { deeds.perform(deed) }
        }
        exit(isRun ? 0 : 1)
    }

    /// Exits with the number of a call that was counted, if there is one.
    private func exitAfterForbiddenCall() {
        guard isCounting, let number = Confinement.forbiddenCalls().keys.min() else { return }
        // An exit code has eight bits, and zero would be no fault.
        exit(Int32(truncatingIfNeeded: max(1, number % 256)))
    }
}
