package import WidgetRegistryClient

/// A host of one widget, as tests have it: in their own process, or in one that they kill.
package struct ReleaseHost: Sendable {
    package struct UnknownAct: Error {
        let name: String
    }

    private let client: WidgetClient
    private let widget: WidgetID
    private let builtIn: String

    package init(_ client: WidgetClient, _ widget: WidgetID, builtIn: String) {
        (self.client, self.widget, self.builtIn) = (client, widget, builtIn)
    }

    /// Carries out acts: `start`, `confirm` and `reject` for the release that was started, `update` and `download`, which lets
    /// it become current with the next start.
    ///
    /// - Parameter say: called with a line that says what came of each.
    /// - Returns: the last release, which is held for as long as the caller keeps it.
    @discardableResult
    package func perform(_ acts: [String], say: (String) -> Void) async throws -> WidgetRelease? {
        var release: WidgetRelease?
        for act in acts {
            switch act {
            case "start":
                release = try await client.start(widget, builtIn: builtIn)
                say("started \(release?.version ?? "builtIn")")
            case "confirm":
                try await release?.confirm()
                say("confirmed \(release?.version ?? "builtIn")")
            case "reject":
                try await release?.reject()
                say("rejected \(release?.version ?? "builtIn")")
            case "update":
                switch await client.update(widget) {
                case .newData(let new):
                    release = new
                    try await new.begin()
                    say("updated \(new.version ?? "")")
                case .noData(let old): say("unchanged \(old.version ?? "")")
                case .failed(let error, _): say("failed \(error)")
                }
            case "download":
                switch try await client.check(widget) {
                case .available(let offer):
                    try await client.apply(try await client.download(offer), at: .nextStart)
                    say("downloaded \(offer.version)")
                case .downloaded(let waiting): say("waiting \(waiting.version)")
                case .current(let current): say("current \(current.version ?? "")")
                }
            default: throw UnknownAct(name: act)
            }
        }
        return release
    }
}
