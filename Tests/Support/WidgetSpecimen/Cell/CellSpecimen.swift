import CellSupport
import Glibc
import WidgetCells
import WidgetProcesses

/// A cell that does something which no bundle can have it do, before it carries out an order: `Specimen cell ORDER DEED`, and the
/// parts of the confinement to leave out. Without a deed it is an ordinary cell.
struct CellSpecimen {
    private let order: String
    private let deed: String
    private let words: [String]
    private let deeds = Deeds()

    init(_ arguments: [String]) {
        order = arguments.first ?? ""
        deed = arguments.dropFirst().first ?? ""
        words = Array(arguments.dropFirst(2))
    }

    func run() -> Never {
        // Before it confines itself, for hosts that wait for it.
        if order == "start" { deeds.perform(deed) }
        let isRun = CellProgram.run(words, reviewer: Echo(deeds.perform)) { if $0 == order { deeds.perform(deed) } }
        exit(isRun ? 0 : 1)
    }
}
