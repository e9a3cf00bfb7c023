import Testing
import WidgetDeflate
import WidgetElement
import WidgetLive

/// Goal: a browser gets one script that needs no other, and folders that refer to nothing outside. `Tests/Browser` runs them.
@Suite struct `The scripts of the element` {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `The script is at most 26,000 bytes long as it is sent`() throws {
        let compressed = try #require(gzip(ElementScript.bytes(), level: 9))
        #expect(compressed.count <= 26_000, "\(compressed.count)")
    }

    @Test func `Its engine is where it was said to be, and it imports nothing`() {
        let script = Self.text(ElementScript.bytes(engine: "assets/engine-0a.wasm"))
        #expect(script.hasPrefix("const engineName = 'assets/engine-0a.wasm'\n"))
        #expect(!script.contains("\nimport ") && !script.contains("import("))
        // The pages of live widgets are its pages, too.
        #expect(script.contains("const pageIn = ") && script.contains("class LocalView"))
    }

    @Test func `It makes no code of text, and markup only by the policy`() {
        let script = Self.text(ElementScript.source())
        for word in ["eval(", "new Function", "innerHTML", "insertAdjacentHTML", "document.write", ".style."] {
            #expect(!script.contains(word), "\(word) is in the script")
        }
    }

    @Test func `Comments are not sent`() {
        let script = Self.text(ElementScript.bytes())
        #expect(
            !script.split(separator: "\n").contains { $0.hasPrefix("//") || $0.hasPrefix("/**") || $0.hasPrefix("*") })
    }
}

/// Goal: a folder hosts widgets from any web server, under any path, with a strict policy. Method: its files are looked at.
@Suite struct `A folder that hosts widgets` {
    private static let widgets = [
        HostFolder.Widget("Clock", at: "archives/00.zip"), HostFolder.Widget("A & <b> \"C\"", at: "archives/01.zip"),
    ]

    private static func page(_ widgets: [HostFolder.Widget]) throws -> String {
        let files = HostFolder.files(widgets, title: "Widgets", engine: [0, 1], digest: "0a0b", brotli: [2])
        #expect(files.map(\.path).contains("engine-0a0b.wasm.br"))
        return String(decoding: try #require(files.last).bytes, as: UTF8.self)
    }

    @Test func `Its page has no script and no style within, and relative addresses alone`() throws {
        let page = try Self.page(Self.widgets)
        for found in page.matches(of: /(?:src|href)="([^"]*)"/) {
            #expect(!found.1.hasPrefix("/") && !found.1.contains(":"), "\(found.1)")
        }
        #expect(!page.contains("<style") && !page.contains("style=") && !page.contains(" on"))
        for found in page.matches(of: /<script([^>]*)>([^<]*)</) {
            #expect(found.1.contains("src=") && found.2.isEmpty)
        }
        #expect(page.contains("<h2>A &amp; &lt;b> &quot;C&quot;</h2>"))
    }

    @Test func `One widget has the page for itself`() throws {
        let page = try Self.page([Self.widgets[0]])
        #expect(page.contains("<widget-view src=\"archives/00.zip\" history>") && !page.contains("<section>"))
    }

    @Test func `Files of an earlier export are known, and no others`() {
        let (short, long) = (String(repeating: "0a", count: 16), String(repeating: "0a", count: 32))
        for path in ["engine-\(short).wasm", "engine-\(short).wasm.br", "host-\(short).css.gz", "archives/\(long).zip"]
        {
            #expect(HostFolder.isReplaced(path), "\(path)")
        }
        for path in ["engine.wasm", "engine-0a.wasm", "host-1.css", "index.html", "archives/2024.zip", "archives/.zip"]
        {
            #expect(!HostFolder.isReplaced(path), "\(path)")
        }
        #expect(HostFolder.isWritten(script: ElementScript.bytes(engine: "engine-\(short).wasm")))
        #expect(!HostFolder.isWritten(script: ElementScript.bytes()))
    }
}
