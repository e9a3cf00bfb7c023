import Files
import Registry
import RegistryContract
import TestSupport
import Testing
import WidgetBundles

@testable import RegistryServer

/// Goal: readers see a widget on any device without a script, and learn why one does not run. Method: pages of a served
/// registry whose releases run at an address, or do not.
@Suite struct `The widget of a bundle's page` {
    private struct TestPreviews: Previews {
        func preview(of bundle: String, _ release: Release) -> Preview {
            .ready(address: "/w/\(bundle)/\(release.key)/try")
        }
    }

    private static let page = "/w/com.example.Sample"

    private static func served(_ facts: ReleaseFacts?, _ files: [(String, String)] = []) throws -> ServedRegistry {
        let served = try ServedRegistry(previews: TestPreviews())
        let staged = try served.registry.stage()
        let taken = try TestBundle(files: files.map { ($0.0, Array($0.1.utf8)) }).take(into: staged.file)
        _ = try served.registry.publish(
            taken, archive: staged, PublishRequest(by: "tester"), parts: facts.map { [$0.part] } ?? [])
        return served
    }

    private static var facts: ReleaseFacts {
        var facts = ReleaseFacts()
        facts.screens = [.init(name: "Feed", title: "Feed")]
        return facts
    }

    /// The links that are marked as the present choice.
    private static func current(_ text: String) -> [String] {
        text.matches(of: /aria-current="true">([^<]*)</).map { String($0.1) }.filter { $0 != "Bundles" }
    }

    @Test func `Links choose size, colours, direction, text and language, and mark the present choice`() throws {
        let served = try Self.served(
            Self.facts,
            [("de.lproj/Texts.strings", ""), ("Base.lproj/Texts.strings", ""), ("ar.lproj/x/Y.strings", "")])
        let usual = try served.get(Self.page, `The catalogue`.browser).text
        #expect(usual.contains("src=\"\(Self.page)/1.0~1/try?frame=1\""))
        #expect(Self.current(usual) == ["Phone", "System", "Usual", "Usual", "Usual"])
        #expect(usual.contains(">ar</a>") && usual.contains(">de</a>") && !usual.contains(">Base</a>"))
        #expect(usual.contains("href=\"\(Self.page)?scheme=dark#live\""))
        #expect(usual.contains("<dt>Languages</dt><dd>ar, de</dd>"))
        #expect(try served.get("\(Self.page)/1.0~1").text.contains("href=\"\(Self.page)/1.0~1/try?inspect\""))

        let path = "\(Self.page)?size=small&scheme=dark&dir=rtl&text=AX3&locale=de"
        let chosen = try served.get(path, `The catalogue`.browser).text
        #expect(
            chosen.contains(
                "/1.0~1/try?width=320&amp;height=568&amp;scheme=dark&amp;dir=rtl&amp;text=AX3&amp;locale=de&amp;frame=1\""
            ))
        #expect(chosen.contains("class=\"device small\""))
        #expect(Self.current(chosen) == ["Small phone", "Dark", "Right to left", "Largest", "de"])
        // A link changes one choice and keeps the others.
        #expect(
            chosen.contains(
                "href=\"\(Self.page)?size=tablet&amp;scheme=dark&amp;dir=rtl&amp;text=AX3&amp;locale=de#live"))
        for address in chosen.matches(of: /href="([^"#]*)#live"/).map({ String($0.1) }) {
            #expect(try served.get(address.replacing("&amp;", with: "&")).status == 200, "\(address)")
        }
    }

    @Test func `A choice that no page has is refused, and a language that the bundle lacks is shown as chosen`() throws
    {
        let served = try Self.served(Self.facts)
        for query in ["size=watch", "scheme=sepia", "dir=up", "text=7", "locale=%22%3E", "sheme=dark"] {
            #expect(try served.get("\(Self.page)?\(query)").status == 400, "\(query)")
        }
        let text = try served.get("\(Self.page)?locale=pt_BR").text
        #expect(Self.current(text).last == "pt_BR" && text.contains("try?locale=pt_BR"))
        #expect(try !served.get(Self.page).text.contains("Language"))
    }

    @Test func `A release that was not looked at is tried, and one without a screen is not`() throws {
        #expect(try Self.served(nil).get(Self.page).text.contains("<iframe") == false)
        let documents = [("Main.widgets.json", "[]")]
        #expect(try Self.served(nil, documents).get(Self.page).text.contains("/1.0~1/try?frame=1\""))
        let empty = try Self.served(ReleaseFacts(), documents).get(Self.page).text
        #expect(!empty.contains("<iframe") && !empty.contains("Show the widget otherwise"))
    }

    @Test func `A release that does not run says why, with file, line and column, on its pages`() throws {
        var facts = ReleaseFacts()
        facts.obstacles = [
            Finding(
                code: "bad-file", severity: .warning, path: "Main.widgets.json", line: 3, column: 17,
                detail: "the widget does not run: <b>schema</b> is 2")
        ]
        #expect(ReleaseFacts(facts.part) == facts)
        let served = try Self.served(facts, [("Main.widgets.json", "[]")])
        for path in [Self.page, "\(Self.page)/1.0~1"] {
            let text = try served.get(path, `The catalogue`.browser).text
            #expect(text.contains("This release does not run."), "\(path)")
            #expect(text.contains("<code>Main.widgets.json:3:17</code>"), "\(path)")
            #expect(text.contains("&lt;b&gt;schema&lt;/b&gt; is 2") && !text.contains("<iframe"), "\(path)")
        }
    }
}
