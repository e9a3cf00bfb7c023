internal import WidgetBytes
internal import WidgetElement
internal import WidgetHosting
public import WidgetRuntime

/// Widgets that browsers run themselves, beside those that your server runs.
extension WidgetSite {
    /// Serves `widget-view.js`, `widget-offline.js` and the engine, by which browsers run widgets in pages of yours.
    ///
    /// - Parameter path: the file `engine.wasm`, of the same version as this library: `make wasm` builds it, and images have it in
    ///   `share/widgetd`.
    /// - Throws: `RuntimeError` if the file is missing, or of another version.
    public func serve(engine path: String) throws(RuntimeError) {
        let finding = EngineFile.find(named: path, beside: "")
        guard let file = finding.file else { throw RuntimeError(.refused, "the engine cannot be served: \(finding)") }
        let name = "engine-\(file.digest.hex.prefix(32)).wasm"
        let files = [
            PageFile(name, file.bytes), PageFile(ElementScript.fileName, ElementScript.bytes(engine: name)),
            PageFile(ElementScript.offlineFileName, ElementScript.offline),
        ]
        elements.withLock { $0 = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) }) }
    }

    /// The element for the `<head>` of a page whose elements `<widget-view src="…">` run in the browser.
    public var elementScript: String {
        "<script type=\"module\" src=\"\(address)/\(ElementScript.fileName)\"></script>"
    }

    /// A file of those; the engine never changes under its name.
    func elementFile(_ name: String) -> SiteAnswer? {
        elements.withLock { $0[name] }.map { SiteAnswer(shared: $0, isFixed: name.hasSuffix(".wasm")) }
    }
}
