import PageReading
import Testing
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetLayout
import WidgetMarkup
import WidgetRender
import WidgetRunning

/// Goal: what is chosen is a state that readers of screens hear, in JSON as on pages, and tabs have a place in frames. Method:
/// storyboards, compiled and run, and printed in each form.
@Suite struct `What is chosen` {
    private struct Shown {
        let program: Program
        let view: View

        init(_ files: [String: String]) throws {
            let plist = """
                <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Chosen</string></dict></plist>
                """
            let sources = files.merging(["Info.plist": plist]) { $1 }.mapValues { Array($0.utf8) }
            let compiled = try BundleCompiler(sources, folder: "Chosen").files
            program = try WidgetKitReader.program(
                BundleFiles(Dictionary(compiled.map { ($0.path, $0.bytes) }) { $1 }), identifier: "test.Chosen")
            var instance = WidgetInstance(program, environment: Environment(now: 0))
            instance.send(.start)
            view = instance.view()
        }

        /// The states of the elements that have some, by their names or texts.
        var states: [String: [String]] {
            var found: [String: [String]] = [:]
            var pending = [AccessibleNode(view.root)]
            while let node = pending.popLast() {
                if !node.states.isEmpty { found[node.name ?? node.role] = node.states }
                pending += node.children
            }
            return found
        }

        func page() throws -> PageNode {
            let page = PagePrinter(PlannedProgram(program)).page(view, NoAssets())
            let read = try PageReader.page(page.html)
            #expect(PageRules.faults(read) == [])
            return read
        }
    }

    private static func storyboard(_ controller: String) -> [String: String] {
        [
            "Main.storyboard": """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529" \
            targetRuntime="iOS.CocoaTouch" useAutolayout="YES" useTraitCollections="YES" initialViewController="c">
            <scenes><scene sceneID="s"><objects>\(controller)</objects></scene></scenes></document>
            """
        ]
    }

    private static func row(_ name: String, _ accessory: String) -> String {
        """
        <tableViewCell accessoryType="\(accessory)" id="\(name)-cell"><rect key="frame" x="0" y="0" width="375" height="44"/>
        <tableViewCellContentView key="contentView" tableViewCell="\(name)-cell" id="\(name)-content">
        <rect key="frame" x="0" y="0" width="375" height="44"/><subviews><label text="\(name)" id="\(name)-label">
        <rect key="frame" x="16" y="11" width="200" height="21"/></label></subviews></tableViewCellContentView>
        <connections><segue destination="c" kind="show" id="\(name)-segue"/></connections></tableViewCell>
        """
    }

    private static func table(_ rows: [(String, String)]) -> [String: String] {
        storyboard(
            """
            <tableViewController storyboardIdentifier="Table" id="c"><tableView key="view" dataMode="static" id="t">
            <rect key="frame" x="0" y="0" width="375" height="667"/><sections><tableViewSection id="one"><cells>
            \(rows.map { row($0.0, $0.1) }.joined())</cells></tableViewSection></sections></tableView>
            </tableViewController>
            """)
    }

    @Test func `A row that can have a checkmark is a checkbox on a page, and says whether it has one`() throws {
        let shown = try Shown(Self.table([("Gull", "checkmark"), ("Tern", "none")]))
        #expect(shown.states == ["listitem": ["checked"]], "\(shown.states)")
        let boxes = try shown.page().all.filter { $0["role"] == "checkbox" }
        #expect(boxes.map { $0["aria-checked"] } == ["true", "false"])
        let plain = try Shown(Self.table([("Gull", "disclosureIndicator"), ("Tern", "none")]))
        #expect(plain.states.isEmpty)
        #expect(try plain.page().all.allSatisfy { $0["role"] != "checkbox" && $0["aria-checked"] == nil })
    }

    private static func view(_ subviews: String) -> [String: String] {
        storyboard(
            """
            <viewController storyboardIdentifier="View" id="c"><view key="view" id="v">
            <rect key="frame" x="0" y="0" width="375" height="667"/><subviews>\(subviews)</subviews></view></viewController>
            """)
    }

    private static func button(_ title: String, _ attributes: String = "", _ parts: String = "") -> String {
        """
        <button opaque="NO" contentMode="scaleToFill" \(attributes) id="\(title)">
        <rect key="frame" x="0" y="100" width="100" height="44"/>\(parts)<state key="normal" title="\(title)"/></button>
        """
    }

    @Test func `A button that an interface has selected, by itself or as a trait, is so for readers of screens`() throws
    {
        let trait = """
            <accessibility key="accessibilityConfiguration"><accessibilityTraits key="traits" button="YES" selected="YES"/>
            </accessibility>
            """
        let shown = try Shown(
            Self.view(
                Self.button("Large", "selected=\"YES\"") + Self.button("Small") + Self.button("Medium", "", trait)))
        #expect(shown.states == ["Large": ["selected"], "Medium": ["selected"]])
        let buttons = try shown.page().all.filter { $0.name == "button" && !$0.classes.contains("enter") }
        let pressed = Dictionary(buttons.map { ($0.allText, $0["aria-pressed"]) }) { $1 }
        #expect(pressed == ["Large": "true", "Small": nil, "Medium": "true"])
    }

    @Test func `Frames have the tabs below the screen, each with its share of the width`() throws {
        let shown = try Shown([
            "Main.screens": """
            tabs Home initial
                tab "Notes" -> Notes
                tab "Tiles" -> Tiles
            screen Notes "Notes"
                table all
            screen Tiles "Tiles"
                label tile "The tile"

            """
        ])
        for (direction, places) in [(Viewport.Direction.leftToRight, [0.0, 160]), (.rightToLeft, [160, 0])] {
            let viewport = Viewport(size: Size(width: 320, height: 568), direction: direction)
            let text = String(
                decoding: ViewFrames(shown.program, PrintOptions(viewport: viewport)).print(shown.view, NoAssets()),
                as: UTF8.self)
            #expect(text.contains(##""frame":[0,519,320,49],"key":"1.-7","kind":"tabs""##), "\(text)")
            for (title, x) in zip(["Notes", "Tiles"], places) {
                let frame = "\"frame\":[\(Int(x)),519,160,49]"
                let tab = text.split(separator: "{").first { $0.contains("\"kind\":\"tab\"") && $0.contains(title) }
                #expect(tab?.contains(frame) == true, "\(tab ?? "")")
            }
        }
    }
}
