import Foundation
import Testing
import WidgetMarkup
import WidgetTestSupport

@testable import RegistryManual

/// Goal: the documents read as pages as they do in a repository, and no text of them becomes markup. Method: small texts, and
/// every document that the program has with it.
@Suite struct `Documents as pages` {
    private func html(_ text: String) -> String {
        var printer = MarkdownPrinter(text, folder: "/docs")
        var html = HTMLWriter()
        printer.print(to: &html)
        return String(decoding: html.finish(), as: UTF8.self)
    }

    @Test(arguments: [
        ("# A `b` c", "<h1 id=\"a-b-c\">A <code>b</code> c</h1>"),
        ("## Same\n## Same", "<h2 id=\"same\">Same</h2><h2 id=\"same-1\">Same</h2>"),
        ("### 3.9 What, then?", "<h3 id=\"39-what-then\">3.9 What, then?</h3>"),
        ("one\ntwo\n\nthree", "<p>one two</p><p>three</p>"),
        ("* a\n  b\n* c\n  * d\n* e", "<ul><li>a b</li><li>c<ul><li>d</li></ul></li><li>e</li></ul>"),
        ("1. a\n2. b\n\nc", "<ol><li>a</li><li>b</li></ol><p>c</p>"),
        ("```sh\na <b>\n\n# c\n```\nd", "<pre><code>a &lt;b&gt;\n\n# c\n</code></pre><p>d</p>"),
        (
            "```json Tea/<b>.json\n[]\n```\n```json args\n{}\n```",
            "<p class=\"file\"><code>Tea/&lt;b&gt;.json</code></p><pre><code>[]\n</code></pre><pre><code>{}\n</code></pre>"
        ),
        (
            "* a\n  ```diff b c\n  +d\n  ```\n  ```sh ./e\n  ```",
            "<ul><li>a</li></ul><pre><code>+d\n</code></pre><p class=\"file\"><code>./e</code></p><pre><code></code></pre>"
        ),
        ("**a `b`** *c* 2 * 3", "<p><strong>a <code>b</code></strong> <span class=\"stress\">c</span> 2 * 3</p>"),
        ("``a ` b`` \\* \\[x\\](y)", "<p><code>a ` b</code> * [x](y)</p>"),
        ("[a `b`](http.md#1-c) [d](#e)", "<p><a href=\"/docs/http#1-c\">a <code>b</code></a> <a href=\"#e\">d</a></p>"),
        ("[s](../config/README.md)", "<p><a href=\"/docs/configuration\">s</a></p>"),
        ("[a](../Sources/x.swift) [b](benchmarks.md)", "<p>a b</p>"),
        ("[a](javascript:alert(1)", "<p>a</p>"),
        ("a\n\n<!-- For writers. -->\n\nb", "<p>a</p><p>b</p>"), ("<!-- open", "<p>&lt;!-- open</p>"),
        ("<script>alert(1)</script> & \"x\"", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;</p>"),
        ("`open", "<p>`open</p>"), ("[open", "<p>[open</p>"), ("**open", "<p>**open</p>"),
        ("```\nopen", "<pre><code>open\n</code></pre>"),
    ])
    func `Markdown is printed as markup`(text: String, expected: String) {
        #expect(html(text) == expected)
    }

    @Test func `A table has a head, and bars in code separate no cells`() {
        let page = html("| a | b |\n|---|:--|\n| `x|y` | 1 \\| 2 |\n")
        #expect(page.contains("<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>"))
        #expect(page.contains("<tbody><tr><td><code>x|y</code></td><td>1 | 2</td></tr></tbody>"))
        #expect(html("| a | |\n|---|---|\n| 1 | 2 |").contains("<tr><th scope=\"col\">a</th><td></td></tr>"))
        #expect(!html("| | |\n|---|---|\n| 1 | 2 |").contains("thead"))
    }

    @Test func `Marks within marks cost no more than their length`() {
        let text = String(repeating: "[**`*", count: 2_000) + String(repeating: "* ", count: 500)
        #expect(html(text).utf8.count < text.utf8.count * 40)
        let list = (0..<100).map { String(repeating: " ", count: $0 * 2) + "* x" }.joined(separator: "\n")
        #expect(html(list).matches(of: /<ul>/).count == 4)
    }

    @Test func `Every document has a title, and each link to a heading of another one finds it`() throws {
        var anchors: [String: Set<String>] = [:]
        var pages: [String: String] = [:]
        for document in Manual.documents {
            #expect(!MarkdownPrinter.title(of: document.text).isEmpty, "\(document.name)")
            let page = html(document.text)
            pages[document.name] = page
            anchors[document.name] = Set(page.matches(of: /id="([^"]*)"/).map { String($0.1) })
        }
        #expect(pages.count == Manual.documents.count)
        for (name, page) in pages {
            for link in page.matches(of: /href="(?:\/docs\/([^"#]*))?#([^"]*)"/) {
                let target = link.1.map(String.init) ?? name
                #expect(anchors[target]?.contains(String(link.2)) == true, "\(name) links to \(target)#\(link.2)")
            }
        }
    }

    @Test func `Each listing of a file has its name above it`() throws {
        var count = 0
        for document in Manual.documents {
            let page = html(document.text)
            for match in document.text.matches(of: /(?m)^ *```[a-z]+ ([^ \n]*[.\/][^ \n]*)$/) {
                count += 1
                #expect(page.contains("<p class=\"file\"><code>\(match.1)</code></p><pre>"), "\(document.name)")
            }
        }
        #expect(count > 20)
    }

    @Test func `The documents are as they are in the repository`() throws {
        let (runtime, client) = ("WidgetRuntime/WidgetRuntime.docc", "WidgetRegistryClient/WidgetRegistryClient.docc")
        let articles = [
            "granting-network": "\(runtime)/GrantingNetwork",
            "host-your-first-widget": "\(runtime)/HostYourFirstWidget",
            "testing-by-a-script": "\(runtime)/TestingByAScript", "offline-first": "\(client)/OfflineFirst",
            "updates-and-rollbacks": "\(client)/UpdatesAndRollbacks",
            "pages-of-your-own": "WidgetPages/WidgetPages.docc/WidgetPages",
        ].mapValues { "Sources/Host/\($0).md" }
        let elsewhere = articles.merging(["configuration": "config/README.md"]) { one, _ in one }
        for document in Manual.documents {
            let path = elsewhere[document.name] ?? "docs/\(document.name).md"
            let text = try String(contentsOfFile: "\(Corpus.repositoryRoot)/\(path)", encoding: .utf8)
            // Builds read what they embed when the package has changed.
            #expect(text == document.text, "\(path) is newer than the build: `touch Package.swift`, and build again")
        }
    }
}
