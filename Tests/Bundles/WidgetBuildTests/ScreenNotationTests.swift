import Testing
import WidgetBuild
import WidgetNib
import WidgetTestSupport
import XMLText

@Suite struct `Screens as text` {
    static func storyboard(_ text: String) throws -> String {
        String(decoding: try ScreenNotation.storyboard(Array(text.utf8), path: "Main.screens"), as: UTF8.self)
    }

    /// The text that is read of the storyboard of a text; there must be nothing that the notation lacks.
    static func again(_ text: String) throws -> String {
        let storyboard = try ScreenNotation.storyboard(Array(text.utf8), path: "Main.screens")
        let reading = try ScreenNotation.screens(storyboard: storyboard, path: "Main.storyboard")
        #expect(reading.left.map { "\($0)" } == [], "\(text)")
        return String(decoding: reading.bytes, as: UTF8.self)
    }

    /// A line for each kind, in its place, with the element and the class that it becomes.
    private static let kinds: [(NotationKind, line: String, element: String, className: String)] = [
        (.screen, "", "<viewController restorationIdentifier=\"A\"", "ContentViewController"),
        (.tabs, "", "", ""), (.tab, "", "", ""),
        (.left, "    left x \"X\"", "<barButtonItem key=\"leftBarButtonItem\" title=\"X\"", "UIBarButtonItem"),
        (.right, "    right x \"X\"", "<barButtonItem key=\"rightBarButtonItem\" title=\"X\"", "UIBarButtonItem"),
        (.column, "    column x", "axis=\"vertical\"", "UIStackView"), (.row, "    row x", "<stackView", "UIStackView"),
        (.view, "    view x", "<view contentMode=\"scaleToFill\" translates", "UIView"),
        (.form, "    form x", "customClass=\"FormDisplayView\"", "FormDisplayView"),
        (.scroll, "    scroll x", "<scrollView", "UIScrollView"), (.table, "    table x", "<tableView", "UITableView"),
        (.header, "    table\n        header x", "<view key=\"tableHeaderView\"", "UIView"),
        (.footer, "    table\n        footer x", "<view key=\"tableFooterView\"", "UIView"),
        (.collection, "    collection x", "<collectionView", "UICollectionView"),
        (.cell, "    table\n        cell x", "reuseIdentifier=\"x\"", "ContentTableViewCell"),
        (.label, "    label x \"X\"", "<label", "UILabel"), (.button, "    button x \"X\"", "<button", "UIButton"),
        (.image, "    image x", "<imageView", "UIImageView"),
        (.textField, "    textField x", "<textField", "UITextField"),
        (.textView, "    textView x", "<textView", "UITextView"),
        (.search, "    table\n        search x", "<searchBar key=\"tableHeaderView\"", "UISearchBar"),
        (.switch, "    switch x", "<switch", "UISwitch"), (.slider, "    slider x", "<slider", "UISlider"),
        (.stepper, "    stepper x", "<stepper", "UIStepper"),
        (.segmented, "    segmented x segments \"1\" \"2\"", "<segment title=\"2\"", "UISegmentedControl"),
        (.datePicker, "    datePicker x", "<datePicker", "UIDatePicker"),
        (.picker, "    picker x", "<pickerView", "UIPickerView"),
        (.activity, "    activity x", "<activityIndicatorView", "UIActivityIndicatorView"),
        (.progress, "    progress x", "<progressView", "UIProgressView"),
        (.pageControl, "    pageControl x", "<pageControl", "UIPageControl"),
        (.web, "    web x", "<wkWebView", "WKWebView"),
    ]

    @Test func `Every kind of line becomes its element and its class`() throws {
        #expect(Self.kinds.map(\.0) == NotationKind.allCases)
        for (kind, line, element, className) in Self.kinds where !element.isEmpty {
            let text = "screen A \"Title\"\n\(line)\n"
            #expect(try Self.storyboard(text).contains(element), "\(kind)")
            #expect(try Self.again(text) == text.replacing("\n\n", with: "\n"), "\(kind)")
            let files = try InterfaceCompiler.compile(Array(try Self.storyboard(text).utf8), path: "Main.storyboard")
            let classes = try files.filter { $0.path.hasSuffix(".nib") }.flatMap { file in
                try NibInterface(NibDocument(parsing: file.bytes).graph).objects.map(\.shownClassName)
            }
            // A cell is an archive inside the archive of its table.
            if kind != .cell { #expect(classes.contains(className), "\(kind): \(classes)") }
        }
    }

    @Test func `Tabs lead to screens and to their stacks`() throws {
        let text = """
            tabs
                tab "Notes" picture pen -> Notes
                tab "About" -> About

            screen Notes "Notes" in stack largeTitles barColor #102030

            screen About
            """
        let storyboard = try Self.storyboard(text)
        #expect(try Self.again(text) == text + "\n")
        let files = try InterfaceCompiler.compile(Array(storyboard.utf8), path: "Main.storyboard")
        let compiled = try CompiledStoryboard(
            files: Dictionary(
                uniqueKeysWithValues: files.map { (String($0.path.dropFirst("Main.storyboardc/".count)), $0.bytes) }))
        let tabs = try compiled.scene(try #require(compiled.entryPoint)).controller
        #expect(tabs.children.map { $0.element.shownClassName } == ["UINavigationController", "ContentViewController"])
        #expect(tabs.children.first?.children.first?.restorationIdentifier == "Notes")
    }

    /// A line for each property, in its normal form, with a part of the storyboard that it becomes.
    private static let properties: [(name: String, line: String, part: String)] = [
        ("named", "    label named bold", "keyPath=\"wx.identifier\" value=\"bold\""),
        ("initial", "", ""), ("in", "", ""), ("largeTitles", "", ""), ("barColor", "", ""),
        ("back", "", ""),
        ("system", "    right x system add", "systemItem=\"add\""),
        ("done", "    right x \"X\" done", "style=\"done\""),
        ("picture", "    button x picture \"a b\"", "image=\"a b\""),
        ("scale", "    image x scale fill", "contentMode=\"scaleAspectFill\""),
        ("style", "    label x style title2", "style=\"UICTFontTextStyleTitle2\""),
        ("size", "    label x size 20.5", "type=\"system\" pointSize=\"20.5\""),
        ("bold", "    button x \"X\" bold", "type=\"boldSystem\" pointSize=\"17\""),
        ("italic", "    textView x italic", "type=\"italicSystem\""),
        ("color", "    label x color #10203040", "key=\"textColor\" red=\"0.0627450"),
        ("align", "    label x align right", "textAlignment=\"right\""),
        ("lines", "    label x lines 0", "numberOfLines=\"0\""),
        ("placeholder", "    textField x placeholder \"a\\n\\\"b\\\"\"", "placeholder=\"a&#10;&quot;b&quot;\""),
        ("field", "    switch x field on", "keyPath=\"wx_fieldName\" value=\"on\""),
        ("keyboard", "    textField x keyboard email", "keyboardType=\"emailAddress\""),
        ("capitals", "    textView x capitals all", "autocapitalizationType=\"allCharacters\""),
        ("correction", "    textField x correction no", "autocorrectionType=\"no\""),
        ("return", "    search x return send", "returnKeyType=\"send\""),
        ("secure", "    textField x secure", "secureTextEntry=\"YES\""),
        ("readOnly", "    textView x readOnly", "editable=\"NO\""), ("on", "    switch x on", " on=\"YES\""),
        ("value", "    progress x value 0.5", "progress=\"0.5\""), ("min", "    slider x min -1", "minValue=\"-1\""),
        ("max", "    stepper x max 7", "maximumValue=\"7\""), ("step", "    stepper x step 2", "stepValue=\"2\""),
        ("segments", "    segmented x segments \"1\"", "<segment title=\"1\""),
        ("selected", "    segmented x segments \"1\" \"2\" selected 1", "selectedSegmentIndex=\"1\""),
        ("mode", "    datePicker x mode time", "datePickerMode=\"time\""),
        ("pages", "    pageControl x pages 5", "numberOfPages=\"5\""),
        ("current", "    pageControl x current 2", "currentPage=\"2\""),
        ("animating", "    activity x animating", "animating=\"YES\""),
        ("grouped", "    table x grouped", "style=\"grouped\""),
        ("separators", "    table x separators none", "separatorStyle=\"none\""),
        ("keeps", "    table x keeps end", "keyPath=\"wx_keeps\" value=\"end\""),
        ("rowHeight", "    table x rowHeight 50", "rowHeight=\"50\""),
        ("itemSize", "    collection x itemSize 90 80.5", "width=\"90\" height=\"80.5\""),
        ("direction", "    collection x direction horizontal", "scrollDirection=\"horizontal\""),
        ("accessory", "    table\n        cell accessory arrow", "accessoryType=\"disclosureIndicator\""),
        ("selection", "    table\n        cell selection none", "selectionStyle=\"none\""),
        ("items", "    row x items center", "alignment=\"center\""),
        ("share", "    column x share equally", "distribution=\"fillEqually\""),
        ("spacing", "    view spacing 3\n        label a\n        label b", "constant=\"3\""),
        ("margin", "    form margin 5\n        label a", "constant=\"5\""),
        ("width", "    label x width 30", "firstAttribute=\"width\" constant=\"30\""),
        ("height", "    image x height 31", "firstAttribute=\"height\" constant=\"31\""),
        ("fill", "    textView x fill", "verticalHuggingPriority=\"1\""),
        ("centered", "    label x centered", "firstAttribute=\"centerY\""),
        ("background", "    view x background \"Brand\"", "key=\"backgroundColor\" name=\"Brand\""),
        ("tint", "    button x tint systemBlue", "key=\"tintColor\" systemColor=\"systemBlueColor\""),
        ("alpha", "    label x alpha 0.5", "alpha=\"0.5\""), ("hidden", "    label x hidden", "hidden=\"YES\""),
        ("disabled", "    button x disabled", "enabled=\"NO\""),
        ("spoken", "    image x spoken \"A gull\"", "label=\"A gull\""),
        ("class", "    view x class Chart", "customClass=\"Chart\" customModule=\"WidgetKit\""),
        ("module", "    view x class Chart module App", "customClass=\"Chart\" customModule=\"App\""),
        ("set", "    label x set cornerRadius 8 set a \"b\" set c yes set d gray", "keyPath=\"cornerRadius\""),
    ]

    @Test func `Every property becomes its part of a storyboard, and is read from it`() throws {
        #expect(Self.properties.map(\.name) == NotationProperty.all.map(\.name))
        for (name, line, part) in Self.properties where !line.isEmpty {
            let text = "screen A\n\(line)\n"
            #expect(try Self.storyboard(text).contains(part), "\(name)")
            #expect(try Self.again(text) == text, "\(name)")
        }
        let screens = """
            screen A

            screen B "B" initial in stack largeTitles barColor red back "Go" margin 20 background gray tint label class Own
                label x
                table t

            """
        #expect(try Self.again(screens) == screens)
    }

    @Test func `A way to a screen becomes a segue, and a way back an action`() throws {
        let text = """
            screen A "A" in stack
                left x "X" -> dismiss
                button y "Y" -> back
                table t
                    cell P -> A
                    cell Q -> B present as next
                    cell R -> B replace

            screen B

            """
        #expect(try Self.again(text) == text)
        let storyboard = try Self.storyboard(text)
        for part in [
            "kind=\"show\"", "kind=\"presentation\" identifier=\"next\"", "kind=\"replace\"",
            "<action selector=\"dismissAction:\"", "<action selector=\"backAction:\"", "eventType=\"touchUpInside\"",
        ] { #expect(storyboard.contains(part), "\(part)") }
    }

    @Test func `The normal form has no comments, and properties in the order of their table`() throws {
        let text = "# A\nscreen A   \"T\"  # first\n    label x  lines 2 bold  size 17 color gray\n"
        let normal = "screen A \"T\"\n    label x bold color gray lines 2\n"
        func form(_ text: String) throws -> String {
            String(decoding: try ScreenNotation.normalForm(Array(text.utf8), path: "A.screens"), as: UTF8.self)
        }
        #expect(try form(text) == normal)
        #expect(try form(normal) == normal)
        #expect(try form("\u{FEFF}" + text.replacing("\n", with: "\r\n")) == normal)
    }

    @Test func `An object keeps its id when other lines change`() throws {
        func id(_ text: String) throws -> String {
            let storyboard = try Self.storyboard(text)
            let line = try #require(
                storyboard.split(separator: "\n").first { $0.contains("<label") && $0.contains("\"X\"") })
            return String(try #require(line.firstMatch(of: #/ id="([^"]+)"/#)).1)
        }
        let first = try id("screen A\n    label x \"X\"\n")
        #expect(first.wholeMatch(of: /\w{3}-\w{2}-\w{3}/) != nil)
        #expect(try id("screen B\nscreen A\n    switch\n    row\n        label x \"X\" bold\n") == first)
    }

    @Test func `Views lie below each other, and a list takes the height that is left`() throws {
        let text = "screen A\n    label x\n    table t\n    button y \"Y\"\n"
        let document = try XMLDocument(parsing: Array(try Self.storyboard(text).utf8))
        var frames: [String: [Double]] = [:]
        var pending = [document.root]
        while let next = pending.popLast() {
            if let rect = next.child(named: "rect") {
                frames[next.name] = ["x", "y", "width", "height"].map { Double(rect[$0] ?? "") ?? -1 }
            }
            pending += next.children
        }
        #expect(frames["label"] == [16, 80, 343, 20] && frames["button"] == [16, 619, 343, 32])
        #expect(frames["tableView"] == [0, 108, 375, 503])
    }

    // MARK: Storyboards

    @Test func `A part that the notation lacks is listed with its place, and nothing is lost silently`() throws {
        let text = "screen A\n    label x\n    image y\n"
        let storyboard = try Self.storyboard(text)
        func left(_ old: String, _ new: String) throws -> [String] {
            #expect(storyboard.contains(old))
            let reading = try ScreenNotation.screens(
                storyboard: Array(storyboard.replacing(old, with: new).utf8), path: "M.storyboard")
            return reading.left.map { String("\($0)".split(separator: ": ", maxSplits: 1).last ?? "") }
        }
        #expect(
            try left("lineBreakMode=\"tailTruncation\"", "lineBreakMode=\"clip\"") == [
                "lineBreakMode of label would be \"tailTruncation\" instead of \"clip\""
            ])
        #expect(
            try left("<imageView ", "<imageView tag=\"4\" ") == ["the attribute tag of imageView is not covered"])
        #expect(
            try left("<subviews>", "<subviews><mapView id=\"m\"/>") == [
                "mapView is not covered", "mapView of subviews is not covered",
            ])
        #expect(
            try left("constant=\"8\"", "constant=\"8\" priority=\"750\"") == [
                "1 of the constraints of view are not covered: the notation lays out views itself"
            ])
        #expect(
            try left("<fontDescription key=\"fontDescription\" type=\"system\" pointSize=\"17\"/>", "") == [
                "label would get fontDescription fontDescription"
            ])
    }

    @Test(arguments: `The samples' storyboards`.sources)
    func `A storyboard of a sample is read with a list of what would be lost`(
        _ source: `The samples' storyboards`.Source
    )
        throws
    {
        guard source.path.hasSuffix(".storyboard") else { return }
        let reading = try ScreenNotation.screens(storyboard: source.bytes, path: source.path)
        // The samples were drawn by hand: frames, and no constraints.
        #expect(reading.left.isEmpty == source.testDescription.hasPrefix("a new widget"))
        // The rest of it is a text that compiles.
        #expect(throws: Never.self) { try ScreenNotation.storyboard(reading.bytes, path: "Main.screens") }
    }

    @Test(arguments: [Starter.Kind.list, .detail, .form, .feed])
    func `The screens of a new widget are in their normal form, but for comments`(_ kind: Starter.Kind) throws {
        let file = try #require(Starter(named: "A", kind: kind)?.files.first { $0.path == "Main.screens" })
        let text = String(decoding: file.bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        #expect(try Self.again(text) == lines.joined(separator: "\n"))
    }

    // MARK: The document

    private static func page() throws -> String {
        let page = try #require(Corpus.files(in: "../../docs").first { $0.name == "screens.md" })
        return String(decoding: page.bytes, as: UTF8.self)
    }

    @Test func `docs/screens.md lists every kind and every property, with its values`() throws {
        let page = try Self.page()
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let kinds = rows.filter { $0.split(separator: "|").count == 3 }
        #expect(
            kinds.map { String($0.split(separator: "|")[0]) } == NotationKind.allCases.map { " `\($0.rawValue)` " })
        #expect(
            kinds.map { String($0.split(separator: "|")[2]) } == NotationKind.allCases.map { " \($0.meaning) " })
        var expected: [String] = []
        for property in NotationProperty.all {
            let owners = property.owners.joined(separator: ", ")
            expected.append("| `\(property.name)` | \(property.value) | \(owners) | \(property.meaning) |")
        }
        let listed: [String] = rows.filter { $0.split(separator: "|").count == 4 }.map { String($0) }
        #expect(listed == expected)
    }

    @Test func `The example of docs/screens.md is in its normal form`() throws {
        let page = try Self.page()
        let example = try #require(page.firstMatch(of: /(?s)```screens\n(.*?)```/)).1
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        #expect(try Self.again(String(example)) == lines.joined(separator: "\n"))
    }
}
