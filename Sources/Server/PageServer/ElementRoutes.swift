internal import HTTPWire
internal import WidgetBytes
internal import WidgetElement
package import WidgetHTTPServer
internal import WidgetLive

/// The files by which browsers run widgets themselves, on pages of any origin: the element's script, the script that keeps pages
/// for when the network is away, and the engine.
package final class ElementRoutes: Sendable {
    private struct Engine {
        let name: String
        let bytes: [UInt8]
        let brotli: [UInt8]?
    }

    private struct State {
        var engine: Engine?
        /// Those that were asked for, ready to be sent.
        var files: [String: Resource] = [:]
    }

    private let live: LiveRoutes?
    private let state = Guarded(State())

    /// - Parameter live: the routes of files that pages share, in a server that has them.
    package init(beside live: LiveRoutes?) { self.live = live }

    package func add(to routes: inout Routes) {
        for name in [ElementScript.fileName, ElementScript.offlineFileName] {
            routes.get("/\(name)") { [self] _ in answer(name) ?? ElementRoutes.missing }
        }
        if let live {
            live.ask { [weak self] name in self?.answer(name) }
        } else {
            routes.get("/assets/{name}") { [self] _, name in answer(name) ?? .refused(.noRoute) }
        }
    }

    /// True once there is an engine.
    package var hasEngine: Bool { state.withLock { $0.engine != nil } }

    /// Serves an engine from now on.
    ///
    /// - Parameters:
    ///   - digest: of its bytes, in hexadecimal digits.
    ///   - brotli: the same compressed, where that was done.
    package func serve(engine bytes: [UInt8], digest: String, brotli: [UInt8]?) {
        let engine = Engine(name: "engine-\(digest.prefix(32)).wasm", bytes: bytes, brotli: brotli)
        state.withLock { $0 = State(engine: engine) }
    }

    /// A file of those. Each is compressed when it is first asked for, beside the threads that serve.
    private func answer(_ name: String) -> Answer? {
        let (engine, made) = state.withLock { ($0.engine, $0.files[name]) }
        if let made { return .resource(made) }
        guard let engine, [engine.name, ElementScript.fileName, ElementScript.offlineFileName].contains(name) else {
            return nil
        }
        return .later { [self] responder in
            LiveThreads.begin { [self] in responder.answer(.resource(make(name, engine))) }
        }
    }

    private func make(_ name: String, _ engine: Engine) -> Resource {
        let file =
            switch name {
            case engine.name:
                PageAnswer.document("application/wasm", engine.bytes, .forever, brotli: engine.brotli, isForAll: true)
            case ElementScript.fileName:
                PageAnswer.document(
                    PageAnswer.script, ElementScript.bytes(engine: "assets/\(engine.name)"), .asked, isForAll: true)
            default: PageAnswer.document(PageAnswer.script, ElementScript.offline, .asked, isForAll: true)
            }
        state.withLock { state in if state.engine?.name == engine.name { state.files[name] = file } }
        return file
    }

    private static var missing: Answer {
        PageAnswer.sentence(
            .notFound, "This server has no engine for browsers.",
            .english("`make wasm` builds one, and the setting pages.engine names it."))
    }
}
