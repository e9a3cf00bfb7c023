import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: folders of languages that no reader has, files in them that are never read, and tables of texts that translate
/// nothing are reported. Method: bundles of a screen, or of a document, with such files.
@Suite struct `Languages of a bundle` {
    private static func found(_ files: [String]) throws -> [Finding] {
        let all = Dictionary(uniqueKeysWithValues: files.map { ($0, Array(#""a" = "b";"#.utf8)) })
        return try TestInterface.program([], scheme: "", files: all).diagnostics
    }

    private static func document(_ files: [String: String]) throws -> [Finding] {
        var all = ["Main.widgets.json": "[]"]
        all.merge(files) { $1 }
        return try DocumentFrontEnd.program(BundleFiles(all.mapValues { Array($0.utf8) }), identifier: "test")
            .diagnostics
    }

    @Test(
        arguments: [
            ("german", "de"), ("German", "de"), ("dutsch", "nl"), ("DE", "de"), ("jp", "ja"), ("cz", "cs"),
            ("DE-AT", "de-AT"),
        ])
    func `A folder of no language is reported with the right name`(folder: String, meant: String) throws {
        let reported = try Self.found(["\(folder).lproj/InfoPlist.strings"])
        #expect(reported.map(\.code) == [.unknownLocale], "\(reported)")
        #expect(
            reported.first?.place?.file == "\(folder).lproj" && reported.first?.hint == "did you mean \(meant).lproj?")
    }

    @Test(arguments: ["Base", "de", "de-AT", "de_AT", "pt-BR", "zh-Hans", "zh_TW", "fil", "haw", "nb", "iw"])
    func `A folder of a language is left alone`(folder: String) throws {
        #expect(try Self.found(["\(folder).lproj/InfoPlist.strings"]).isEmpty)
    }

    @Test func `A folder with a code that is of no language is reported`() throws {
        #expect(try Self.found(["xx.lproj/InfoPlist.strings"]).first?.hint?.contains("the code of a language") ?? false)
    }

    @Test func `A table of texts of no interface is reported, with the nearest one`() throws {
        // The table of an application's code stays in products of Xcode.
        let reported = try Self.found([
            "de.lproj/Localizable.strings", "de.lproj/Words.strings", "fr.lproj/main.strings",
        ])
        #expect(
            reported.map(\.message) == [
                "Words.strings translates nothing: no interface is called Words",
                "main.strings translates nothing: no interface is called main",
            ])
        #expect(reported.last?.hint == "did you mean Main.strings?")
        #expect(reported.first?.hint == "the texts of Main are in Main.strings")
    }

    @Test func `A table of an interface without keys is reported to lie outside of the folder for all`() throws {
        let reported = try Self.found(["de.lproj/Main.strings"])
        #expect(reported.map(\.message) == ["Main.strings translates nothing: Main does not lie in Base.lproj"])
    }

    /// A screen with a label whose text has the key `a.text`.
    private static var translatable: [UInt8] {
        var interface = TestInterface()
        let root = interface.add("NSObject")
        let view = interface.add("UIView")
        let controller = interface.add("UIViewController", [("UIView", .object(view))])
        interface.set(root, "UINibTopLevelObjectsKey", interface.list([controller]))
        let (key, written) = (interface.text("a.text"), interface.text("Good morning"))
        let text = interface.add("NSLocalizableString", [("NSKey", .object(key)), ("NSDev", .object(written))])
        let label = interface.add("UILabel", [("UIText", .object(text))])
        interface.set(view, "UISubviews", interface.list([label]))
        return interface.bytes
    }

    @Test func `Keys that no text has and texts that a language lacks are reported, a line for each file`() throws {
        func found(_ strings: String, in folder: String = "de.lproj") throws -> [Finding] {
            try TestInterface.program(
                [("Main", "main")],
                [
                    "Main.storyboardc/main.nib": Self.translatable, "\(folder)/Main.strings": Array(strings.utf8),
                ]
            ).diagnostics
        }
        let slips = try found("\"b.text\" = \"x\";\n\"a.title\" = \"y\";\n")
        #expect(
            slips.map(\.message) == [
                "b.text and 1 other keys are of no text",
                "1 of the texts of Main is not translated: \"Good morning\" (a.text)",
            ])
        #expect(slips.first?.place == Place(file: "de.lproj/Main.strings", line: 1, column: 1))
        #expect(slips.first?.hint == "did you mean a.text?")
        #expect(try found("\"a.text\" = \"Guten Morgen\";").isEmpty)
        #expect(try found("", in: "en.lproj").isEmpty)
    }

    @Test func `A sentence about fields of nearly the right name is reported with its line`() throws {
        let files = ["de.lproj/Validation.strings": Array("\"required\" = \"a\";\n\"minimumLenght\" = \"b\";\n".utf8)]
        let reported = try TestInterface.program([], scheme: "", files: files).diagnostics
        #expect(reported.map(\.message) == [#"No message about fields is "minimumLenght""#])
        #expect(reported.first?.place == Place(file: "de.lproj/Validation.strings", line: 2, column: 1))
        #expect(reported.first?.hint == #"did you mean "minimumLength"?"#)
    }

    @Test func `A file that one at the top hides is reported, once for each folder`() throws {
        let reported = try Self.document([
            "fr.lproj/Main.widgets.json": "[]", "fr.lproj/theme.json": "{}", "theme.json": "{}",
            "Base.lproj/Cart.widgets.json": "[]",
        ]).filter { $0.code == .translation }
        #expect(
            reported.map(\.message) == [
                "Main.widgets.json is never read, because one lies at the top, like 1 other files of the folder"
            ])
        #expect(reported.first?.place?.file == "fr.lproj/Main.widgets.json")
        let files = ["Base.lproj/Main.widgets.json": "[]", "fr.lproj/Main.widgets.json": "[]"]
        let sound = BundleFiles(files.mapValues { Array($0.utf8) })
        #expect(try DocumentFrontEnd.program(sound, identifier: "test").diagnostics.isEmpty)
    }

    @Test func `A document that one language alone has is reported`() throws {
        let found = try Self.document(["fr.lproj/Cart.widgets.json": "[]"]).filter { $0.code == .translation }
        #expect(
            found.map(\.message) == ["Cart.widgets.json is in fr.lproj alone, so readers of all languages see it"])
        let files = ["Base.lproj/Cart.widgets.json": "[]", "fr.lproj/Cart.widgets.json": "[]"]
        #expect(try Self.document(files).allSatisfy { $0.code != .translation })
    }

    @Test func `Tables of texts beside documents alone are reported`() throws {
        let reported = try Self.document(["fr.lproj/Validation.strings": "", "fr.lproj/InfoPlist.strings": ""])
        #expect(reported.map(\.code) == [.translation])
        #expect(reported.first?.message.hasPrefix("Validation.strings translates nothing") ?? false)
    }

    @Test(
        arguments: [
            ("service.json", "Service.json"), ("Cart.widget.json", "Cart.widgets.json"), ("themes.json", "theme.json"),
            ("component/tag.json", "components/tag.json"),
        ])
    func `A file that nothing reads is reported with the name that is meant`(name: String, meant: String) throws {
        let reported = try Self.document([name: "{}"])
        #expect(
            reported.map(\.message) == ["Nothing reads \(name)"] && reported.first?.hint == "did you mean \(meant)?")
        #expect(try Self.document(["data.json": "{}"]).isEmpty)
    }
}
