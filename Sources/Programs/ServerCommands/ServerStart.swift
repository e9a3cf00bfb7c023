package import WidgetCells
package import WidgetConsole
package import WidgetLogging
package import WidgetProcesses
package import WidgetSurroundings

/// The surroundings in which a server is started, besides its settings.
package struct ServerStart: Sendable {
    package var logger: Logger
    /// Shows the first output, and names the program whose processes are confined and run widgets for pages.
    package var terminal: Terminal
    package var world: World
    /// True if a server without previews reviews bundles in its own process, unconfined. Only for tests, whose bundles are
    /// their own: each process of a review is a program that is started.
    package var reviewsHere = false
    /// The way in which it starts its cells; as processes of this program if `nil`. Only tests set it.
    package var cells: CellStart?
    /// Called with the server's moments, one after another.
    private(set) var notify: @Sendable (ServerMoment) -> Void = { _ in }
    /// The time between two signs of life, and how one is given; `nil` if they are not wanted.
    private(set) var signs: (every: Duration, give: @Sendable () -> Void)?

    package init(_ logger: Logger, on terminal: Terminal, in world: World = .machine) {
        self.logger = logger
        self.terminal = terminal
        self.world = world
    }

    /// Adds an observer of the server's moments, which is called after those that were added before.
    package mutating func add(_ observer: @escaping @Sendable (ServerMoment) -> Void) {
        notify = { [notify] moment in
            notify(moment)
            observer(moment)
        }
    }

    /// Notifies the service manager, also that the server lives, if it wants to know.
    package mutating func add(_ manager: NotifySocket) {
        let notices = ServiceNotices(manager, world.clock, logger)
        add { notices.note($0) }
        signs = notices.signEvery.map { ($0, { notices.sign() }) }
    }
}
