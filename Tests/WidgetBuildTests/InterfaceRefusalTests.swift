import Testing
import WidgetBuild

/// What cannot be compiled is an error where it stands, and nothing is left out.
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
            "an element nobody knows", document("<glkView id=\"x\"/>"),
            "Main.storyboard:4:1: glkView cannot be compiled"),
        Refused(
            "an attribute nobody knows", document("<label id=\"x\"\n  shiny=\"YES\"/>"),
            "Main.storyboard:5:3: the attribute shiny of label cannot be compiled"),
        Refused(
            "a part nobody knows", document("<label id=\"x\">\n<attributedString key=\"a\"/></label>"),
            "Main.storyboard:5:1: attributedString for a in label cannot be compiled"),
        Refused(
            "a part under a key nobody knows", document("<label id=\"x\">\n<color key=\"glow\" white=\"1\"/></label>"),
            "Main.storyboard:5:1: color for glow in label cannot be compiled"),
        Refused(
            "an attribute nobody knows of a colour",
            document("<label id=\"x\">\n<color key=\"textColor\" white=\"1\" glow=\"2\"/></label>"),
            "Main.storyboard:5:34: the attribute glow of color cannot be compiled"),
        Refused(
            "something in a rectangle", document("<label id=\"x\"><rect key=\"frame\">\n<x/></rect></label>"),
            "Main.storyboard:5:1: x in rect cannot be compiled"),
        Refused("a view without an id", document("<label/>"), "Main.storyboard:4:1: label has no id"),
        Refused(
            "an id given twice", document("<label id=\"x\"/>\n<label id=\"x\"/>"),
            "Main.storyboard:5:1: the id x is given twice"),
        Refused(
            "a word where a number has to be", document("<label id=\"x\" numberOfLines=\"two\"/>"),
            "Main.storyboard:4:15: numberOfLines is \"two\", but has to be a whole number"),
        Refused(
            "a choice nobody knows", document("<label id=\"x\" contentMode=\"wide\"/>"),
            "Main.storyboard:4:15: contentMode is \"wide\", but has to be one of bottom, bottomLeft, bottomRight, "
                + "center, left, redraw, right, scaleAspectFill, scaleAspectFit, scaleToFill, top, topLeft, topRight"),
        Refused(
            "an outlet to nothing",
            document("", extra: "<connections><outlet property=\"a\" destination=\"b\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: there is no object b"),
        Refused(
            "a segue to nothing",
            document("", extra: "<connections><segue kind=\"show\" destination=\"b\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: the segue leads to no screen"),
        Refused(
            "a segue of a kind nobody knows",
            document("", extra: "<connections><segue kind=\"fly\" destination=\"vc\" id=\"o\"/></connections>"),
            "Main.storyboard:5:32: a segue of kind fly cannot be compiled"),
        Refused(
            "a constraint to nothing",
            document(
                "<view id=\"x\"><constraints><constraint firstItem=\"y\" firstAttribute=\"top\" id=\"c\"/></constraints></view>"
            ), "Main.storyboard:4:27: there is no object y"),
        Refused(
            "a side nobody knows",
            document(
                "<view id=\"x\"><constraints><constraint firstAttribute=\"inside\" id=\"c\"/></constraints></view>"),
            "Main.storyboard:4:27: inside is no side that a constraint can have"),
        Refused(
            "a runtime attribute of a type nobody knows",
            document(
                "<view id=\"x\"><userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type=\"date\" keyPath=\"a\"/></userDefinedRuntimeAttributes></view>"
            ), "Main.storyboard:4:44: a runtime attribute of type date cannot be compiled"),
        Refused(
            "cells that are fixed where no controller lists them",
            document("<tableView id=\"x\" dataMode=\"static\"><sections/></tableView>"),
            "Main.storyboard:4:37: cells can only be fixed in the table of a tableViewController"),
        Refused(
            "a cell without a name",
            document("<tableView id=\"x\"><prototypes><tableViewCell id=\"y\"/></prototypes></tableView>"),
            "Main.storyboard:4:31: a cell that others are made from needs a reuseIdentifier"),
        Refused("broken XML", "<document>", "Main.storyboard:1:11: the document ends too early"),
        Refused(
            "an entity", "<!DOCTYPE d [<!ENTITY e \"x\">]><d>&e;</d>",
            "Main.storyboard:1:1: a document type is not allowed"),
        Refused("something else", "<html/>", "Main.storyboard:1:1: this is no storyboard or interface for iOS"),
        Refused(
            "a screen in itself",
            """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
            <navigationController id="n"><connections><segue kind="relationship" relationship="rootViewController" destination="n" id="r"/></connections></navigationController></objects></scene></scenes></document>
            """, "Main.storyboard:2:1: n stands in itself"),
    ]

    @Test(arguments: refused)
    func `is refused, with file, line and column, when it has`(_ refused: Refused) {
        let error = #expect(throws: BuildError.self) {
            try InterfaceCompiler.compile(Array(refused.text.utf8), path: "Main.storyboard")
        }
        #expect(error.map { "\($0)" } == refused.message)
    }

    @Test func `is refused or compiled wherever it ends`() {
        let bytes = SampleStoryboard.bytes
        for count in stride(from: 0, to: bytes.count, by: 211) {
            #expect(throws: BuildError.self) {
                try InterfaceCompiler.compile(Array(bytes[..<count]), path: "Main.storyboard")
            }
        }
    }

    @Test func `that stands alone becomes one file`() throws {
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
