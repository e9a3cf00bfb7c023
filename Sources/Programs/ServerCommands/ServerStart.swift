package import Console
package import Logging
package import Processes
package import Surroundings
import WidgetCells

/// The surroundings in which a server is started, besides its settings.
package struct ServerStart: Sendable {
    package var logger: Logger
    /// Shows the first output.
    package var terminal: Terminal
    package var world: World
    /// The program whose processes are confined, and run widgets for pages: this one, unless another is meant.
    package var cells = CellProgram.start
    /// Called with the server's moments, one after another.
    private(set) var observe: @Sendable (ServerMoment) -> Void = { _ in }
    /// The time between two signs of life, and how one is given; `nil` if they are not wanted.
    private(set) var signs: (every: Duration, give: @Sendable () -> Void)?

    package init(_ logger: Logger, on terminal: Terminal, in world: World = .machine) {
        self.logger = logger
        self.terminal = terminal
        self.world = world
    }

    /// Has an observer called with the server's moments, after those that were added before.
    package mutating func observe(with observer: @escaping @Sendable (ServerMoment) -> Void) {
        observe = { [observe] moment in
            observe(moment)
            observer(moment)
        }
    }

    /// Notifies the service manager, also that the server lives, if it wants to know.
    package mutating func notify(_ manager: NotifySocket) {
        let notices = ServiceNotices(manager, world.clock, logger)
        observe(with: { notices.note($0) })
        signs = notices.signEvery.map { ($0, { notices.sign() }) }
    }
}
