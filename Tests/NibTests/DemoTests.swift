import Nib
import TestSupport
import Testing

@Suite(.enabled(if: Samples.exist, "the demo bundle is not here")) struct `The demo's interfaces` {
    @Test func `are written again byte for byte`() throws {
        let nibs = try Demo.nibs()
        #expect(nibs.count == 8)
        for (name, bytes) in nibs {
            let document = try NibDocument(parsing: bytes)
            #expect(document.encode() == bytes, "\(name)")
            #expect(!document.graph.keys.isEmpty)
        }
    }

    @Test func `hold a cell's interface, which is written again too`() throws {
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

    @Test func `are assembled into scenes`() throws {
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

    @Test func `have view trees, runtime attributes, colours, fonts and constraints`() throws {
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
            Issue.record("borderColor is no colour")
            return
        }
        #expect(abs(color.red - 0.754) < 0.001)
        let fixed = try #require(text.constraints.first)
        #expect(fixed.firstAttribute == 8 && fixed.constant == 128 && fixed.second == nil)
    }
}
