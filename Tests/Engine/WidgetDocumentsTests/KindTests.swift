import Foundation
import JSONText
import Testing
import WidgetTestSupport

@testable import WidgetDocuments

extension DocumentKind {
    /// These kinds are registered alone.
    fileprivate static func lower(
        _ element: DocumentElement, in maker: inout SceneMaker
    ) throws(ElementFault) -> Lowered { Lowered() }
}

/// A second kind of a name that another one has.
private enum OtherLabel: DocumentKind {
    static let spec = KindSpec("label", "Another label.")
}

private enum StolenAlias: DocumentKind {
    static let spec = KindSpec("headline", "A kind with the alias of another one.", aliases: ["text"])
}

private enum BadName: DocumentKind {
    static let spec = KindSpec("Big Label", "A kind that documents cannot name.")
}

@Suite struct KindTests {
    @Test func `Every kind of the program is registered, under names that no other has`() throws {
        var registry = KindRegistry()
        for kind in KindRegistry.all { try registry.register(kind) }
        #expect(registry.specs.map(\.name) == KindRegistry.standard.specs.map(\.name))
    }

    /// B22: a kind that is written is there, without a list that two authors merge.
    @Test func `Every type that conforms to DocumentKind is in the list of kinds`() throws {
        let folder = "\(Corpus.repositoryRoot)/Sources/Engine/WidgetDocuments"
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        var declared: Set<String> = []
        for case let path as String in files where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            for match in text.matches(of: /(?:enum|struct|class) (\w+): DocumentKind\b/) {
                declared.insert(String(match.1))
            }
        }
        #expect(declared == Set((KindRegistry.all + KindRegistry.ofPrograms).map { $0.spec.aliases.first ?? "" }))
        #expect(declared.count > 15)
    }

    /// B10.
    @Test func `A name that another kind has is refused, as a name and as an alias`() throws {
        var registry = KindRegistry.standard
        #expect(throws: KindError.duplicate("label", of: "label")) { try registry.register(OtherLabel.self) }
        #expect(throws: KindError.duplicate("text", of: "label")) { try registry.register(StolenAlias.self) }
        #expect(throws: KindError.badName("Big Label")) { try registry.register(BadName.self) }
        #expect(registry.spec("label")?.about == KindRegistry.standard.spec("label")?.about)
    }

    /// B10.
    @Test func `A kind replaces another of its name only on demand, with all of its aliases`() throws {
        var registry = KindRegistry.standard
        try registry.register(OtherLabel.self, replacing: true)
        #expect(registry.spec("label")?.about == "Another label.")
        #expect(registry.spec("text") == nil)
        #expect(registry.specs.count == KindRegistry.standard.specs.count)
        #expect(KindRegistry.standard.spec("text")?.name == "label")
    }

    /// B5.
    @Test(arguments: [
        ("TimerWidget", "timer"), ("TextFieldWidget", "textfield"), ("WidgetListWidget", "widgetlist"),
        ("Clock", "clock"), ("Widget", "widget"),
    ])
    func `A kind is named after its type, without the word Widget at the end`(type: String, name: String) {
        #expect(KindSpec.name(ofType: type) == name)
    }

    @Test(arguments: ["Label", "1st", "-a", "a b", "", "é", String(repeating: "a", count: 65)])
    func `A name that documents cannot write is refused`(name: String) {
        #expect(!KindSpec.isName(name))
    }

    @Test func `Every description is complete`() throws {
        for spec in KindRegistry.standard.specs {
            #expect(KindSpec.isName(spec.name) && spec.about.hasSuffix(".") && !spec.samples.isEmpty, "\(spec.name)")
            let names = spec.properties.map(\.name) + spec.slots.map(\.name)
            #expect(Set(names).count == names.count, "\(spec.name)")
            for property in spec.properties {
                #expect(!property.about.isEmpty && !property.about.hasSuffix("."), "\(spec.name).\(property.name)")
                #expect(property.initial == nil || !property.isRequired, "\(spec.name).\(property.name)")
                guard case .choice(let words) = property.type, case .text(let word) = property.initial else { continue }
                #expect(words.contains(word), "\(spec.name).\(property.name)")
            }
            for sample in spec.samples { _ = try JSONValue(parsing: Array(sample.utf8)) }
        }
    }

    @Test(arguments: KindRegistry.standard.specs.map(\.name))
    func `A default that is written out is the same as one that is left out`(kind: String) throws {
        let spec = try #require(KindRegistry.standard.spec(kind))
        for property in spec.properties {
            let value: Any
            switch property.initial {
            case .text(let text)?: value = text
            case .number(let number)?: value = number
            case .flag(let flag)?: value = flag
            case nil: continue
            }
            let without = try KindUse(spec, KindUse.set(property.name, nil))
            let with = try KindUse(spec, KindUse.set(property.name, value))
            #expect(with.faults == without.faults, "\(property.name)")
            for (form, bytes) in with.printed {
                #expect(without.printed[form] == bytes, "\(property.name) as \(form)")
            }
        }
    }

    /// B23.
    @Test func `The description of a kind as JSON has all that its table has`() throws {
        let spec = try #require(KindRegistry.standard.spec("textfield"))
        let kind = try #require(try JSONValue(parsing: KindHelp.json([spec]))["kinds"]?.array?.first)
        #expect(kind["name"]?.string == "textfield")
        #expect(kind["aliases"]?.array?.map(\.string) == ["TextFieldWidget"])
        let keyboard = try #require(kind["properties"]?.array?.first { $0["name"]?.string == "keyboard" })
        #expect(keyboard["default"]?.string == "standard" && keyboard["bindable"]?.boolean == false)
        #expect(keyboard["type"]?.string?.hasPrefix("standard | email") == true)
        #expect(
            kind["events"]?.array?.compactMap { $0["name"]?.string } == ["change", "begin", "end", "submit", "instead"])
        #expect(kind["samples"]?.array?.first?["kind"]?.string == "textfield")
    }

    @Test func `A misspelt kind gets the nearest name as a hint, one of elsewhere that of here, and another all names`()
    {
        #expect(KindRegistry.standard.hint("buton") == "did you mean button?")
        #expect(KindRegistry.standard.hint("btuton") == "did you mean button?")
        #expect(KindRegistry.standard.hint("Hstack") == "did you mean hstack?")
        #expect(KindRegistry.standard.hint("list") == "did you mean table?")
        #expect(KindRegistry.standard.hint("zebra-crossing").hasPrefix("the kinds are alert, async, box, button, "))
    }
}

/// Documents that name their schema.
@Suite struct NamedSchemaTests {
    @Test func `A scene can name the schema that an editor checks it with`() throws {
        let bench = try DocumentBench(
            #"{"$schema": "../.schemas/document.json", "schema": 1, "root": [{"kind": "label", "payload": {"text": "A"}}]}"#
        )
        #expect(bench.messages.isEmpty && bench.lines == ["A"], "\(bench.messages)")
    }
}

/// The JSON Schema is checked by a validator of the tests, which knows nothing of the reader.
@Suite struct DocumentSchemaTests {
    private static let check = Result {
        DraftSevenCheck(try PlainJSON(DocumentSchema.document(KindRegistry.standard.specs).json))
    }

    private static func complaints(_ text: String) throws -> [String] {
        try check.get().complaints(try PlainJSON(Array(text.utf8)))
    }

    @Test func `Every sample of a kind is valid`() throws {
        for sample in KindRegistry.standard.specs.flatMap(\.samples) {
            #expect(try Self.complaints(sample) == [], "\(sample)")
        }
    }

    @Test(arguments: [
        #"[]"#, #"[{"kind": "label", "payload": {"text": "A"}}]"#,
        #"{"schema": 1, "root": [{"kind": "spinner"}], "state": {"a": 1}, "on": {"load": {"do": "toggle", "state": "a"}}}"#,
        #"{"kind": "card", "payload": {"anything": 1}}"#,
        #"{"kind": "label", "payload": {"text": {"$": "1 + 1"}}, "if": "$shown", "style": {"padding": {"top": 3}}}"#,
    ])
    func `A document that the reader takes is valid`(text: String) throws {
        #expect(try Self.complaints(text) == [])
    }

    @Test(arguments: [
        #"{"kind": "label", "payload": {"txt": "A"}}"#, #"{"kind": "label", "payload": {"align": "middle"}}"#,
        #"{"kind": "timer", "payload": {}}"#, #"{"kind": "button", "on": {"select": []}}"#,
        #"{"kind": "label", "style": {"colour": "red"}}"#, #"{"schema": 2, "root": []}"#, #"{"payload": {}}"#,
        #"{"kind": "button", "on": {"tap": {"do": "set", "to": 1}}}"#,
        #"{"kind": "label", "slots": {"empty": {"kind": "label"}}}"#,
    ])
    func `A document that the reader complains about is not valid`(text: String) throws {
        #expect(try Self.complaints(text) != [])
    }
}
