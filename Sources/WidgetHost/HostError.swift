package import RegistryClient
package import WidgetRunning

/// Why a host could not load a widget, or bring it up to date.
package enum HostError: Error, Equatable, Sendable, CustomStringConvertible {
    case widget(WidgetError)
    case registry(FetchError)
    case loadedAlready(String)
    case notLoaded(String)

    package var description: String {
        switch self {
        case .widget(let error): "\(error)"
        case .registry(let error): "\(error)"
        case .loadedAlready(let identifier):
            "a widget \(identifier) is loaded already; another one needs another identifier"
        case .notLoaded(let identifier): "no widget \(identifier) is loaded"
        }
    }
}
