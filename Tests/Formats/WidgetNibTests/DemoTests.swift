import Testing
import WidgetFiles
import WidgetNib
import WidgetTestSupport
import WidgetZip

@Suite(.enabled(if: Samples.exist, "needs the original samples")) struct `The demo's interfaces` {
    @Test func `the demo's interfaces are written again byte for byte`() throws {
        let nibs = try Demo.nibs()
        #expect(nibs.count == 8)
        for (name, bytes) in nibs {
            let document = try NibDocument(parsing: bytes)
            #expect(document.encode() == bytes, "\(name)")
            #expect(!document.graph.keys.isEmpty)
        }
    }

    @Test func `a cell's interface in the demo is written again byte for byte`() throws {
        let bytes = try #require(try Demo.nibs()["zbs-L4-ivJ-view-Ech-rE-AyQ.nib"])
        let interface = NibInterface(try NibDocument(parsing: bytes).graph)
        let table = try #require(interface.objects.first { $0.className == "UITableView" })
        let prototypes = try NibPrototype.prototypes(of: table)
        #expect(prototypes.map(\.reuseIdentifier) == ["Cell"])
        let inner = try #require(prototypes.first)
        #expect(inner.externalObjects.count == 3)
        #expect(inner.externalObjects.allSatisfy { $0.object.proxyName?.hasPrefix("UpstreamPlaceholder-") == true })
        let cell = try #require(NibInterface(inner.document.graph).topLevelObjects.first)
        #expect(cell.shownClassName == "ContentTableViewCell")
        #expect(cell.baseClassName == "UITableViewCell")
        let encoded = inner.document.encode()
        #expect(bytes.indices.contains { bytes[$0...].starts(with: encoded) })
    }

    @Test func `the demo's interfaces are assembled into scenes`() throws {
        let storyboard = try CompiledStoryboard(files: try Demo.files(under: Demo.storyboard))
        #expect(storyboard.entryPoint == "UINavigationController-yPR-kR-hKI")
        #expect(storyboard.screens.count == 5)
        let scene = try storyboard.scene(try #require(storyboard.entryPoint))
        #expect(scene.controller.className == "UINavigationController")
        let feed = try #require(scene.controller.children.first)
        #expect(scene.controller.children.count == 1)
        #expect(feed.className == "StandardViewController")
        #expect(feed.restorationIdentifier == "FeedViewController")
        #expect(
            feed.segues.compactMap(\.destination).sorted()
                == ["UINavigationController-awX-dA-9mM", "UIViewController-CR3-lf-MN1"])
        let view = NibInterface(try storyboard.document(ofNib: try #require(feed.viewNib)).graph)
        let root = try #require(view.owned("view"))
        #expect(root.frame == NibRect(x: 0, y: 0, width: 600, height: 600))
        let event = try #require(view.events.first)
        #expect(event.selector == "perform:")
        #expect(event.mask == 64)
        let placeholder = try #require(event.destination?.proxyName)
        #expect(feed.external(placeholder)?.className == "UIStoryboardShowSegueTemplate")
        let outlet = try #require(view.outlets.first { $0.name == "tableView" })
        #expect(feed.external(try #require(outlet.source.proxyName)) == feed.element)
    }

    @Test func `the demo's interfaces have view trees, runtime attributes, colours, fonts and constraints`() throws {
        let bytes = try #require(try Demo.nibs()["AWF-at-cRx-view-Chk-bH-bkH.nib"])
        let interface = NibInterface(try NibDocument(parsing: bytes).graph)
        let root = try #require(interface.owned("view"))
        let views = NibViewTree(root).entries
        #expect(views.map(\.view.shownClassName).prefix(2) == ["FormDisplayView", "UITextView"])
        let text = views[1].view
        #expect(text.frame == NibRect(x: 8, y: 72, width: 359, height: 128))
        #expect(text.font("UIFont")?.pointSize == 15)
        let attributes = interface.attributes(of: text)
        #expect(
            attributes.map(\.keyPath)
                == ["cornerRadius", "borderWidth", "borderColor", "wx.identifier", "wx_fieldName"])
        #expect(attributes[0].value == .number(6))
        #expect(attributes[3].value == .text("textView"))
        guard case .color(let color) = attributes[2].value else {
            Issue.record("borderColor is not a colour")
            return
        }
        #expect(abs(color.red - 0.754) < 0.001)
        let fixed = try #require(text.constraints.first)
        #expect(fixed.firstAttribute == 8 && fixed.constant == 128 && fixed.second == nil)
    }
}

/// The files from which fuzzing starts, compared with those that the tests forge.
@Suite struct `The corpus of interfaces` {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/nib"

    private static var files: [(path: String, bytes: [UInt8])] {
        let everyType = ArchiveForge.everyType
        let accepted: [(String, [UInt8])] = [
            ("every-type", everyType.bytes),
            ("coder-9", everyType.with { $0.coderVersion = 9 }.bytes),
            ("bytes-behind", everyType.with { $0.trailing = [0, 0, 0, 1] }.bytes),
            ("tables-in-another-order", everyType.with { $0.order = [2, 0, 3, 1] }.bytes),
            ("long-numbers", everyType.with { $0.tables[0][0] = ArchiveForge.object(0, 0, 11, width: 4) }.bytes),
            ("interface", SampleInterface.archive),
            ("keyed", KeyedForge.interface.forge.bytes),
            ("keyed.xml", Array(KeyedForge.interface.xml.utf8)),
            ("keyed.small", KeyedForge.small.forge.bytes),
            ("keyed.tangled", KeyedForge.tangled.bytes),
        ]
        let refused = RefusedArchive.all.map { refused in
            (refused.testDescription.split(separator: " ").joined(separator: "-"), refused.bytes)
        }
        return accepted.map { ("accept/\($0).nib", $1) } + refused.map { ("refuse/\($0).nib", $1) }
    }

    @Test(.enabled(if: Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `the corpus of interfaces is written`() throws {
        for folder in ["accept", "refuse"] {
            let directory = try Directory(creating: "\(Self.folder)/\(folder)")
            for item in try directory.items(limit: .max) ?? [] { try directory.removeFile(item.name) }
            for (path, bytes) in Self.files where path.hasPrefix(folder) {
                try directory.replaceFile(String(path.dropFirst(folder.count + 1)), with: bytes)
            }
        }
    }

    @Test(.enabled(if: !Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `the corpus of interfaces is what the tests forge, no more and no less`() throws {
        for folder in ["accept", "refuse"] {
            let found = Corpus.files(in: "nib/\(folder)")
            let expected = Self.files.filter { $0.path.hasPrefix(folder) }
                .map { (name: String($0.path.dropFirst(folder.count + 1)), bytes: $0.bytes) }
            #expect(found.map(\.name) == expected.map(\.name).sorted())
            for file in found {
                #expect(expected.contains { $0.name == file.name && $0.bytes == file.bytes }, "\(file.name)")
                let isAccepted = (try? NibDocument(parsing: file.bytes)) != nil
                #expect(isAccepted == (folder == "accept"), "\(file.name)")
            }
        }
    }
}

/// The files of the demo bundle.
enum Demo {
    static let storyboard = "WidgetDemo.bundle/Base.lproj/Main.storyboardc/"

    static func files(under prefix: String) throws -> [String: [UInt8]] {
        let archive = try FileDescriptor.reading("\(Samples.directory)/WidgetDemo.zip")
        let directory = try ZipDirectory(reading: archive)
        var reader = try ZipEntryReader()
        var files: [String: [UInt8]] = [:]
        for entry in directory.entries where entry.name.text.hasPrefix(prefix) && !entry.isDirectory {
            var bytes: [UInt8] = []
            _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in chunk.indices { bytes.append(chunk[index]) }
            }
            files[String(entry.name.text.dropFirst(prefix.count))] = bytes
        }
        return files
    }

    static func nibs() throws -> [String: [UInt8]] {
        try files(under: storyboard).filter { $0.key.hasSuffix(".nib") }
    }
}
