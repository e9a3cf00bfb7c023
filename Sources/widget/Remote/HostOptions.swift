import Bytes
import Console
import RegistryClient
import RegistryContract

/// What commands have in common that do what a host does.
enum HostOptions {
    static let widget = Positional("WIDGET-ID", help: "begins with a bundle's identifier, such as com.acme.Clock-1")
    static let options = [
        Option("channel", value: "CHANNEL", help: "the channel to follow; stable if not given"),
        Option("pin", value: "ID", help: "the only bundle that may answer"),
        Option("cache", value: "DIR", help: "of widgets; else WIDGET_CACHE, else ~/.cache/widget"),
    ]

    static func host(
        _ invocation: Invocation, _ options: RegistryOptions
    ) async throws(CommandFailure) -> (host: WidgetFetcher, widget: WidgetIdentifier) {
        var wanted = FetchOptions()
        wanted.channel = invocation.value("channel") ?? wanted.channel
        wanted.pin = invocation.value("pin")
        wanted.token = options.token
        wanted.followsElsewhere = options.followsElsewhere
        let path = try cache(invocation)
        let widget = try rethrowing(
            try WidgetIdentifier(invocation.arguments[0]),
            as: { (error: FetchError) in
                CommandFailure.misuse(
                    "\(error)", hints: ["`widget list` shows the bundles that a widget's identifier can begin with"])
            })
        let fetch = wanted
        return try await RemoteCommand.asking { () async throws(FetchError) in
            let host = WidgetFetcher(
                registry: options.address, cache: try WidgetCache(at: path), options: fetch)
            return (host, widget)
        }
    }

    private static func cache(_ invocation: Invocation) throws(CommandFailure) -> String {
        if let path = invocation.value("cache") ?? Environment.value("WIDGET_CACHE") { return path }
        if let folder = Environment.value("XDG_CACHE_HOME") { return "\(folder)/widget" }
        if let home = Environment.value("HOME") { return "\(home)/.cache/widget" }
        throw .misuse(
            "nobody says where widgets are to be kept", hints: ["`--cache DIR` or WIDGET_CACHE names a folder"])
    }
}
