import Testing
import WidgetDeflate
import WidgetRender

@testable import WidgetLive

/// Goal: the script stays small, and within the policy of the pages. `Tests/Browser` runs it.
@Suite("The script of live pages") struct LiveScriptTests {
    private static let text = String(decoding: LiveScript.source, as: UTF8.self)

    /// 300 bytes for readers of other languages, whose three sentences are those of the page. 2,000 for readers who go back:
    /// the browser's *Back* leaves a screen, and not the widget. And so that the end of a chat stays in sight, while what a
    /// reader looks at further up stays where it is. 400 for readers who refresh a list with a finger. 300 for elements that run
    /// in the browser.
    @Test func `It is at most 17,200 bytes long, and 5,900 compressed`() throws {
        #expect(LiveScript.source.count <= 17_200)
        let compressed = try #require(gzip(LiveScript.bytes, level: 9))
        #expect(compressed.count <= 5_900)
    }

    @Test func `It is sent without its comments and indentation`() {
        let source = Array("// One.\nlet it = {\n\t// Two.\n\t\turl: \"//\", // three\n\n}\n".utf8)
        #expect(String(decoding: LiveScript.sent(source), as: UTF8.self) == "let it = {\nurl: \"//\", // three\n}")
        #expect(LiveScript.bytes.count < LiveScript.source.count)
    }

    @Test func `Its name is that of its content`() {
        #expect(LiveScript.fileName == "live-\(PageFiles.digest(of: LiveScript.bytes)).js")
        #expect(LiveScript.fileName.utf8.count == 40)
    }

    @Test func `It knows the letter of each operation`() throws {
        let start = try #require(Self.text.firstRange(of: "const ops = {\n")?.upperBound)
        let end = try #require(Self.text[start...].firstRange(of: "\n}\n")?.lowerBound)
        let lines = Self.text[start..<end].split(separator: "\n").filter { $0.hasPrefix("\t") && !$0.hasPrefix("\t\t") }
        let letters = lines.compactMap { line -> String? in
            let name = line.dropFirst()
            guard let first = name.first, let next = name.dropFirst().first, next == "(" || next == ":" else {
                return nil
            }
            return String(first)
        }
        #expect(letters.sorted() == LiveScript.letters.sorted())
    }

    @Test func `It makes no code of text, and markup only by the policy`() {
        for word in [
            "eval", "Function(", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setTimeout(\"",
            ".style.",
        ] {
            #expect(!Self.text.contains(word), "\(word) is in the script")
        }
        #expect(Self.text.ranges(of: "createContextualFragment").count == 1)
        #expect(Self.text.contains("createContextualFragment(page.createHTML(html))"))
        #expect(Self.text.contains("trustedTypes.createPolicy(\"page\""))
    }
}
