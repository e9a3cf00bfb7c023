import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetFindings
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// A registry with one release, whose pages run it or do not.
enum RunningPage {
    static let bundle = "/w/com.example.Sample"
    static let release = "\(bundle)/1.0~1"
    static let alone = "\(release)/try"
    static let off = PageRunning.off("The engine is missing here.")

    /// - Parameter stills: the names of the parts that show screens.
    static func served(
        _ facts: ReleaseFacts?, _ files: [(String, String)] = [], stills: [String] = [],
        running: @escaping @Sendable () -> PageRunning = { .on }
    ) throws -> ServedRegistry {
        let served = try ServedRegistry(running: running)
        let staged = try served.registry.stage()
        let taken = try TestBundle(files: files.map { ($0.0, Array($0.1.utf8)) }).take(into: staged.file)
        let parts = stills.map { name in
            ReleasePart(
                name: name, mediaType: "text/html; charset=utf-8", content: Array("<html><body>x</body></html>".utf8))
        }
        _ = try served.registry.publish(
            taken, archive: staged, PublishRequest(by: "tester"), parts: (facts.map { [$0.part] } ?? []) + parts)
        return served
    }

    static var facts: ReleaseFacts {
        var facts = ReleaseFacts()
        facts.screens = [
            .init(name: "Feed", title: "The feed", still: "screen-1.html", ways: ["Note"]),
            .init(name: "Note", title: "A <note>", still: "screen-2.html", ways: ["Feed"]),
            .init(name: "Far", title: "Far"),
        ]
        return facts
    }

    static let stills = ["screen-1.html", "screen-2.html"]
}

/// Goal: readers see a widget on any device, and learn why one does not run. Method: pages of a served registry whose releases
/// run in browsers, or do not.
@Suite struct `The widget of a bundle's page` {
    /// The links that are marked as the present choice.
    private static func current(_ text: String) -> [String] {
        text.matches(of: /aria-current="true">([^<]*)</).map { String($0.1) }.filter { $0 != "Bundles" }
    }

    @Test func `Links choose size, colours, direction, text and language, and mark the present choice`() throws {
        let served = try RunningPage.served(
            RunningPage.facts,
            [("de.lproj/Texts.strings", ""), ("Base.lproj/Texts.strings", ""), ("ar.lproj/x/Y.strings", "")])
        let page = RunningPage.bundle
        let usual = try served.get(page, `The catalogue`.browser).text
        #expect(Self.current(usual) == ["Phone", "System", "Usual", "Usual", "Usual"])
        #expect(usual.contains(">ar</a>") && usual.contains(">de</a>") && !usual.contains(">Base</a>"))
        #expect(usual.contains("href=\"\(page)?scheme=dark#live\""))
        #expect(usual.contains("<dt>Languages</dt><dd>ar, de</dd>"))
        // The script takes the choice from the list that an item is in, and the item itself.
        for (parameter, value) in [
            ("size", "tablet"), ("scheme", "dark"), ("dir", "rtl"), ("text", "AX3"), ("locale", "de"),
        ] {
            let list = usual.firstRange(of: "data-choice=\"\(parameter)\"").map { usual[$0.upperBound...] }
            let items = try #require(list?.split(separator: "</ul>").first)
            #expect(items.contains("data-value=\"\(value)\"") && items.contains("data-value=\"\""), "\(parameter)")
        }

        let path = "\(page)?size=small&scheme=dark&dir=rtl&text=AX3&locale=de"
        let chosen = try served.get(path, `The catalogue`.browser).text
        #expect(chosen.contains("class=\"device small\""))
        #expect(Self.current(chosen) == ["Small phone", "Dark", "Right to left", "Largest", "de"])
        // A link changes one choice and keeps the others.
        #expect(
            chosen.contains("href=\"\(page)?size=tablet&amp;scheme=dark&amp;dir=rtl&amp;text=AX3&amp;locale=de#live"))
        for address in chosen.matches(of: /href="([^"#]*)#live"/).map({ String($0.1) }) {
            #expect(try served.get(address.replacing("&amp;", with: "&")).status == 200, "\(address)")
        }
    }

    @Test func `A choice that no page has is refused, and a language that the bundle lacks is shown as chosen`() throws
    {
        let served = try RunningPage.served(RunningPage.facts)
        for query in ["size=watch", "scheme=sepia", "dir=up", "text=7", "locale=%22%3E", "sheme=dark"] {
            #expect(try served.get("\(RunningPage.bundle)?\(query)").status == 400, "\(query)")
        }
        let text = try served.get("\(RunningPage.bundle)?locale=pt_BR").text
        #expect(Self.current(text).last == "pt_BR" && text.contains("data-value=\"pt_BR\""))
        #expect(try !served.get(RunningPage.bundle).text.contains("Language"))
    }

    @Test func `A release that was not looked at can be run, and one without a screen cannot`() throws {
        let documents = [("Main.widgets.json", "[]")]
        #expect(try !RunningPage.served(nil).get(RunningPage.bundle).text.contains("data-source"))
        #expect(try RunningPage.served(nil, documents).get(RunningPage.bundle).text.contains("data-source"))
        let empty = try RunningPage.served(ReleaseFacts(), documents).get(RunningPage.bundle).text
        #expect(!empty.contains("data-source") && !empty.contains("Show the widget otherwise"))
    }

    @Test func `The page of a compiled file says how its outline is made, of a release that was not looked at`() throws
    {
        let archive =
            "<plist version=\"1.0\"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict/>"
            + "<key>$objects</key><array><string>$null</string></array></dict></plist>"
        let page = "\(RunningPage.release)/files/a.nib"
        #expect(
            try RunningPage.served(nil, [("a.nib", archive)]).get(page).text.contains("`widgetd stills` makes them"))
        let reviewed = try RunningPage.served(ReleaseFacts(), [("a.nib", archive)]).get(page).text
        #expect(reviewed.contains("A page cannot show this file.") && !reviewed.contains("widgetd stills"))
    }

    @Test func `A release that does not run says why, with file, line and column, on its pages`() throws {
        var facts = ReleaseFacts()
        facts.obstacles = [
            Finding(
                .error, .badFile, "the widget does not run: <b>schema</b> is 2",
                at: Place(file: "Main.widgets.json", line: 3, column: 17))
        ]
        #expect(ReleaseFacts(facts.part) == facts)
        let served = try RunningPage.served(facts, [("Main.widgets.json", "[]")])
        for path in [RunningPage.bundle, RunningPage.release, RunningPage.alone] {
            let answer = try served.get(path, `The catalogue`.browser)
            let text = answer.text
            #expect(answer.status == 200 && text.contains("This release does not run."), "\(path)")
            #expect(text.contains("<code>Main.widgets.json:3:17</code>"), "\(path)")
            #expect(text.contains("&lt;b&gt;schema&lt;/b&gt; is 2") && !text.contains("data-source"), "\(path)")
            #expect(!text.contains("<script") && !text.contains("<iframe"), "\(path)")
        }
    }
}

/// Goal: a page gives its widget a place to run in, and its browser no right beyond those. Method: the pages of a release with an
/// engine and without one, with facts as a process that was taken over would send them.
@Suite struct `A page that runs its widget` {
    private static let pages = [RunningPage.bundle, RunningPage.release, RunningPage.alone]

    private static func policy(_ answer: WireAnswer) -> [String] {
        (answer.value("Content-Security-Policy") ?? "").split(separator: "; ").map(String.init)
    }

    @Test(arguments: pages) func `It names the archive and the scripts, and shows a still until they have run`(
        path: String
    )
        throws
    {
        let served = try RunningPage.served(RunningPage.facts, stills: RunningPage.stills)
        let answer = try served.get(path, `The catalogue`.browser)
        let text = answer.text
        #expect(answer.status == 200 && text.contains("data-source=\"\(RunningPage.release)/bundle.zip\""))
        #expect(text.contains("<script type=\"module\" src=\"/widget-view.js\"></script>"))
        #expect(text.contains("src=\"\(GalleryAssets.shared.runningScript)\" defer></script>"))
        #expect(text.contains("\(RunningPage.release)/still/screen-1.html"))
        #expect(text.contains("A still. Run appears here once your browser has the script"))
        #expect(text.contains("href=\"\(RunningPage.alone)\""))
        let policy = Self.policy(answer)
        for part in [
            "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-src 'self'", "frame-ancestors 'none'",
            "form-action 'self'", "base-uri 'none'", "connect-src 'self'",
        ] {
            #expect(policy.contains(part), "\(part)")
        }
        let archive = try served.get("\(RunningPage.release)/bundle.zip")
        #expect(archive.status == 200 && archive.value("Content-Type") == "application/zip")
    }

    @Test(arguments: pages) func `Without an engine it says so, and has neither script nor buttons`(path: String) throws
    {
        let served = try RunningPage.served(
            RunningPage.facts, stills: RunningPage.stills, running: { RunningPage.off })
        let answer = try served.get(path, `The catalogue`.browser)
        #expect(answer.status == 200 && answer.text.contains("The engine is missing here."))
        #expect(answer.text.contains("\(RunningPage.release)/still/screen-1.html"))
        #expect(!answer.text.contains("data-source") && !answer.text.contains("<script"))
        #expect(!Self.policy(answer).contains { $0.contains("wasm") || $0.hasPrefix("connect-src") })
    }

    @Test func `An engine that comes while the server runs is on the next page`() throws {
        let hasEngine = Guarded(false)
        let served = try RunningPage.served(
            RunningPage.facts, running: { hasEngine.withLock { $0 } ? .on : RunningPage.off })
        for path in Self.pages { #expect(try !served.get(path, `The catalogue`.browser).text.contains("data-source")) }
        hasEngine.withLock { $0 = true }
        for path in Self.pages { #expect(try served.get(path, `The catalogue`.browser).text.contains("data-source")) }
    }

    @Test func `Servers of the facts are allowed and offered, and hostile ones are left out`() throws {
        var facts = RunningPage.facts
        let good = ["https://api.example.com", "http://127.0.0.1:8080", "https://[::1]:9"]
        facts.hosts =
            good + [
                "https://a.example; script-src *", "https://*", "https://a.example/path", "'unsafe-inline'", "data:",
                "*", "https:", "https://", "ftp://a.example", "https://a.example\r\nSet-Cookie: a=b",
                "https://b\u{E4}r.example", "https://a.example,https://b.example",
                "https://\(String(repeating: "a", count: 256))",
            ]
        let served = try RunningPage.served(facts)
        for path in Self.pages {
            let answer = try served.get(path, `The catalogue`.browser)
            #expect(Self.policy(answer).contains("connect-src 'self' \(good.joined(separator: " "))"), "\(path)")
            #expect(answer.value("Set-Cookie") == nil)
            #expect(answer.text.contains("data-servers=\"\(good.joined(separator: " "))\""), "\(path)")
            #expect(answer.text.contains("<code>https://api.example.com</code>"))
        }
        facts.hosts = (0..<100).map { "https://s\($0).example" }
        let many = try RunningPage.served(facts).get(RunningPage.alone)
        #expect(Self.policy(many).contains { $0.hasSuffix(" https://s19.example") })
        let none = try RunningPage.served(RunningPage.facts).get(RunningPage.alone).text
        #expect(
            !none.contains("name=\"answers\"") && many.text.contains("value=\"stubs\"")
                && many.text.contains("value=\"servers\""))
    }

    @Test func `The address of a widget alone chooses its device by name or by lengths, and its screen`() throws {
        let served = try RunningPage.served(RunningPage.facts, stills: RunningPage.stills)
        func page(_ query: String) throws -> WireAnswer { try served.get("\(RunningPage.alone)?\(query)") }
        #expect(try served.get(RunningPage.alone).text.contains("class=\"alone\""))
        for (query, device) in [
            ("size=phone", "phone"), ("size=tablet", "tablet"), ("width=320", "small"), ("height=896", "large"),
            ("width=667&height=375", "landscape"), ("width=375", "phone"),
            ("width=320&height=667", "small"),
        ] {
            let answer = try page(query)
            #expect(answer.status == 200 && answer.text.contains("class=\"alone \(device)\""), "\(query)")
        }
        for query in [
            "width=", "width=0", "width=321", "width=-320", "width=+320", "width=320.0", "width=0320", "width=9e9",
            "width=99999999999999999999", "height=", "height=1", "width=320&width=320",
            "screen=", "screen=\(String(repeating: "a", count: 201))", "open=",
            "open=\(String(repeating: "a", count: 2_001))",
            "inspect=\(String(repeating: "a", count: 21))", "dir=up",
        ] {
            #expect(try page(query).status == 400, "\(query)")
        }
        #expect(try page("inspect").status == 200)
        #expect(try page("open=acme%3A%2F%2Fnotes%2F4").status == 200)
    }

    @Test func `A screen of the address has its still and its ways, and one that is not there is not found`() throws {
        let served = try RunningPage.served(RunningPage.facts, stills: RunningPage.stills)
        let first = try served.get("\(RunningPage.alone)?dir=rtl").text
        #expect(first.contains("/still/screen-1.html") && first.contains("data-act=\"ways\""))
        #expect(first.contains("href=\"\(RunningPage.alone)?dir=rtl&amp;screen=Note\""))
        #expect(first.contains(">A &lt;note&gt;</a>") && !first.contains("screen=Far"))
        let note = try served.get("\(RunningPage.alone)?screen=Note&open=acme%3A%2F%2Fnotes%2F4").text
        #expect(note.contains("/still/screen-2.html") && !note.contains("/still/screen-1.html"))
        // A way chooses another screen, so that it has no link of this one.
        #expect(note.contains("href=\"\(RunningPage.alone)?screen=Feed\""))
        // From one that leads nowhere, there is a way to the first.
        let far = try served.get("\(RunningPage.alone)?screen=Far").text
        #expect(!far.contains("/still/") && far.contains("?screen=Feed\""))
        for screen in ["Nowhere", "feed", "%3Cb%3E", "Feed%00", "Feed%20"] {
            let answer = try served.get("\(RunningPage.alone)?screen=\(screen)", `The catalogue`.browser)
            #expect([400, 404].contains(answer.status) && !answer.text.contains("<b>"), "\(screen)")
        }
        #expect(try served.get("\(RunningPage.alone)?screen=Nowhere").status == 404)
        // Nothing is known of the screens of a release that was not looked at.
        let unseen = try RunningPage.served(nil, [("Main.widgets.json", "[]")])
        #expect(try unseen.get("\(RunningPage.alone)?screen=Nowhere").status == 200)
    }

    @Test func `A release that is not there has neither page nor archive, and a withdrawn one is gone`() throws {
        let served = try RunningPage.served(RunningPage.facts)
        for place in ["/w/com.example.Sample/9~9", "/w/com.example.None/1.0~1"] {
            for part in ["try", "bundle.zip"] { #expect(try served.get("\(place)/\(part)").status == 404, "\(part)") }
        }
        _ = try served.registry.withdraw(TestBundle.identifier, "1.0~1", reason: "bad", by: "tester")
        for part in ["try", "bundle.zip"] {
            #expect(try served.get("\(RunningPage.release)/\(part)").status == 410, "\(part)")
        }
    }
}
