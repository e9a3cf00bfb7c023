import Plist
import TestSupport
import Testing
import WidgetBuild

/// The variables of build settings in a source's property list.
@Suite struct `Variables of a property list` {
    private static func manifest(_ members: [String: String]) -> [UInt8] {
        let rows = members.sorted { $0.key < $1.key }.map { "<key>\($0)</key><string>\($1)</string>" }
        return Array("<plist version=\"1.0\"><dict>\(rows.joined())</dict></plist>".utf8)
    }

    private static let usual = [
        "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)", "CFBundleName": "$(PRODUCT_NAME)",
        "CFBundleExecutable": "${EXECUTABLE_NAME}", "CFBundleDevelopmentRegion": "$(DEVELOPMENT_LANGUAGE)",
        "CFBundleShortVersionString": "$(MARKETING_VERSION)", "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)",
    ]

    private static func compiled(
        _ members: [String: String], _ files: [String: String] = [:], folder: String = "My Demo",
        values: BuildValues = .none
    ) throws -> (list: PlistValue, notes: [String], name: String) {
        var sources = files.mapValues { Array($0.utf8) }
        sources["Info.plist"] = manifest(members)
        let compiled = try BundleCompiler(sources, folder: folder, values: values)
        let list = try #require(compiled.files.first { $0.path == "Info.plist" })
        return (
            try PlistValue(parsing: list.bytes), compiled.notes.filter { $0.hasPrefix("Info.plist") }, compiled.name
        )
    }

    private static func texts(_ list: PlistValue, _ keys: [String]) -> [String] { keys.map { list[$0]?.string ?? "-" } }

    @Test func `Without a project file, the folder's name gives the values, with notes`() throws {
        let (list, notes, name) = try Self.compiled(Self.usual)
        #expect(name == "My Demo")
        #expect(
            Self.texts(list, Self.usual.keys.sorted()) == [
                "en", "My Demo", "com.example.My-Demo", "My Demo", "1.0", "1",
            ])
        #expect(
            notes == [
                "Info.plist: $(CURRENT_PROJECT_VERSION) is 1 now; `--build-number` or a project file says another",
                "Info.plist: $(MARKETING_VERSION) is 1.0 now; `--version` or a project file says another",
                "Info.plist: $(PRODUCT_BUNDLE_IDENTIFIER) is com.example.My-Demo now; `--identifier` or a project file says another",
                "Info.plist: $(PRODUCT_NAME) is My Demo now; `--name` or a project file says another",
            ])
    }

    @Test(arguments: [
        ("$(PRODUCT_NAME:rfc1034identifier)", "1st-D-mo.x-y"), ("${PRODUCT_NAME:c99extidentifier}", "_st_D_mo_x_y"),
        ("a.$(PRODUCT_NAME:rfc1034identifier:lower).b", "a.1st-d-mo.x-y.b"), ("$(PRODUCT_NAME:upper)", "1ST DéMO.X+Y"),
        ("$(NOTHING:default=some thing)", "some thing"), ("$(PRODUCT_NAME:default=other)", "1st Démo.x+y"),
        ("$(TARGET_NAME)${PRODUCT_NAME}", "1st Démo.x+y1st Démo.x+y"), ("$5 and $(open", "$5 and $(open"),
        ("$(PRODUCT_$(WORD:default=NAME))", "1st Démo.x+y"), ("no variable", "no variable"),
    ])
    func `Both forms of variables and their modifiers are understood`(_ text: String, _ expected: String) throws {
        let (list, _, _) = try Self.compiled(
            ["CFBundleIdentifier": "com.example.A", "Key": text], folder: "1st Démo.x+y")
        #expect(list["Key"]?.string == expected)
    }

    @Test func `Variables in nested values are replaced, and other values stay`() throws {
        let text = """
            <plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>L</key><array><dict><key>K</key>
            <string>x.$(PRODUCT_NAME)</string></dict><integer>7</integer></array></dict></plist>
            """
        let compiled = try BundleCompiler(["Info.plist": Array(text.utf8)], folder: "F")
        let list = try PlistValue(parsing: compiled.files[0].bytes)
        #expect(list["L"]?.array?.first?["K"]?.string == "x.F" && list["L"]?.array?.last?.integer == 7)
    }

    @Test func `A variable without a value and an unknown modifier leave nothing, with a note`() throws {
        let (list, notes, _) = try Self.compiled(
            ["CFBundleIdentifier": "a.b", "K": "a$(APP_KEY)b$(PRODUCT_NAME:shiny)"])
        #expect(list["K"]?.string == "abMy Demo")
        #expect(notes.contains("Info.plist: $(APP_KEY) has no value; it is left out"))
        #expect(notes.contains("Info.plist: the modifier shiny has no value; it is left out"))
    }

    @Test func `Options come before the project file and the property list`() throws {
        let values = BuildValues(
            name: "Named", identifier: "org.example.Named", version: "7.1", buildNumber: "42", project: nil)
        let project = ["A.xcodeproj/project.pbxproj": Self.project]
        let (list, notes, name) = try Self.compiled(Self.usual, project, values: values)
        #expect(name == "Named")
        #expect(
            Self.texts(list, Self.usual.keys.sorted()) == ["de", "libNamed", "org.example.Named", "Named", "7.1", "42"])
        #expect(!notes.contains { $0.contains("is") && $0.contains("now") })
        let (literal, _, _) = try Self.compiled(
            ["CFBundleIdentifier": "a.b", "CFBundleVersion": "1", "CFBundleShortVersionString": "1.0"], values: values)
        #expect(literal["CFBundleIdentifier"]?.string == "org.example.Named")
        #expect(literal["CFBundleVersion"]?.string == "42" && literal["CFBundleName"]?.string == "Named")
    }

    // MARK: Project files

    /// A project with two targets, written as Xcode writes them. Fuzzing starts from it, too.
    private static let project = String(
        decoding: Corpus.files(in: "projects").first { $0.name == "application.pbxproj" }?.bytes ?? [], as: UTF8.self)

    @Test func `A project file gives the values of the target that has the property list`() throws {
        let files = [
            "A.xcodeproj/project.pbxproj": Self.project,
            "Config/Base.xcconfig":
                "// comment\n#include \"More.xcconfig\"\nPREFIX = com.$(WORD) // why\nX[arch=*] = no\n",
            "Config/More.xcconfig": "WORD = included\r\nPREFIX = overridden\n",
        ]
        var members = Self.usual
        members["Names"] = "$(NAMES)"
        members["Organization"] = "$(ORGANIZATION)"
        let (list, notes, name) = try Self.compiled(members, files)
        #expect(name == "App___Co")
        #expect(
            Self.texts(list, Self.usual.keys.sorted()) == [
                "de", "libApp___Co", "com.included.App---Co", "App___Co", "2.0", "12",
            ])
        #expect(list["Names"]?.string == "one two three" && list["Organization"]?.string == "org.\"quoted\"")
        #expect(notes == ["Info.plist: its variables have the values of A.xcodeproj, target App & Co"])
    }

    @Test(arguments: [
        ("", "1:1: the file ends too early"), ("{ a = b }", "1:9: expected ; after a value"),
        ("{ a /* open", "1:5: a comment has no end"), ("{ a = \"open", "1:7: a text has no closing quote"),
        ("{\n<<<<<<< HEAD\n= b; }", "2:9: expected = after a key"), ("( a b )", "1:5: expected , or ) after a value"),
        ("{ a = b; } c", "1:12: something follows the property list"),
        ("{ a = b; }", "1:1: this is not a project file of Xcode"),
        (String(repeating: "(", count: 40), "1:34: values are nested deeper than 32"),
    ])
    func `A project file that cannot be read is a note with its place, and the folder gives the values`(
        _ text: String, _ reason: String
    ) throws {
        let (list, notes, _) = try Self.compiled(Self.usual, ["A.xcodeproj/project.pbxproj": text])
        #expect(notes.contains("Info.plist: A.xcodeproj is not used: \(reason)"), "\(notes)")
        #expect(list["CFBundleIdentifier"]?.string == "com.example.My-Demo")
    }

    @Test func `A project file whose targets have other property lists is a note`() throws {
        let text = Self.project.replacing("/./Info.plist", with: "/Other/Info.plist")
        let (_, notes, _) = try Self.compiled(Self.usual, ["A.xcodeproj/project.pbxproj": text])
        #expect(notes.contains("Info.plist: A.xcodeproj is not used: no target of it has this Info.plist"))
    }

    @Test func `Settings that contain each other or grow without end are cut`() throws {
        func text(_ settings: String) -> String {
            Self.project.replacing("ORGANIZATION =", with: "\(settings) ORGANIZATION =")
        }
        let long = (0..<12).map { "A\($0) = \"" + String(repeating: "$(A\($0 + 1))", count: 10) + "\";" }.joined()
        for settings in ["A0 = \"$(A1)\"; A1 = \"$(A0)$(A0)\";", "\(long) A12 = aaaaaaaaaaaaaaaa;"] {
            let (list, notes, _) = try Self.compiled(
                ["CFBundleIdentifier": "a.b", "K": "$(A0)"], ["A.xcodeproj/project.pbxproj": text(settings)])
            #expect((list["K"]?.string ?? "").utf8.count <= 16 << 10)
            #expect(notes.contains("Info.plist: a text with too many or too long variables is cut"))
        }
    }
}
