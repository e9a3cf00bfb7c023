import Configuration
import Console
import Sockets

/// What a person who starts the server sees first: where it is, and a line to paste.
enum Greeting {
    static func print(_ running: RunningServer) {
        var lines = ["widgetd \(ProgramVersion.text)"]
        for endpoint in running.publicEndpoints { lines.append("  serving on  \(url(endpoint))") }
        for endpoint in running.adminEndpoints { lines.append("  metrics at  \(url(endpoint))/metrics") }
        lines += running.welcome.tokenLines(isWatched: Terminal.isWatched)
        if let first = running.publicEndpoints.first {
            lines.append("")
            lines += running.welcome.lines(curl(first))
        }
        _ = Terminal.print(lines.joined(separator: "\n") + "\n")
    }

    static func url(_ endpoint: Endpoint) -> String {
        switch endpoint {
        case .unix: endpoint.description
        case .ip: "http://\(endpoint.reachable)"
        }
    }

    /// How curl is told where the server is.
    private static func curl(_ endpoint: Endpoint) -> String {
        switch endpoint {
        case .unix(let socket): "--unix-socket '\(socket)' http://localhost"
        case .ip: url(endpoint)
        }
    }
}
