import Foundation
import RegistryContract
import Testing
import WidgetBundles
import WidgetCells
import WidgetFiles
import WidgetIntake
import WidgetRegistry
import WidgetRunning

@testable import RegistryServer
@testable import ServerCommands

/// Goal: a release has the stills that its operator wants, within their bytes, each with what its screen asked on load.
/// Method: the reviewer of a cell, called here for folders of documents.
@Suite struct `Stills of a review` {
    private static let moment: Int64 = 1_780_000_000

    private static func archive(of files: [String: String]) throws -> FileDescriptor {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = "\(scratch.path)/Specimen"
        for (path, text) in files.merging(["Info.plist": manifest], uniquingKeysWith: { $1 }) {
            let url = URL(fileURLWithPath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let archive = try FileDescriptor.unnamed(inDirectory: scratch.path)
        _ = try BundleSource(compiling: folder).take(by: BundleIntake(), into: archive)
        return archive
    }

    /// The parts of a bundle's review, as a server keeps them.
    private static func parts(
        of files: [String: String], _ change: (inout StillPlan) -> Void = { _ in }
    ) throws -> [ReleasePart] {
        let archive = try archive(of: files)
        var plan = StillPlan()
        change(&plan)
        var pieces: [ReviewPiece] = []
        let question = ReviewQuestion(moment: moment, lacksInterface: false, plan: plan)
        ProgramReview().review(try archive.duplicate(), question.text) { pieces.append($0) }
        return ReviewFindings(pieces, end: nil, within: plan).parts
    }

    private static let manifest = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Specimen</string>
        <key>CFBundleName</key><string>Specimen</string><key>CFBundleShortVersionString</key><string>1.0</string>
        <key>CFBundleVersion</key><string>1</string><key>CFBundlePackageType</key><string>BNDL</string></dict></plist>
        """

    private static func text(_ name: String, in parts: [ReleasePart]) -> String {
        String(decoding: parts.first { $0.name == name }?.content ?? [], as: UTF8.self)
    }

    private static func facts(_ parts: [ReleasePart]) throws -> ReleaseFacts {
        try #require(parts.first { $0.name == ReleaseFacts.partName }.flatMap { ReleaseFacts($0) })
    }

    // MARK: - Answers

    /// A list that asks one service on load, and the next one when that has answered, and so on.
    private static func chain(_ service: String) -> [String: String] {
        let actions = (0..<12).map { number in
            let next = number < 11 ? #", "nextAction": "a\#(number + 1)""# : ""
            return #""a\#(number)": { "path": "x", "response": [{ "text": "answer \#(number)" }]\#(next) }"#
        }
        return [
            "services/\(service).json":
                #"{ "defaults": { "baseUrl": "https://api.example.com" }, "actions": { \#(actions.joined(separator: ",")) } }"#,
            "Main.widgets.json": #"""
            { "schema": 1, "sources": { "first": { "action": "a0" }, "last": { "action": "a11" } }, "root": [
              { "kind": "label", "payload": { "text": "$last.status.error" }, "if": "$last.status.failure" },
              { "kind": "label", "payload": { "text": "waiting" }, "if": "$last.status.inProgress" },
              { "kind": "table", "items": { "in": "$last", "as": "item" },
                "children": [ { "kind": "cell", "payload": { "title": "$item.text" } } ] } ] }
            """#,
        ]
    }

    @Test func `A still has what its screen asked a stub of its bundle, however long that takes`() throws {
        let page = Self.text("screen-1.html", in: try Self.parts(of: Self.chain("StubFeed")))
        #expect(page.contains("answer 11") && !page.contains("waiting"))
        // After its own delay, on the widget's clock: no time passes here.
        var slow = Self.chain("StubFeed")
        slow["services/StubFeed.json"] = slow["services/StubFeed.json"]?.replacing(
            #""defaults""#, with: #""options": { "debugDelay": 4 }, "defaults""#)
        let begun = ContinuousClock.now
        #expect(Self.text("screen-1.html", in: try Self.parts(of: slow)).contains("answer 11"))
        #expect(ContinuousClock.now - begun < .seconds(4))
    }

    @Test func `A request to a server is refused, as on a page without a network`() throws {
        let page = Self.text("screen-1.html", in: try Self.parts(of: Self.chain("Feed")))
        #expect(page.contains("The host has not granted this widget any network") && !page.contains("answer"))
        #expect(!page.contains("waiting"))
    }

    // MARK: - Combinations

    private static let hello = [
        "Main.widgets.json": #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": "Hello"}}]}"#
    ]

    @Test func `Each device and reader that is wanted has a still, and those alike share one`() throws {
        let parts = try Self.parts(of: Self.hello) {
            ($0.sizes, $0.directions, $0.locales) = ([.phone, .tablet], [.leftToRight, .rightToLeft], ["own", "ar"])
        }
        let facts = try Self.facts(parts)
        #expect(facts.stills.map(\.size) == [.phone, .tablet, .phone, .tablet, .phone, .tablet, .phone, .tablet])
        #expect(facts.stills.map(\.locale) == [nil, nil, nil, nil, "ar", "ar", "ar", "ar"])
        #expect(facts.stills.map { $0.direction.rawValue }.prefix(4) == ["ltr", "ltr", "rtl", "rtl"])
        #expect(facts.stills.map(\.isUsualDirection) == [true, true, false, false, false, false, true, true])
        // Nothing of it depends on the size.
        let names = facts.stills.map { $0.parts[0] }
        #expect(
            names == [
                "screen-1.html", "screen-1.html", "screen-1-3.html", "screen-1-3.html", "screen-1-5.html",
                "screen-1-5.html", "screen-1-7.html", "screen-1-7.html",
            ])
        #expect(facts.screens[0].still == "screen-1.html")
        #expect(parts.count { $0.mediaType.hasPrefix("text/html") } == 4)
        #expect(Self.text("screen-1-3.html", in: parts).contains(#"<html lang="en" dir="rtl">"#))
        #expect(Self.text("screen-1-7.html", in: parts).contains(#"<html lang="ar" dir="rtl">"#))
        for part in parts where part.mediaType.hasPrefix("text/html") {
            let page = String(decoding: part.content, as: UTF8.self)
            let sheet = try #require(page.firstMatch(of: /href="(still[^"]*\.css)"/)).1
            #expect(parts.contains { $0.name == sheet && $0.mediaType.hasPrefix("text/css") }, "\(part.name)")
        }
    }

    @Test func `A still of one scheme has it, and one of both follows its reader at no further cost`() throws {
        let both = try Self.parts(of: Self.hello)
        #expect(both.count { $0.mediaType.hasPrefix("text/html") } == 1)
        #expect(try Self.facts(both).stills.map(\.scheme) == [nil])
        let page = try #require(both.first { $0.name == "screen-1.html" })
        #expect(Self.text("screen-1.html", in: both).contains(#"<meta name="color-scheme" content="light dark">"#))
        // What a reader forces is made of it as it is printed.
        let forced = try #require(SchemedPart(name: "screen-1.dark.html")?.made(of: page))
        let text = String(decoding: forced.content, as: UTF8.self)
        #expect(text.contains(#"<meta name="color-scheme" content="dark">"#))
        #expect(text.contains(#"<link rel="stylesheet" href="still.dark.css">"#) && !text.contains("light dark"))

        let dark = try Self.parts(of: Self.hello) { $0.schemes = [.dark] }
        #expect(try Self.facts(dark).stills.map(\.scheme) == [.dark])
        #expect(Self.text("screen-1.html", in: dark).contains(#"<meta name="color-scheme" content="dark">"#))
        #expect(Self.text("still.css", in: dark).contains(":root{color-scheme:dark}"))
    }

    @Test func `What is named last is left out first, and never half of a screen`() throws {
        var files = Self.hello
        for name in ["A", "B"] {
            files["\(name).widgets.json"] = #"""
                {"schema": 1, "title": "\#(name)", "root": [{"kind": "label", "payload": {"text": "\#(name)"}}]}
                """#
        }
        let archive = try Self.archive(of: files)
        let opened = try CanonicalBundle(canonical: try archive.duplicate())
        let program = try BundleReading.program(of: opened),
            german = try BundleReading.program(of: opened, locale: "de")
        let pictures = try BundlePictures(of: opened)
        func drawn(within byteCount: Int) throws -> (names: [String?], parts: [ReleasePart]) {
            var plan = StillPlan()
            (plan.directions, plan.locales) = ([.leftToRight, .rightToLeft], ["own", "de"])
            plan.byteCount = byteCount
            let parts = ReleaseStills.parts(of: program, pictures, at: Self.moment, plan, ["de": german])
            return (try Self.facts(parts).stills.flatMap(\.parts), parts)
        }
        let whole = try drawn(within: 1 << 20)
        let names = whole.names.compactMap(\.self)
        #expect(names.count == 12 && Set(names).count == 12)
        func size(_ name: String) -> Int { whole.parts.first { $0.name == name }?.content.count ?? 0 }
        var room = 0
        for (place, name) in names.enumerated() {
            // A sheet comes with its first page.
            if place == 0 { room += size("still.css") }
            if place == 6 { room += size("still-de.css") }
            room += size(name)
            let enough = try drawn(within: room), less = try drawn(within: room - 1)
            #expect(enough.names.compactMap(\.self) == Array(names.prefix(place + 1)))
            #expect(less.names.compactMap(\.self) == Array(names.prefix(place)))
            let bytes = enough.parts.filter { $0.name != ReleaseFacts.partName }.reduce(0) { $0 + $1.content.count }
            #expect(bytes == room)
        }
    }

    // MARK: - Bounds

    @Test func `Parts that no review makes are not kept, nor more bytes than were asked for`() {
        var plan = StillPlan()
        plan.byteCount = 64 << 10
        func takes(_ name: String, _ type: String, _ count: Int = 1) -> Bool {
            var bounds = PartBounds(plan)
            return bounds.take(ReleasePart(name: name, mediaType: type, content: [UInt8](repeating: 1, count: count)))
        }
        let (html, css, plain) = ("text/html; charset=utf-8", "text/css; charset=utf-8", "text/plain; charset=utf-8")
        #expect(takes("screen-1.html", html) && takes("screen-12-160.html", html) && takes("still-de_AT.css", css))
        #expect(takes("icon", "image/png") && takes("\(String(repeating: "a", count: 32)).jpg", "image/jpeg"))
        #expect(takes(ReleaseFacts.outlinePrefix + "Base.lproj/Main.storyboardc", plain))
        for (name, type) in [
            (plan.mark, plain), (StillPlan.attemptsName, plain), ("screen-1.dark.html", html), ("x.html", html),
            ("screen-1.html", css), ("still.dark.css", css), ("facts.json", plain), ("other.json", "application/json"),
            ("../x.png", "image/png"), ("a.svg", "image/svg+xml"), ("screen-1.html", "text/html"),
        ] {
            #expect(!takes(name, type), "\(name)")
        }
        #expect(takes("screen-1.html", html, 64 << 10) && !takes("screen-1.html", html, 64 << 10 + 1))
        #expect(
            takes("facts.json", "application/json", 1 << 20) && !takes("facts.json", "application/json", 1 << 20 + 1))
        var bounds = PartBounds(plan)
        func take(_ name: String, _ type: String, _ count: Int) -> Bool {
            bounds.take(ReleasePart(name: name, mediaType: type, content: [UInt8](repeating: 1, count: count)))
        }
        #expect(take("screen-1.html", html, 40 << 10) && !take("a.png", "image/png", 30 << 10))
        #expect(take("still.css", css, 20 << 10) && !take("still.css", css, 1))
        let outline = ReleaseFacts.outlinePrefix
        let kept = (0..<4_200).count { take("\(outline)\($0)", plain, 1) }
        #expect(kept == 4_094)
        #expect(
            (0..<8).count { number in
                var bounds = PartBounds(plan)
                return (0...number).allSatisfy {
                    bounds.take(
                        ReleasePart(
                            name: "\(outline)\($0)", mediaType: plain, content: [UInt8](repeating: 1, count: 64 << 10)))
                }
            } == 4)
    }

    @Test func `No button of a still takes the focus, and texts stay as they are`() {
        let page =
            #"<p title="a autofocus b">x autofocus y</p><button autofocus name="do">OK</button><button autofocus>No</button>"#
        let quiet = #"<p title="a autofocus b">x autofocus y</p><button name="do">OK</button><button>No</button>"#
        #expect(StillParts.withoutFocus(Array(page.utf8)) == Array(quiet.utf8))
    }
}
