import CellSupport
import Foundation
import WidgetBytes
import WidgetFiles
import WidgetHosting
import WidgetProcesses
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetCells

/// Reviews of an archive in cells: each in this process, or a process of `Specimen cell` where the process is the subject.
final class CellBench: Sendable {
    let house: CellHouse
    /// The archive that cells read.
    private let archive: FileDescriptor

    enum Place: Sendable {
        case here, process
    }

    /// The place of cells that start from now on.
    private let place: Guarded<Place>

    /// The bytes of the archive: its reviewer here counts them alone.
    static let content = Array("an archive".utf8)

    /// - Parameters:
    ///   - deed: what a cell does before it carries out an `order`.
    ///   - without: the parts of the confinement that cells leave out.
    init(
        in place: Place = .here, before order: String = "-", deed: String = "-", without: [String] = [],
        _ limits: CellLimits = CellLimits(), by clock: any Clock = SystemClock()
    ) throws {
        let program = CellStart(
            ProgramStart(
                BuiltProgram("WidgetSpecimen").url.path, ["cell", order, deed] + without,
                environment: ConfinementLimits.environment))
        let current = Guarded(place)
        self.place = current
        let start = CellStart { () throws(CellEnd) in
            guard current.withLock({ $0 }) == .here else { return try program.begin() }
            return try CalledCell(
                reviewer: Echo(), without: without, before: CalledCell.Deed(before: order, deed))
        }
        house = CellHouse(start, limits, in: World(clock: clock))
        archive = try FileDescriptor.sealed(CellBench.content, subject: "an archive")
    }

    deinit { house.stop() }

    /// Cells that start from now on are in this process, where they do no deed of a process.
    func startHere() { place.withLock { $0 = .here } }

    /// Returns when the figures of the house fulfil the condition.
    func becomes(_ condition: (CellHouse.Figures) -> Bool) async {
        for await _ in house.changes.stream() where condition(house.figures) { return }
    }

    func review(_ question: String, digest: String = "a") async throws -> CellReview {
        await house.review(HandedFile(try archive.duplicate()), digest: digest, question)
    }
}
