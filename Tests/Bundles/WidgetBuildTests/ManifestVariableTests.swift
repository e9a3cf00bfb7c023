import Testing
import WidgetBuild
import WidgetPlist
import WidgetTestSupport

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
        #expect(notes.contains("Info.plist: the modifier shiny is not known; it changes nothing"))
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
            #expect(notes.contains("Info.plist: a text with too many or too long variables is cut: $(A0)"))
        }
    }

    // MARK: Limits

    /// A project with targets of one configuration each.
    private static func project(targets: [String], _ objects: String, settings: String = "") -> String {
        """
        { objects = { P = {buildConfigurationList = L; targets = (\(targets.joined(separator: ", "))); };
        L = {buildConfigurations = (C); }; C = {name = Release; buildSettings = {\(settings)}; };
        \(objects) }; rootObject = P; }
        """
    }

    private static func target(_ id: String, _ settings: String = "", list: String = "Other.plist") -> String {
        """
        \(id) = {name = \(id); buildConfigurationList = \(id)L; }; \(id)L = {buildConfigurations = (\(id)C); };
        \(id)C = {name = Release; baseConfigurationReference = X; buildSettings = {INFOPLIST_FILE = \(list); \(settings)}; };
        """
    }

    private static func failure(_ members: [String: String], project: String) -> BuildFailure? {
        #expect(throws: BuildFailure.self) { try compiled(members, ["A.xcodeproj/project.pbxproj": project]) }
    }

    @Test(arguments: [1_000, 2_000_000])
    func `A setting that inherits its value very often is an error that names it`(_ count: Int) {
        let inherited = String(repeating: "$(inherited)", count: count)
        let project = Self.project(
            targets: ["T"], Self.target("T", "ID = \"\(inherited)\";", list: "Info.plist"),
            settings: "ID = \(String(repeating: "a", count: 10_000));")
        let failure = Self.failure(["CFBundleIdentifier": "$(ID)", "CFBundleVersion": "$(ID)"], project: project)
        #expect(failure?.errors.map { "\($0)" } == ["Info.plist: the value of $(ID) is longer than 16384 bytes"])
        #expect(failure?.hints == ["shorten the setting in A.xcodeproj"])
    }

    @Test func `A setting that is too long is passed over if no text has its variable`() throws {
        let project = Self.project(
            targets: ["T"], Self.target("T", "ID = \(String(repeating: "a", count: 20_000));", list: "Info.plist"))
        let (list, _, _) = try Self.compiled(
            ["CFBundleIdentifier": "a.$(TARGET_NAME)"], ["A.xcodeproj/project.pbxproj": project])
        #expect(list["CFBundleIdentifier"]?.string == "a.T")
    }

    @Test func `A target that is listed very often is looked at once`() throws {
        let project = Self.project(
            targets: Array(repeating: "T", count: 200_000), Self.target("T", "ID = \"a.b\";", list: "\"$(NAME)\""))
        var reads = 0
        let elapsed = try ProcessorTime.spent {
            let (list, notes, _) = try Self.compiled(
                ["CFBundleIdentifier": "$(ID)"], ["A.xcodeproj/project.pbxproj": project])
            #expect(list["CFBundleIdentifier"]?.string == "a.b", "the only target counts, \(notes)")
            reads += 1
        }
        #expect(elapsed < .seconds(60) && reads == 1)
    }

    @Test func `A project with very many targets is not used, with a note`() throws {
        let names = (0..<300).map { "T\($0)" }
        let project = Self.project(targets: names, names.map { Self.target($0) }.joined())
        let (_, notes, _) = try Self.compiled(Self.usual, ["A.xcodeproj/project.pbxproj": project])
        #expect(notes.contains("Info.plist: A.xcodeproj is not used: 1:1: it has more than 256 targets"), "\(notes)")
    }

    @Test func `A project whose targets come to very many settings is not used, with a note`() throws {
        let names = (0..<200).map { "T\($0)" }
        // Few long ones come to as many bytes as many short ones.
        let value = String(repeating: "a", count: 4_000)
        let settings = (0..<100).map { "S\($0) = \(value);" }.joined()
        let project = Self.project(targets: names, names.map { Self.target($0) }.joined(), settings: settings)
        let (_, notes, _) = try Self.compiled(Self.usual, ["A.xcodeproj/project.pbxproj": project])
        #expect(
            notes.contains("Info.plist: A.xcodeproj is not used: 1:1: the settings of its targets exceed 64 MiB"),
            "\(notes)")
    }

    @Test func `Thousands of unknown variables are a few notes and their number`() throws {
        let members = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("K\($0)", "$(V\($0))") })
        var notes: [String] = []
        let elapsed = try ProcessorTime.spent {
            notes = try Self.compiled(members.merging(["CFBundleIdentifier": "a.b"]) { own, _ in own }).notes
        }
        #expect(notes.count { $0.hasSuffix("has no value; it is left out") } == 20)
        #expect(notes.contains("Info.plist: 19980 further variables have no value; they are left out"))
        #expect(elapsed < .seconds(60))
    }

    @Test func `Variables of all texts together have a limit, which is an error`() {
        let project = Self.project(
            targets: ["T"], Self.target("T", "BIG = \(String(repeating: "a", count: 16_000));", list: "Info.plist"))
        let members = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("K\($0)", "$(BIG)") })
        let failure = Self.failure(members.merging(["CFBundleIdentifier": "a.b"]) { own, _ in own }, project: project)
        #expect(
            failure?.errors.map { "\($0)" } == ["Info.plist: its variables need more than 32 MiB of text"])
    }
}
