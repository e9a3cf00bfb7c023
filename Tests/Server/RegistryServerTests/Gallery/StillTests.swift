import RegistryContract
import Testing
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: a page shows the still that fits its reader best, made by whichever program, and the operator's words for stills mean
/// what they say. Method: facts as reviews of this and of earlier programs write them, and parts of a served registry.
@Suite struct `Stills that are stored` {
    private static let page = "/w/com.example.Sample"

    private static func set(
        _ parts: [String?], size: DeviceChoice.Size = .phone, direction: DeviceChoice.Direction = .leftToRight,
        locale: String? = nil, scheme: DeviceChoice.Scheme? = nil
    ) -> ReleaseFacts.StillSet {
        var set = ReleaseFacts.StillSet()
        (set.size, set.direction, set.locale, set.scheme, set.parts) = (size, direction, locale, scheme, parts)
        set.isUsualDirection = direction == .leftToRight
        return set
    }

    private static func facts(_ stills: [ReleaseFacts.StillSet]) -> ReleaseFacts {
        var facts = ReleaseFacts()
        facts.screens = [
            .init(name: "Feed", title: "Feed", still: "screen-1.html"), .init(name: "Post", title: "Post"),
        ]
        facts.stills = stills
        return facts
    }

    private static func choice(_ change: (inout DeviceChoice) -> Void = { _ in }) -> DeviceChoice {
        var choice = DeviceChoice()
        change(&choice)
        return choice
    }

    private static func still(
        of screen: String? = nil, _ facts: ReleaseFacts, _ change: (inout DeviceChoice) -> Void = { _ in }
    ) -> StillChoice? {
        let names = ["screen-1.html", "a.html", "b.html", "c.html", "d.html", "e.html"]
        return StillChoice(of: screen, for: choice(change), in: facts, Set(names))
    }

    @Test func `A plan is the same after its way as text, and no other text is a plan`() {
        var plan = StillPlan()
        #expect(StillPlan(plan.text) == plan && plan.text == "phone light,dark ltr own 786432")
        (plan.sizes, plan.schemes) = ([.tablet, .phone], [.dark])
        (plan.directions, plan.locales, plan.byteCount) = ([.rightToLeft, .leftToRight], ["de_AT", "own"], 1 << 20)
        #expect(StillPlan(plan.text) == plan && plan.mark != StillPlan().mark)
        for text in [
            "", "phone", "phone light ltr own", "phone light ltr own 786432 x", "watch light ltr own 786432",
            "phone light,light ltr own 786432", " light ltr own 786432", "phone light ltr  786432",
            "phone light ltr o\u{E9} 786432", "phone light ltr own 1", "phone light ltr own 99999999999",
            "phone light ltr \((0..<17).map { "l\($0)" }.joined(separator: ",")) 786432",
        ] {
            #expect(StillPlan(text) == nil, "\(text)")
        }
    }

    @Test func `All sizes of the first direction and language are wanted before those of the next`() {
        var plan = StillPlan()
        (plan.sizes, plan.directions, plan.locales) = (
            [.tablet, .phone], [.rightToLeft, .leftToRight], ["own", "de"]
        )
        let order = plan.combinations.map { "\($0.size.rawValue) \($0.direction.rawValue) \($0.locale ?? "")" }
        #expect(
            order == [
                "tablet rtl ", "phone rtl ", "tablet ltr ", "phone ltr ", "tablet rtl de", "phone rtl de",
                "tablet ltr de", "phone ltr de",
            ])
        #expect(plan.onlyScheme == nil)
        plan.schemes = [.dark]
        #expect(plan.onlyScheme == .dark)
    }

    @Test func `Facts of earlier programs have the stills that they name`() throws {
        let text = #"""
            {"screens":[{"name":"Feed","title":"Feed","still":"screen-1.html","ways":[]},{"name":"Post","title":"Post",
            "ways":[]}],"hosts":[],"needs":[],"records":[],"picksMedia":false}
            """#
        let part = ReleasePart(name: ReleaseFacts.partName, mediaType: "application/json", content: Array(text.utf8))
        let facts = try #require(ReleaseFacts(part))
        #expect(Self.still(facts)?.part == "screen-1.html" && Self.still(facts)?.isExact == true)
        #expect(Self.still(of: "Feed", facts)?.size == .phone)
        #expect(Self.still(of: "Post", facts) == nil && Self.still(of: "Other", facts) == nil)
        // They are on a phone, from left to right, in the bundle's language; either scheme can be had.
        #expect(Self.still(facts) { $0.size = .tablet }?.isExact == false)
        #expect(Self.still(facts) { $0.direction = .rightToLeft }?.isExact == false)
        #expect(Self.still(facts) { $0.locale = "de" }?.isExact == false)
        #expect(Self.still(facts) { $0.textSize = .large }?.isExact == false)
        #expect(Self.still(facts) { $0.scheme = .dark }?.part == "screen-1.dark.html")
        #expect(Self.still(facts) { $0.scheme = .dark }?.isExact == true)
    }

    @Test func `Facts are the same after their way as a part, and older programs find the stills wanted most`() throws {
        var facts = Self.facts([
            Self.set(["screen-1.html", nil]),
            Self.set(["a.html", "b.html"], size: .tablet, direction: .rightToLeft, locale: "ar", scheme: .dark),
        ])
        facts.stills[1].isUsualDirection = true
        #expect(ReleaseFacts(facts.part) == facts)
        let text = String(decoding: facts.part.content, as: UTF8.self)
        #expect(text.contains(#""title":"Feed","still":"screen-1.html""#))
        // Words of a later program are no still here, and harm no other.
        let later = text.replacing("\"tablet\"", with: "\"wall\"")
        let part = ReleasePart(name: "facts.json", mediaType: "application/json", content: Array(later.utf8))
        let read = try #require(ReleaseFacts(part))
        #expect(read.stills.count == 2 && read.stills[0] == facts.stills[0] && read.stills[1].parts.isEmpty)
        #expect(Self.still(read) { $0.size = .tablet }?.part == "screen-1.html")
    }

    @Test func `The size comes first, then the direction, the language and the scheme`() {
        let facts = Self.facts([
            Self.set(["screen-1.html", nil]), Self.set(["a.html", "b.html"], size: .tablet),
            Self.set(["c.html"], direction: .rightToLeft), Self.set(["d.html"], locale: "de"),
            Self.set(["e.html"], locale: "fr", scheme: .dark), Self.set(["gone.html"], size: .large),
        ])
        #expect(Self.still(facts)?.part == "screen-1.html" && Self.still(facts)?.isExact == true)
        #expect(Self.still(facts) { ($0.size, $0.direction) = (.tablet, .rightToLeft) }?.part == "a.html")
        #expect(Self.still(facts) { ($0.direction, $0.locale) = (.rightToLeft, "de") }?.part == "c.html")
        let german = Self.still(facts) { $0.locale = "de" }
        #expect(german?.part == "d.html" && german?.isExact == true)
        // Of the same language, and of the size of another.
        #expect(Self.still(facts) { $0.locale = "de_AT" }?.part == "d.html")
        #expect(Self.still(facts) { $0.locale = "de_AT" }?.isExact == false)
        #expect(Self.still(facts) { $0.locale = "it" }?.part == "screen-1.html")
        let french = Self.still(facts) { ($0.locale, $0.scheme) = ("fr", .light) }
        #expect(french?.part == "e.html" && french?.isExact == false)
        #expect(Self.still(facts) { ($0.locale, $0.scheme) = ("fr", .dark) }?.isExact == true)
        // A part that is not stored cannot be chosen.
        #expect(Self.still(facts) { $0.size = .large }?.part == "screen-1.html")
        // The second screen is on the tablet alone.
        #expect(Self.still(of: "Post", facts)?.part == "b.html" && Self.still(of: "Post", facts)?.isExact == false)
        #expect(Self.still(of: "Post", facts)?.size == .tablet)
    }

    @Test func `A still in a scheme that its reader forces is made of the one that follows the system`() throws {
        let served = try ServedRegistry()
        let staged = try served.registry.stage()
        let taken = try TestBundle().take(into: staged.file)
        let html = #"""
            <html><head><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="still.css"></head><body>\#
            <picture><source srcset="d.png" media="(prefers-color-scheme:dark)"><img src="l.png"></picture>\#
            media="(prefers-color-scheme:dark)" content="light dark"</body></html>
            """#
        let css = ".g{x:y}@media (prefers-color-scheme:dark){.g{x:z}}\n"
        let parts = [
            Self.facts([Self.set(["screen-1.html"])]).part,
            ReleasePart(name: "screen-1.html", mediaType: "text/html; charset=utf-8", content: Array(html.utf8)),
            ReleasePart(name: "still.css", mediaType: "text/css; charset=utf-8", content: Array(css.utf8)),
            ReleasePart(name: "a.png", mediaType: "image/png", content: [1]),
        ]
        _ = try served.registry.publish(taken, archive: staged, PublishRequest(by: "tester"), parts: parts)
        func get(_ name: String) throws -> WireAnswer { try served.get("\(Self.page)/1.0~1/still/\(name)") }
        let dark = try get("screen-1.dark.html")
        #expect(dark.status == 200 && dark.value("Content-Type")?.hasPrefix("text/html") == true)
        #expect(dark.value("Content-Security-Policy")?.contains("default-src 'none'") == true)
        #expect(
            dark.text.contains(
                #"<meta name="color-scheme" content="dark"><link rel="stylesheet" href="still.dark.css">"#))
        #expect(dark.text.contains(#"<source srcset="d.png" media="all">"#))
        // Texts are not attributes.
        #expect(dark.text.contains(#"</picture>media="(prefers-color-scheme:dark)" content="light dark"</body>"#))
        #expect(try get("screen-1.light.html").text.contains(#"<source srcset="d.png" media="not all">"#))
        let sheet = try get("still.light.css").text
        #expect(sheet == ".g{x:y}@media not all{.g{x:z}}\n:root{color-scheme:light}\n")
        #expect(try get("still.dark.css").text.contains("@media all{"))
        #expect(try get("screen-1.html").text == html)
        for name in [
            "screen-2.dark.html", "screen-1.sepia.html", "a.dark.png", "a.dark.css", ".dark.html", "dark.html",
        ] {
            #expect(try get(name).status == 404, "\(name)")
        }
    }

    @Test func `Pages say why a release has no still, and show it once it has one`() throws {
        let served = try ServedRegistry()
        let staged = try served.registry.stage()
        let files = [("Main.widgets.json", Array("{}".utf8))]
        let taken = try TestBundle(files: files).take(into: staged.file)
        _ = try served.registry.publish(taken, archive: staged, PublishRequest(by: "tester"))
        for path in [Self.page, "\(Self.page)/1.0~1"] {
            #expect(
                try served.get(path).text.contains("`widgetd stills` makes them, or says why it cannot."), "\(path)")
        }
        #expect(try !served.get("/").text.contains("screen-1.html"))
        let page = ReleasePart(name: "screen-1.html", mediaType: "text/html; charset=utf-8", content: [0x78])
        let facts = Self.facts([Self.set(["screen-1.html"])]).part
        #expect(try served.registry.replaceParts(of: "com.example.Sample", "1.0~1", with: [facts, page]))
        for path in ["/", Self.page, "\(Self.page)/1.0~1"] {
            #expect(
                try served.get(path, `The catalogue`.browser).text.contains("/1.0~1/still/screen-1.html"), "\(path)")
        }
        // And when another process has given it others.
        #expect(try served.get("\(Self.page)/1.0~1/still/screen-1.html").text == "x")
        served.registry.tellParts(of: nil)
        #expect(try served.get("\(Self.page)/1.0~1/still/screen-1.html").text == "x")
    }
}
