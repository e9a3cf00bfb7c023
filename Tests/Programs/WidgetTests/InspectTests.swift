import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

@Suite(.callingThreads) struct `widget inspect` {
    private static let sample = "\(Corpus.repositoryRoot)/Bundles/RawProduct"

    /// The archive's own size and digest depend on the compressor.
    private static func stableLines(_ text: Substring) -> [Substring] {
        text.split(separator: "\n").filter { !$0.hasPrefix("sha256 ") && !$0.hasPrefix("kept ") }
    }

    @Test func `inspect prints of the raw product what its README shows`() throws {
        let result = try Program.run(["inspect", "\(Self.sample)/Greeting.app"])
        #expect(result.exitCode == 0)
        let readme = try String(contentsOfFile: "\(Self.sample)/README.md", encoding: .utf8)
        let shown = try #require(readme.components(separatedBy: "```\n").first { $0.hasPrefix("bundle ") })
        #expect(Self.stableLines(result.output[...]) == Self.stableLines(shown[...]))
    }

    @Test func `inspect prints the same facts as JSON`() throws {
        let result = try Program.run(["inspect", "--json", "\(Self.sample)/Greeting.app"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect((object["bundle"] as? [String: Any])?["identifier"] as? String == "com.example.Greeting")
        let outline = try #require(object["outline"] as? [String: Any])
        let screen = try #require((outline["screens"] as? [[String: Any]])?.first)
        #expect(screen["name"] as? String == "GreetingViewController")
        #expect(
            (screen["mediators"] as? [[String: String]])?.first == [
                "id": "greetings", "type": "ManagedObjectsProvider",
            ])
        #expect((screen["predicates"] as? [String])?.count == 3)
        let service = try #require((outline["services"] as? [[String: Any]])?.first)
        #expect(service["baseUrl"] as? String == "https://greetings.example.com/v1")
        #expect(service["actions"] as? [String] == ["greetings"])
        #expect(((object["report"] as? [String: Any])?["stripped"] as? [Any])?.count == 9)
    }

    @Test func `inspect shows warnings and accepts the bundle`() throws {
        let folder = try Folder()
        let service = "{\"defaults\": {\"baseUrl\": \"http://example.com\"}}"
        let document = #"[{"kind": "label", "payload": {"text": "A"}}]"#
        let path = try folder.write(
            "a.zip", SampleBundle.archive([("Service.json", service), ("Main.widgets.json", document)]))
        let result = try Program.run(["inspect", path])
        #expect(result.output.contains("warning Service.json:1:27 "), "\(result.output)")
        #expect(result.output.contains("[plain-http]; begin it with https://\n"), "\(result.output)")
        #expect(result.exitCode == 0)
    }

    @Test func `inspect prints the findings of a refused bundle as JSON`() throws {
        let folder = try Folder()
        let result = try Program.run(["inspect", folder.write("evil.zip", SampleBundle.evil), "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["verdict"] as? String == "reject")
        #expect(object["code"] as? String == "policy-refused")
        let finding = try #require((object["findings"] as? [[String: Any]])?.first)
        #expect(finding["code"] as? String == "predicate-argument")
        #expect(finding["line"] as? Int == 2)
        #expect(finding["column"] as? Int == 26)
        #expect(result.exitCode == 1)
    }

    @Test(.enabled(if: Samples.exist, "needs the original samples"))
    func `inspect finds nothing to strip in the demo archive`() throws {
        let result = try Program.run(["inspect", "\(Samples.directory)/WidgetDemo.zip"])
        #expect(result.output.hasPrefix("bundle  mobi.favio.WidgetDemo 1.0 (1)\n"))
        #expect(!result.output.contains("stripped"))
        // The only diagnostic besides those of pages is about a picture that the bundle names and does not have.
        let ofPages = ["[low-contrast]", "[missing-name]", "[clipped-text]", "[layout-solved]", "[not-drawn]"]
        let warnings = result.output.split(separator: "\n").filter { line in
            line.contains("warning") && !ofPages.contains { line.contains($0) }
        }
        #expect(
            warnings.count == 1
                && warnings.allSatisfy {
                    $0.contains("no picture called bird [unknown-image]; ") && !$0.contains("warning:")
                })
        #expect(result.exitCode == 0)
    }

    @Test(.enabled(if: Samples.exist, "needs the original samples"))
    func `inspect shows the demo's screens, views and segues`() throws {
        let result = try Program.run(["inspect", "\(Samples.directory)/WidgetDemo.zip"])
        for line in [
            "interface Base.lproj/Main.storyboardc", "  screen UINavigationController-yPR-kR-hKI, the first",
            "      StandardViewController, restored as FeedViewController",
            "          - UITableView (0, 0, 600, 600) wx.identifier=tableView",
            "            - ContentTableViewCell for Cell (0, 0, 375, 75)",
            "        segue to UIViewController-CR3-lf-MN1: UIStoryboardShowSegueTemplate",
            "        outlet StandardViewController.tableView = UITableView tableView",
            "        event UIButton.perform: = UIStoryboardShowSegueTemplate",
        ] { #expect(result.output.contains("\n\(line)\n"), "\(line)") }
        let json = try Program.run(["inspect", "--json", "\(Samples.directory)/WidgetDemo.zip"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let outline = try #require(object["outline"] as? [String: Any])
        let interface = try #require((outline["interfaces"] as? [[String: Any]])?.first)
        #expect((interface["faults"] as? [Any])?.isEmpty == true)
        let screens = try #require(interface["screens"] as? [[String: Any]])
        #expect(screens.count == 5)
        let details = try #require(screens.first { $0["identifier"] as? String == "UIViewController-CR3-lf-MN1" })
        let part = try #require((details["parts"] as? [[String: Any]])?.first)
        #expect(part["title"] as? String == "Post")
        let views = try #require(part["views"] as? [[String: Any]])
        #expect(views.count == 12)
        #expect((views[1]["attributes"] as? [[String: String]])?.first?["keyPath"] == "wx.addBinding")
    }

    @Test(.enabled(if: Samples.exist, "needs the original samples"))
    func `inspect shows the demo's entities and images`() throws {
        let result = try Program.run(["inspect", "\(Samples.directory)/WidgetDemo.zip"])
        for line in [
            "model   Model.momd", "  entity Account of User (isOwnerEntity=1)",
            "    timestamp: Date (JSONKeyPath=created_at, JSONTransformerName=strToDate)",
            "    repostCount: Integer 32 = 0 (JSONKeyPath=repost_count)",
            "    author: one User, back by posts (JSONKeyPath=user)", "    posts: many Post, back by author",
            "images  Assets.car", "  ava_dragon 400x400", "  widgets 180x180 @3x", "  AppIcon for phone, sizes 60x60",
        ] { #expect(result.output.contains("\n\(line)\n"), "\(line)") }
        let json = try Program.run(["inspect", "--json", "\(Samples.directory)/WidgetDemo.zip"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let outline = try #require(object["outline"] as? [String: Any])
        let model = try #require((outline["models"] as? [[String: Any]])?.first)
        #expect(model["current"] as? String == "Model")
        let entities = try #require(model["entities"] as? [[String: Any]])
        #expect(entities.compactMap { $0["name"] as? String } == ["Account", "Post", "User"])
        #expect((entities[1]["attributes"] as? [Any])?.count == 5)
        let images = try #require(((outline["images"] as? [[String: Any]])?.first)?["images"] as? [[String: Any]])
        #expect(images.count == 10)
        #expect(
            images.contains { $0["name"] as? String == "gear" && $0["scale"] as? Int == 2 && $0["width"] as? Int == 64 }
        )
    }
}

@Suite(.callingThreads) struct `widget structure` {
    private static let sun = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static let archive = ZipForge([
        .init(Array("b/".utf8), []), .init(Array("b/a.txt".utf8), Array("hello\n".utf8)),
        .init(Array("a empty".utf8), []),
    ]).build().bytes

    @Test func `structure accepts an archive and lists its entries in canonical order`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Self.archive)])
        #expect(
            result.output == """
                accept
                \(Self.sun)  0  a empty
                ----------------------------------------------------------------  0  b/
                5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  6  b/a.txt

                """)
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 0)
    }

    @Test func `structure prints the same facts as JSON`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Self.archive), "--json"])
        #expect(
            result.output == """
                {"verdict":"accept","entries":[{"path":"a empty","size":0,"sha256":"\(Self.sun)"},\
                {"path":"b/","size":0},{"path":"b/a.txt","size":6,\
                "sha256":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"}]}

                """)
        #expect(result.exitCode == 0)
    }

    @Test func `structure rejects with the reason and the offset, and exits with 1`() throws {
        let folder = try Folder()
        let path = try folder.write("a.zip", Self.archive + Array("xyz".utf8))
        let result = try Program.run(["structure", path])
        #expect(
            result.output
                == "reject\nreason  trailing-data: 3 bytes follow the end of the archive\noffset  \(Self.archive.count)\n"
        )
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 1)
        let json = try Program.run(["structure", "--json", path])
        #expect(
            json.output
                == "{\"verdict\":\"reject\",\"reason\":\"trailing-data\",\"detail\":\"3 bytes follow the end of the archive\",\"offset\":\(Self.archive.count)}\n"
        )
        #expect(json.exitCode == 1)
    }

    @Test func `structure names the faulty entry, harmless to a terminal`() throws {
        let folder = try Folder()
        let bytes = ZipForge([.init(Array("../\u{1B}[2J".utf8), [])]).build().bytes
        let result = try Program.run(["structure", folder.write("a.zip", bytes)])
        #expect(result.output.contains("reason  unsafe-name"))
        #expect(result.output.contains("\nentry   "))
        #expect(!result.output.utf8.contains(0x1B))
        #expect(result.exitCode == 1)
    }

    @Test func `structure rejects a file that is not an archive`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Array("hello".utf8))])
        #expect(result.output.hasPrefix("reject\nreason  missing-end-record: "))
        #expect(result.exitCode == 1)
    }

    @Test func `structure refers a folder to the commands that take one`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.path("")])
        #expect(result.error.hasPrefix("error: \(folder.path("")) is a folder, and this command reads archives\n"))
        #expect(result.error.contains("\nhint: `widget inspect "))
        #expect(result.output.isEmpty && result.exitCode == 1)
    }
}
