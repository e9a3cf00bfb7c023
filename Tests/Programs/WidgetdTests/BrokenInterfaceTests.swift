import Foundation
import Testing
import WidgetTestSupport

/// Goal: the pages of a release whose compiled interfaces are sound files with contents that cannot be read say what hosts
/// miss, and where. Method: the built server, whose seed has interfaces of our compiler with one byte changed.
@Suite(.ownThreads) struct `Releases whose interfaces cannot be read` {
    /// The bundle `com.example.NAME` with one byte of one interface changed.
    private struct Damage {
        let name: String
        var file: String?
        var offset = 50
    }

    private static let whole = Damage(name: "Whole")
    /// The first screen cannot be read.
    private static let first = Damage(name: "First", file: "UINavigationController-nav-00-001.nib")
    /// The first screen has no content.
    private static let content = Damage(name: "Content", file: "vcn-00-001-view-viw-00-001.nib", offset: 1_906)
    /// The screen that the first one leads to.
    private static let second = Damage(name: "Second", file: "NoteViewController.nib")

    private static func server(_ damages: [Damage], _ environment: [String: String] = [:]) throws -> RunningProgram {
        let seeds = FileManager.default.temporaryDirectory.appending(path: "broken-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: seeds) }
        let root = Corpus.repositoryRoot
        let info = try String(contentsOfFile: "\(root)/Bundles/Forge/Info.plist", encoding: .utf8)
        for (version, damage) in damages.enumerated() {
            let bundle = "\(seeds)/\(version)/\(damage.name).bundle"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try info.replacing("com.example.Forge", with: "com.example.\(damage.name)")
                .write(toFile: "\(bundle)/Info.plist", atomically: true, encoding: .utf8)
            let storyboard = "\(bundle)/Main.storyboardc"
            try FileManager.default.copyItem(
                atPath: "\(root)/Tests/Corpus/screens/Main.storyboardc", toPath: storyboard)
            guard let file = damage.file else { continue }
            var bytes = try Data(contentsOf: URL(filePath: "\(storyboard)/\(file)"))
            bytes[damage.offset] ^= 0xFF
            try bytes.write(to: URL(filePath: "\(storyboard)/\(file)"))
        }
        return try RunningProgram(
            ["--seed", seeds], environment: ["WIDGETD_POLICY_REVIEWS_SCREENS": "true"].merging(environment) { $1 })
    }

    private static func pages(of damage: Damage) -> [String] {
        ["/w/com.example.\(damage.name)", "/w/com.example.\(damage.name)/1.0~1"]
    }

    @Test func `A release without a readable first screen says so on its pages, with the file and the place`() throws {
        let server = try Self.server([Self.first])
        for path in Self.pages(of: Self.first) + ["/w/com.example.First/1.0~1/try"] {
            let text = try server.get(path)
            #expect(
                text.hasPrefix("HTTP/1.1 200 ") && text.contains("Hosts that get this release show nothing."), "\(path)"
            )
            #expect(text.contains("offset 50: there"), "\(path)")
            #expect(text.contains("Main.storyboardc/UINavigationController-nav-00-001.nib"), "\(path)")
            #expect(!text.contains("<iframe") && !text.contains("data-source"), "\(path)")
        }
        let compared = try server.get("/w/com.example.First/compare/1.0~1/1.0~1")
        #expect(compared.hasPrefix("HTTP/1.1 200 ") && compared.contains("Hosts that get this release show nothing."))
        #expect(compared.contains("This bundle has no screen to begin with."))
    }

    @Test func `Pages of a release that was not reviewed say so, and that it can be done`() throws {
        let server = try Self.server([Self.first], ["WIDGETD_POLICY_REVIEWS_SCREENS": "false"])
        for path in Self.pages(of: Self.first) + ["/w/com.example.First/1.0~1/try"] {
            let text = try server.get(path)
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("this one was published without"), "\(text)")
            #expect(text.contains("widgetd stills"), "\(text)")
        }
    }

    @Test(arguments: [("Content", "offset 26: more than 20000 keys"), ("Second", "offset 50: there")])
    func `A release of which a part cannot be read runs, and its pages and its report name the file`(
        name: String, reason: String
    ) throws {
        let damage = name == "Content" ? Self.content : Self.second
        let server = try Self.server([damage])
        for path in Self.pages(of: damage) {
            let text = try server.get(path)
            #expect(text.contains("A part of this release cannot be read."), "\(path)")
            #expect(text.contains(reason) && text.contains(">bad-file<"), "\(path)")
            #expect(text.contains("<iframe") && !text.contains("nothing to remark"), "\(path)")
        }
        #expect(try server.get("/w/com.example.\(name)/1.0~1/try").hasPrefix("HTTP/1.1 200 "))
        let report = try server.get("/v1/bundles/com.example.\(name)/releases/1.0~1/report")
        #expect(report.contains("\"code\":\"bad-file\"") && report.contains(reason))
    }

    @Test func `A whole bundle has none of these notes`() throws {
        let server = try Self.server([Self.whole])
        for path in Self.pages(of: Self.whole) {
            let text = try server.get(path)
            #expect(!text.contains("cannot be read") && !text.contains("show nothing") && text.contains("<iframe"))
        }
    }
}
