internal import WidgetLive

/// The scripts by which a browser is the host of widgets: `widget-view.js` with the element `<widget-view>`, whose parts are the
/// files in `Scripts` and the pages of live widgets, and `widget-offline.js`, which keeps pages for when the network is away.
///
/// `.ci/wasm` puts the same parts together beside `engine.wasm`.
package enum ElementScript {
    package static let fileName = "widget-view.js"
    package static let offlineFileName = "widget-offline.js"
    /// The usual name of the engine beside the script.
    package static let engineName = "engine.wasm"

    /// The file as it is sent.
    ///
    /// - Parameter engine: the address of the engine, seen from the script; of letters that need no escape.
    package static func bytes(engine: String = engineName) -> [UInt8] {
        // Comments in stars have whole lines, too.
        let lines = LiveScript.sent(source(engine: engine)).split(separator: 0x0A)
        let code = lines.filter { line in
            !["/**", "* ", "*/"].contains { line.starts(with: $0.utf8) } && !line.elementsEqual("*".utf8)
        }
        return Array(code.joined(separator: [0x0A]))
    }

    /// The file as it is written.
    package static func source(engine: String = engineName) -> [UInt8] {
        let parts: [[UInt8]] = [
            text("const engineName = '\(engine)'\n"), text("const engineParts = () => {\n"), PackageResources.engine_js,
            text("return { Engine, EngineFault, EngineWidget, encoder, decoder, grant }\n}\n"),
            text("const workerSide = ({ Engine, EngineFault, EngineWidget, decoder }) => {\n"),
            PackageResources.worker_js, text("serve(self)\n}\n"),
            text("const { EngineFault, EngineWidget, decoder, encoder, grant } = engineParts()\n"), LiveScript.page,
            text("customElements.get('widget-view') || (() => {\n"), LiveScript.live, text("})()\n"),
            PackageResources.zone_js, PackageResources.store_js, PackageResources.delta_js,
            PackageResources.registry_js,
            PackageResources.desk_js,
            PackageResources.outside_js, PackageResources.view_js, PackageResources.element_js,
        ]
        return Array(parts.joined())
    }

    package static let offline = PackageResources.offline_js

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
