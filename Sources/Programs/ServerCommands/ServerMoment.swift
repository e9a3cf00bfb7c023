package import WidgetSockets

/// A moment in the life of a server, of which others are notified.
package enum ServerMoment: Equatable, Sendable {
    /// The data directory belongs to this server alone.
    case locked
    /// Requests are answered at these addresses.
    case ready(publicEndpoints: [Endpoint], adminEndpoints: [Endpoint])
    /// The settings are read again.
    case reloading
    /// They are in force, or were refused.
    case reloaded
    /// No new work is begun, and what is under way is finished.
    case draining
    /// No request is under way any more.
    case stopped
}

extension ServerMoment {
    /// The lines for the process that started the server, in the form of `WIDGETD_NOTIFY_FD`.
    ///
    /// Addresses beside the first come before `ready`, so that a reader of that line has read all.
    var lines: [String] {
        switch self {
        case .locked: ["locked"]
        case .ready(let publicEndpoints, let adminEndpoints):
            publicEndpoints.dropFirst().map { "public \($0)" } + adminEndpoints.map { "admin \($0)" }
                + ["ready \(publicEndpoints.first.map(\.description) ?? "")"]
        case .reloading, .reloaded: []
        case .draining: ["draining"]
        case .stopped: ["stopped"]
        }
    }

    /// The assignments for a service manager, as sd_notify(3) names them.
    ///
    /// - Parameter microseconds: the time by its clock, for the order of reloads.
    func assignments(_ microseconds: UInt64) -> [String] {
        switch self {
        case .locked, .stopped: []
        case .ready, .reloaded: ["READY=1"]
        case .reloading: ["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"]
        case .draining: ["STOPPING=1"]
        }
    }

    /// The state of the server in words; `nil` for that from before.
    var status: String? {
        switch self {
        case .locked: "the data directory is open"
        case .ready(let publicEndpoints, _):
            "serving on \(publicEndpoints.map(\.description).joined(separator: " "))"
        case .reloading: "reading the settings again"
        case .reloaded: nil
        case .draining: "finishing what is under way"
        case .stopped: "stopped"
        }
    }
}
