internal import WidgetBytes
internal import WidgetDeflate

/// A folder that hosts widgets from any web server: a page, the scripts, the engine and the archives. All addresses are relative,
/// and what never changes has its digest in its name.
package struct HostFolder: Sendable {
    /// A widget that the page shows.
    package struct Widget: Sendable {
        package let title: String
        /// The address of its archive or document, seen from the page, of letters that need no escape.
        package let address: String

        package init(_ title: String, at address: String) {
            self.title = title
            self.address = address
        }
    }

    package struct File: Sendable {
        /// The path in the folder.
        package let path: String
        package let bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    package static let page = "index.html"

    /// The files, of which the page comes last: none of them refers to one that comes after it.
    ///
    /// - Parameters:
    ///   - engine: the bytes of `engine.wasm`.
    ///   - digest: of the engine, in hexadecimal digits.
    ///   - brotli: the engine compressed, where that was done.
    package static func files(
        _ widgets: [Widget], title: String, engine: [UInt8], digest: String, brotli: [UInt8]? = nil
    ) -> [File] {
        let engineName = "engine-\(digest.prefix(32)).wasm"
        let sheet = Array(Self.sheet.utf8)
        let sheetName = "host-\(Digest.sha256(sheet)?.hex.prefix(32) ?? "0").css"
        let page = Array(index(widgets, title, sheetName).utf8)
        let found = [
            (engineName, engine), (sheetName, sheet), (ElementScript.fileName, ElementScript.bytes(engine: engineName)),
            (ElementScript.offlineFileName, ElementScript.offline), (self.page, page),
        ]
        // Web servers send the compressed file that lies beside one.
        var files = brotli.map { [File(path: "\(engineName).br", bytes: $0)] } ?? []
        for (path, bytes) in found {
            if let packed = gzip(bytes, level: 9) { files.append(File(path: "\(path).gz", bytes: packed)) }
            files.append(File(path: path, bytes: bytes))
        }
        return files
    }

    /// True for the path of a file that an earlier version of the folder may have, and that a newer one does not need.
    package static func isReplaced(_ path: String) -> Bool {
        let name = path.hasSuffix(".gz") || path.hasSuffix(".br") ? String(path.dropLast(3)) : path
        for (beginning, ending, count) in [("engine-", ".wasm", 32), ("host-", ".css", 32), ("archives/", ".zip", 64)]
        where name.hasPrefix(beginning) && name.hasSuffix(ending) {
            let digits = name.dropFirst(beginning.count).dropLast(ending.count)
            return digits.utf8.count == count && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
        return false
    }

    /// True for the script of a folder that an export has written: one that its owner put there names `engine.wasm`.
    package static func isWritten(script: [UInt8]) -> Bool { script.starts(with: "const engineName = 'engine-".utf8) }

    private static func index(_ widgets: [Widget], _ title: String, _ sheet: String) -> String {
        let elements = widgets.map { widget in
            let view = """
                <widget-view src="\(widget.address)"\(widgets.count == 1 ? " history" : "")><p>Loading \(escaped(widget.title))…</p></widget-view>
                """
            return widgets.count == 1 ? view : "<section><h2>\(escaped(widget.title))</h2>\(view)</section>"
        }
        let heading = widgets.count == 1 ? "" : "<h1>\(escaped(title))</h1>\n"
        return """
            <!doctype html>
            <html lang="en" class="\(widgets.count == 1 ? "one" : "list")">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <title>\(escaped(title))</title>
            <link rel="stylesheet" href="\(sheet)">
            <script type="module" src="\(ElementScript.fileName)"></script>
            <script src="\(ElementScript.offlineFileName)" defer></script>
            <body>
            \(heading)\(elements.joined(separator: "\n"))
            <noscript><p>Widgets run in this page by a script, which your browser does not allow.</p></noscript>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static let sheet = """
        :root{color-scheme:light dark;font:1em/1.4 system-ui,sans-serif}
        body{margin:0}
        body{padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
        .one body{box-sizing:border-box;height:100dvh}
        .one widget-view{height:100%;max-height:none}
        .list body{padding:max(1rem,env(safe-area-inset-top)) max(1rem,env(safe-area-inset-right)) \
        max(1rem,env(safe-area-inset-bottom)) max(1rem,env(safe-area-inset-left));display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr))}
        .list h1{grid-column:1/-1;margin:0}
        .list h2{margin:0 0 .5rem;font-size:1.1rem}
        .list widget-view{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:12px;overflow:hidden}

        """
}
