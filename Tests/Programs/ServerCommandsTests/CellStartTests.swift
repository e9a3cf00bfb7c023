import Testing
import WidgetCells
import WidgetProcesses
import WidgetSurroundings
import WidgetTestSupport

@testable import ServerCommands

/// Goal: a server starts, and `widgetd check` ends, on a machine on which no cell becomes ready. Method: a program that
/// says nothing in the place of a cell, and a clock that the test moves.
@Suite(.ownThreads) struct `The first cell of a server` {
    @Test func `A cell that says nothing is waited for as long as a start may take, and the reason says so`() async {
        let clock = ManualClock()
        let house = CellHouse(CellStart(ProgramStart("/bin/sleep", ["600"])), in: World(clock: clock))
        defer { house.stop() }
        // Blocks a thread, as the start of a server does.
        let waiting = Task.onOwnThreads { ServerCells.found(house) }
        let found = await clock.moving { await waiting.value }
        let reason = "its process could not be started: it was not ready within 10 seconds"
        #expect(found.confinement == nil && found.obstacle == reason)
        #expect(found.stateOfReviews.contains(reason))
        #expect(clock.passed >= .seconds(10))
        #expect(clock.passed < .seconds(60))
    }
}
