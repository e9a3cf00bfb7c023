import Testing
import WidgetBuild
import WidgetTestSupport
import XMLText

/// Parts of an interface that cannot be compiled are errors with their place; none is left out.
@Suite struct `An interface's source` {
    private static func document(_ views: String, extra: String = "") -> String {
        """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
        <viewController id="vc" sceneMemberID="viewController"><view key="view" id="v">
        <subviews>
        \(views)
        </subviews></view>\(extra)</viewController></objects></scene></scenes></document>
        """
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var message: String

        init(_ name: String, _ text: String, _ message: String) {
            (testDescription, self.text, self.message) = (name, text, message)
        }
    }

    static let refused = [
        Refused(
            "a word for a trait",
            document(
                "<label id=\"x\"><accessibility key=\"accessibilityConfiguration\">\n<accessibilityTraits key=\"traits\" button=\"yes\"/></accessibility></label>"
            ), "Main.storyboard:5:35: button is \"yes\", but has to be YES or NO"),
        Refused(
            "a word for a truth value",
            document(
                "<label id=\"x\"><accessibility key=\"accessibilityConfiguration\">\n<bool key=\"isElement\" value=\"maybe\"/></accessibility></label>"
            ), "Main.storyboard:5:23: value is \"maybe\", but has to be YES or NO"),
        Refused(
            "a word for a kind of links",
            document("<textView id=\"x\">\n<dataDetectorType key=\"dataDetectorTypes\" link=\"yes\"/></textView>"),
            "Main.storyboard:5:43: link is \"yes\", but has to be YES or NO"),
        Refused(
            "a word in a mask",
            document("<label id=\"x\">\n<autoresizingMask key=\"autoresizingMask\" widthSizable=\"Yes\"/></label>"),
            "Main.storyboard:5:42: widthSizable is \"Yes\", but has to be YES or NO"),
        Refused(
            "a word in a frame",
            document("<label id=\"x\">\n<rect key=\"frame\" x=\"ten\" y=\"0\" width=\"1\" height=\"1\"/></label>"),
            "Main.storyboard:5:19: x is \"ten\", but has to be a number"),
        Refused(
            "a number in a frame that is not finite",
            document("<label id=\"x\">\n<rect key=\"frame\" x=\"1e999\" y=\"0\" width=\"1\" height=\"1\"/></label>"),
            "Main.storyboard:5:19: x is \"1e999\", but has to be a number"),
        Refused(
            "a word for an arrow of a popover",
            document(
                "<button id=\"x\"><connections><segue kind=\"popoverPresentation\" destination=\"vc\" id=\"s\">\n<popoverArrowDirection key=\"popoverArrowDirection\" up=\"1\"/></segue></connections></button>"
            ), "Main.storyboard:5:52: up is \"1\", but has to be YES or NO"),
        Refused(
            "an unknown element", document("<fluxView id=\"x\"/>"),
            "Main.storyboard:4:1: fluxView cannot be compiled"),
        Refused(
            "a misspelt attribute", document("<label id=\"x\"\n  hiden=\"YES\"/>"),
            "Main.storyboard:5:3: the attribute hiden of label cannot be compiled"),
        Refused(
            "two letters of an attribute exchanged", document("<label id=\"x\"\n  txet=\"Text\"/>"),
            "Main.storyboard:5:3: the attribute txet of label cannot be compiled"),
        Refused(
            "an unknown part with an object",
            document("<label id=\"x\">\n<flux key=\"a\"><view id=\"y\"/></flux></label>"),
            "Main.storyboard:5:1: flux for a in label cannot be compiled"),
        Refused(
            "an unknown part with connections",
            document("<label id=\"x\">\n<flux><connections/></flux></label>"),
            "Main.storyboard:5:1: flux in label cannot be compiled"),
        Refused(
            "a part under a misspelt key",
            document("<label id=\"x\">\n<color key=\"textColour\" white=\"1\"/></label>"),
            "Main.storyboard:5:1: color for textColour in label cannot be compiled"),
        Refused(
            "a misspelt attribute of a colour",
            document("<label id=\"x\">\n<color key=\"textColor\" white=\"1\" alpa=\"2\"/></label>"),
            "Main.storyboard:5:34: the attribute alpa of color cannot be compiled"),
        Refused(
            "an object in a rectangle",
            document("<label id=\"x\"><rect key=\"frame\">\n<x id=\"y\"/></rect></label>"),
            "Main.storyboard:5:1: x in rect cannot be compiled"),
        Refused("a view without an id", document("<label/>"), "Main.storyboard:4:1: label has no id"),
        Refused(
            "an id given twice", document("<label id=\"x\"/>\n<label id=\"x\"/>"),
            "Main.storyboard:5:1: the id x is given twice"),
        Refused(
            "a word where a number has to be", document("<label id=\"x\" numberOfLines=\"two\"/>"),
            "Main.storyboard:4:15: numberOfLines is \"two\", but has to be a whole number"),
        Refused(
            "a misspelt choice", document("<label id=\"x\" contentMode=\"centre\"/>"),
            "Main.storyboard:4:15: contentMode is \"centre\", but has to be one of bottom, bottomLeft, bottomRight, "
                + "center, left, redraw, right, scaleAspectFill, scaleAspectFit, scaleToFill, top, topLeft, topRight"),
        Refused(
            "an outlet to nothing",
            document("", extra: "<connections><outlet property=\"a\" destination=\"b\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: no object has the id b"),
        Refused(
            "a segue to nothing",
            document("", extra: "<connections><segue kind=\"show\" destination=\"b\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: the segue leads to no screen: no object has the id b"),
        Refused(
            "a segue of an unknown kind",
            document("", extra: "<connections><segue kind=\"fly\" destination=\"vc\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: a segue of kind fly cannot be compiled"),
        Refused(
            "a constraint to nothing",
            document(
                "<view id=\"x\"><constraints><constraint firstItem=\"y\" firstAttribute=\"top\" id=\"c\"/></constraints></view>"
            ), "Main.storyboard:4:27: no object has the id y"),
        Refused(
            "an unknown side",
            document(
                "<view id=\"x\"><constraints><constraint firstAttribute=\"inside\" id=\"c\"/></constraints></view>"),
            "Main.storyboard:4:27: inside is not a side that a constraint can have"),
        Refused(
            "a runtime attribute of an unknown type",
            document(
                "<view id=\"x\"><userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type=\"date\" keyPath=\"a\"/></userDefinedRuntimeAttributes></view>"
            ), "Main.storyboard:4:44: a runtime attribute of type date cannot be compiled"),
        Refused(
            "cells that are fixed where no controller lists them",
            document("<tableView id=\"x\" dataMode=\"static\"><sections/></tableView>"),
            "Main.storyboard:4:37: cells can only be fixed in the table of a tableViewController"),
        Refused(
            "a text that is not base64",
            document("<label id=\"x\">\n<string key=\"text\" base64-UTF8=\"YES\">?</string></label>"),
            "Main.storyboard:5:1: the text of string is not base64 of UTF-8, as base64-UTF8 says"),
        Refused(
            "a ratio to nothing",
            document(
                "<view id=\"x\"><constraints><constraint firstAttribute=\"width\" multiplier=\"1/0\" id=\"c\"/></constraints></view>"
            ), "Main.storyboard:4:27: the multiplier 1/0 is not a number or ratio"),
        Refused("broken XML", "<document>", "Main.storyboard:1:11: the document ends too early"),
        Refused(
            "an entity", "<!DOCTYPE d [<!ENTITY e \"x\">]><d>&e;</d>",
            "Main.storyboard:1:1: a document type is not allowed"),
        Refused("something else", "<html/>", "Main.storyboard:1:1: this is not a storyboard or interface for iOS"),
        Refused(
            "a screen in itself",
            """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
            <navigationController id="n"><connections><segue kind="relationship" relationship="rootViewController" destination="n" id="r"/></connections></navigationController></objects></scene></scenes></document>
            """, "Main.storyboard:2:1: n is inside itself"),
    ]

    @Test(arguments: refused)
    func `an interface with a fault is refused with file, line and column`(_ refused: Refused) {
        let error = #expect(throws: BuildError.self) {
            try InterfaceCompiler.compile(Array(refused.text.utf8), path: "Main.storyboard")
        }
        #expect(error.map { "\($0)" } == refused.message)
    }

    @Test func `an interface that is cut off anywhere is refused or compiled`() {
        let bytes = SampleStoryboard.bytes
        for count in stride(from: 0, to: bytes.count, by: 211) {
            #expect(throws: BuildError.self) {
                try InterfaceCompiler.compile(Array(bytes[..<count]), path: "Main.storyboard")
            }
        }
    }

    @Test func `a separate interface becomes one file`() throws {
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><objects>
            <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="Owner"><connections>
            <outlet property="label" destination="l" id="o"/></connections></placeholder>
            <placeholder placeholderIdentifier="IBFirstResponder" id="-2"/>
            <view id="v"><subviews><label id="l" text="Plain"/></subviews></view></objects></document>
            """
        let files = try InterfaceCompiler.compile(Array(text.utf8), path: "Views/Card.xib")
        #expect(files.map(\.path) == ["Card.nib"])
    }
}

/// Goal: every part of a source is compiled, refused or named in a note. Method: each source is changed in one place at a time, in every
/// kind of place it has, and the compiler has to notice.
@Suite struct `Of an interface's source nothing is lost` {
    struct Source: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var path = "Main.storyboard"
        var bytes: [UInt8]
    }

    static let sources =
        [Source(testDescription: "the storyboard of tests", bytes: SampleStoryboard.bytes)]
        + Corpus.files(in: "interfaces").filter { $0.name == "xcode.storyboard" }.map {
            Source(testDescription: "parts that Xcode writes", bytes: $0.bytes)
        }
        + `The samples' sources`.names.map { name in
            Source(testDescription: name, bytes: `The samples' sources`.files(name)["Main.storyboard"] ?? [])
        }

    /// Elements for the editor alone, with all their contents.
    private static let editors: Set<String> = [
        "device", "adaptation", "dependencies", "deployment", "plugIn", "capability", "image", "systemColor",
        "simulatedStatusBarMetrics", "simulatedTabBarMetrics", "freeformSimulatedSizeMetrics", "resources",
        "accessibilityOverrides", "customFonts", "designables", "animations", "nil",
    ]

    /// Attributes of compiled elements for the editor alone.
    private static let editorAttributes: Set<String> = [
        "userLabel", "sceneMemberID", "sceneID", "customModuleProvider", "colorSpace", "customColorSpace",
        "tableViewCell", "collectionViewCell", "fixedFrame", "ibShadowedText", "placeholderIntrinsicWidth",
        // Attributes of prototype cells whose information their place repeats.
        "prototypes/tableViewCell/rowHeight",
        // Of the document.
        "version", "toolsVersion", "systemVersion", "targetRuntime", "propertyAccessControl", "useAutolayout",
        "useTraitCollections", "useSafeAreas", "colorMatched",
    ]

    private struct Place {
        var element: XMLElement
        var parent: String
    }

    /// One element of each name and parent.
    private static func places(_ bytes: [UInt8]) throws -> [Place] {
        let document = try XMLDocument(parsing: bytes)
        var places: [Place] = []
        var seen: Set<String> = []
        var pending = [Place(element: document.root, parent: "")]
        while let place = pending.popLast() {
            let key = place.element["key"] ?? ""
            guard !editors.contains(place.element.name), !["canvasLocation", "freeformSize"].contains(key) else {
                continue
            }
            if seen.insert("\(place.parent)/\(place.element.name)").inserted { places.append(place) }
            pending += place.element.children.reversed().map { Place(element: $0, parent: place.element.name) }
        }
        return places
    }

    private struct Outcome {
        var files: [[UInt8]] = []
        var notes: [String] = []
        var error: BuildError?

        /// True if the error or a note has the text.
        func says(_ text: String) -> Bool {
            error.map { "\($0)" }?.contains(text) == true || notes.contains { $0.contains(text) }
        }
    }

    private static func compile(_ bytes: [UInt8], _ source: Source) -> Outcome {
        do {
            let compiled = try InterfaceCompiler.compile(bytes, path: source.path, colors: CatalogColors())
            return Outcome(files: compiled.files.map(\.bytes), notes: compiled.notes)
        } catch {
            return Outcome(error: error)
        }
    }

    @Test(arguments: sources)
    func `an unknown attribute is refused or noted, with its place`(_ source: Source) throws {
        for place in try Self.places(source.bytes) {
            var changed = source.bytes
            let end = place.element.offset + 1 + place.element.name.utf8.count
            changed.insert(contentsOf: Array(" zzz=\"1\"".utf8), at: end)
            #expect(Self.compile(changed, source).says("zzz"), "\(place.element.name) in \(place.parent)")
        }
    }

    @Test(arguments: sources)
    func `an unknown element is refused or noted, with its place`(_ source: Source) throws {
        for place in try Self.places(source.bytes) {
            var changed = source.bytes
            // Behind the start tag, which becomes one if it was the whole element.
            guard let close = changed[place.element.offset...].firstIndex(of: UInt8(ascii: ">")) else { continue }
            if changed[close - 1] == UInt8(ascii: "/") {
                let text = "><zzz/></\(place.element.name)"
                changed.replaceSubrange(close - 1..<close, with: Array(text.utf8))
            } else {
                changed.insert(contentsOf: Array("<zzz/>".utf8), at: close + 1)
            }
            #expect(Self.compile(changed, source).says("zzz"), "\(place.element.name) in \(place.parent)")
        }
    }

    @Test(arguments: sources)
    func `a changed value makes a different interface, or is refused or noted`(_ source: Source) throws {
        let original = Self.compile(source.bytes, source)
        #expect(original.error == nil)
        var seen: Set<String> = []
        for place in try Self.places(source.bytes) {
            for attribute in place.element.attributes where !Self.editorAttributes.contains(attribute.name) {
                // Ids only serve references, and are not compiled.
                let name = "\(place.parent)/\(place.element.name)/\(attribute.name)"
                if attribute.name == "id" || Self.editorAttributes.contains(name) { continue }
                guard seen.insert(name).inserted else { continue }
                let start = attribute.offset + attribute.name.utf8.count + 2
                guard let end = source.bytes[start...].firstIndex(of: UInt8(ascii: "\"")) else { continue }
                var changed = source.bytes
                changed.replaceSubrange(start..<end, with: Array(Self.another(attribute.value).utf8))
                let result = Self.compile(changed, source)
                #expect(
                    result.error != nil || result.files != original.files || result.notes != original.notes,
                    "\(attribute.name) of \(place.element.name) in \(place.parent), \(attribute.value)")
            }
        }
        #expect(seen.count > 60)
    }

    private static func another(_ value: String) -> String {
        switch value {
        case "YES": "NO"
        case "NO": "YES"
        default: Double(value).map { "\(Int($0) == 0 ? 1 : Int($0) / 2)" } ?? "\(value)x"
        }
    }
}
