/// How much an event matters, from what needs a person to what only helps to look for a fault.
package enum LogLevel: UInt8, CaseIterable, Sendable {
    case error
    case warning
    case notice
    case info
    case debug

    /// The word in a log line and in the settings.
    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }
}
