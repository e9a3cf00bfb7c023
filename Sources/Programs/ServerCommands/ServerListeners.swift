import LocalStore
import RegistryServer
import WidgetAddresses
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetSockets

/// The open listeners of a server: for clients, for operators, and for the owner of the data directory.
struct ServerListeners {
    let server: Server
    /// The listeners for clients.
    let publicEndpoints: [Endpoint]
    /// The listeners for operators.
    let adminEndpoints: [Endpoint]

    /// Opens all of them. Nothing is accepted yet.
    init(_ settings: Settings, _ store: ServedStore, _ start: ServerStart) throws(StartFailure) {
        let routes = store.publicRoutes
        var listeners: [ServerListener] = []
        for address in settings.listen {
            listeners.append(ServerListener(try ServerListeners.endpoint(address), routes: routes))
        }
        for address in settings.adminListen {
            listeners.append(
                ServerListener(
                    try ServerListeners.endpoint(address), routes: store.health.adminRoutes(), isShared: false))
        }
        do throws(SystemError) {
            server = try ServerListeners.openWithControl(listeners, settings, store.service, start)
        } catch {
            throw StartFailure(error)
        }
        publicEndpoints = Array(server.endpoints.prefix(settings.listen.count))
        adminEndpoints = Array(
            server.endpoints.dropFirst(settings.listen.count).prefix(settings.adminListen.count))
        store.health.attach(server)
    }

    /// Opens the listeners with the owner's socket, or without it where it finds none, which is logged.
    private static func openWithControl(
        _ listeners: [ServerListener], _ settings: Settings, _ service: RegistryService, _ start: ServerStart
    ) throws(SystemError) -> Server {
        let path = ControlSocket.path(settings.data)
        let obstacle: String
        if ControlSocket.isUsable(path) {
            let control = ServerListener(
                .unix(path: path), routes: service.controlRoutes(), isShared: false, isPrivate: true)
            do throws(SystemError) {
                return try open(listeners + [control], settings, start)
            } catch {
                // A full disk may have no room for a name either.
                guard error.isOutOfSpace, error.subject.hasSuffix(path) else { throw error }
                obstacle = "the disk has no room for a socket: \(error.reason)"
            }
        } else {
            obstacle = "the data directory's path is too long for a socket in it"
        }
        let server = try open(listeners, settings, start)
        start.logger.log(.warning, "control.unavailable", obstacle, [LogField("path", path)])
        return server
    }

    private static func open(
        _ listeners: [ServerListener], _ settings: Settings, _ start: ServerStart
    ) throws(SystemError) -> Server {
        try Server(
            listeners: listeners, limits: settings.serverLimits,
            workers: settings.workers > 0 ? settings.workers : Processors.count, serverName: "widgetd",
            logger: start.logger, logsRequests: settings.log.logsRequests, in: start.world,
            explain: { ProblemCatalogue.problem($0) })
    }

    /// Checks that no other server listens at this server's addresses.
    static func check(_ settings: Settings) throws(StartFailure) {
        for address in settings.listen + settings.adminListen {
            let endpoint = try endpoint(address)
            // A path may be in the data directory, which need not be there yet.
            guard case .ip = endpoint else { continue }
            do throws(SystemError) { _ = try Listener.open(endpoint, count: 1) } catch { throw StartFailure(error) }
        }
    }

    private static func endpoint(_ address: ListenAddress) throws(StartFailure) -> Endpoint {
        try rethrowing(
            try Endpoint(address),
            as: { (error: Endpoint.Mistake) in
                StartFailure("cannot listen on \(address): \(error.explanation)")
            })
    }
}
