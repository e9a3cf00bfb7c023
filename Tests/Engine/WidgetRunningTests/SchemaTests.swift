import Foundation
import JSONText
import Testing
import WidgetCore
import WidgetFiles
import WidgetTestSupport

@testable import WidgetFormats
@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: editors complete what the readers read, and mark what they report. Method: files and mistakes, checked against
/// the documents by a checker of the tests.
@Suite struct `A schema for editors` {
    private static let checks = Result {
        try Dictionary(
            uniqueKeysWithValues: AuthoredSchema.allCases.map { ($0, DraftSevenCheck(try PlainJSON($0.document.json))) }
        )
    }

    private static func complaints(_ text: String, _ schema: AuthoredSchema) throws -> [String] {
        try #require(try checks.get()[schema]).complaints(try PlainJSON(Array(text.utf8)))
    }

    // MARK: - The documents

    @Test(arguments: AuthoredSchema.allCases)
    func `A schema for editors is a file of the documents as well`(schema: AuthoredSchema) throws {
        let path = "\(Corpus.repositoryRoot)/docs/schemas/\(schema.rawValue).json"
        if Corpus.isWritten { try Data(schema.document.json).write(to: URL(filePath: path)) }
        #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == schema.document.json)
    }

    @Test func `A schema for editors describes each of its members`() throws {
        for schema in AuthoredSchema.allCases {
            var pending = [("", try PlainJSON(schema.document.json))]
            var names = 0
            while let (path, value) = pending.popLast() {
                for (name, member) in value.members ?? [:] where name != "if" && name != "then" {
                    pending.append(("\(path)/\(name)", member))
                }
                for member in value.array ?? [] { pending.append((path, member)) }
                guard path.hasSuffix("/properties") else { continue }
                for (name, member) in value.members ?? [:] where !path.contains("/allOf") {
                    names += 1
                    #expect(member["description"] != nil || member["$ref"] != nil, "\(schema) \(path)/\(name)")
                }
            }
            #expect(names > 5)
        }
    }

    @Test(arguments: SchemeKeys.types)
    func `A schema for editors has the attributes and outlets of each class, and no others`(type: String) throws {
        let attributes = MediatorClass.attributes(of: type).map { #""\#($0.name)": null"# }.joined(separator: ", ")
        let outlets = MediatorClass.outlets(of: type).map { #""\#($0.name)": "x""# }.joined(separator: ", ")
        func complaints(_ attributes: String, _ outlets: String) throws -> [String] {
            let json = """
                {"Main": {"objects": {"x": {"type": "\(type)", "attrs": {\(attributes)}, "outlets": {\(outlets)}}}}}
                """
            return try Self.complaints(json, .scheme)
        }
        #expect(try complaints(attributes, outlets).isEmpty)
        #expect(try complaints("\(attributes), \"zz\": 1", outlets) == ["/Main/objects/x/attrs/zz: is not allowed"])
        let more = outlets.isEmpty ? "" : "\(outlets), "
        #expect(try complaints("", "\(more)\"zz\": \"x\"") == ["/Main/objects/x/outlets/zz: is not allowed"])
    }

    @Test func `A schema for editors offers every property that bindings and schemes can name`() {
        let offered = Set(ElementAttributes.all.map(\.name))
        #expect(Set(WidgetKitVocabulary.vocabulary.keys.keys).subtracting(offered).isEmpty)
    }

    @Test func `A schema for editors gives defaults to keys that exist`() {
        let attributes = MediatorClass.all.values.flatMap { $0.attributes.map(\.name) } + SchemeKeys.screen.map(\.name)
        #expect(Set(AuthoredDefaults.attributes.keys).isSubset(of: attributes))
        let keys = [
            ServiceKeys.action, ServiceKeys.defaults, ServiceKeys.options, ServiceKeys.dateTransformer,
            ServiceKeys.authorization,
        ].flatMap { $0.map(\.name) }
        #expect(Set(AuthoredDefaults.services.keys).isSubset(of: keys))
    }

    @Test func `A schema for editors says what an absent member of an action means`() throws {
        func service(_ action: String) throws -> String {
            let text = #"{"actions": {"go": {"path": "a", "resultType": "Note"\#(action)}}}"#
            let reader = ServiceReader(Array(text.utf8), path: "Service.json", name: "S", isScripted: false)
            return "\(try #require(reader.service).actions)"
        }
        for (name, value) in AuthoredDefaults.services {
            guard ServiceKeys.action.contains(where: { $0.name == name }) else { continue }
            let written =
                switch value {
                case .text(let text): "\"\(text)\""
                case .flag(let flag): "\(flag)"
                case .number(let number): "\(number)"
                case .fraction(let number): "\(number)"
                case .null: "null"
                }
            // The source of a template says where it was written.
            #expect(try service(", \"\(name)\": \(written)") == service(""), "\(name)")
        }
    }

    /// The verb of a step. A new step does not compile here until it has one.
    private static func verb(of step: ScriptStep) -> ScriptVerb {
        switch step {
        case .tap: .tap
        case .input: .input
        case .submit: .submit
        case .select: .select
        case .delete: .delete
        case .scroll: .scroll
        case .refresh: .refresh
        case .pick: .pick
        case .back: .back
        case .answer: .answer
        case .link: .link
        case .wait: .wait
        case .expect: .expect
        case .expectNot: .expectNot
        case .snapshot: .snapshot
        }
    }

    @Test(arguments: ScriptVerb.allCases)
    func `A schema for editors has every verb of scripts, with what the reader needs beside it`(verb: ScriptVerb) throws
    {
        let values = ["back": "true", "wait": "1", "row": "0", "section": "0", "to": "\"end\"", "refused": "true"]
        func step(_ names: [String]) -> String {
            "[{\(names.map { #""\#($0)": \#(values[$0] ?? "\"x\"")"# }.joined(separator: ", "))}]"
        }
        let companions = verb.companions.map(\.name)
        let whole = step([verb.rawValue] + companions)
        #expect(try EventScript(Array(whole.utf8)).steps.map(Self.verb) == [verb])
        #expect(try Self.complaints(whole, .script) == [])
        for companion in verb.companions {
            let lacking = step([verb.rawValue] + companions.filter { $0 != companion.name })
            let isRefused = (try? EventScript(Array(lacking.utf8))) == nil
            #expect(isRefused == companion.isRequired)
            #expect(try Self.complaints(lacking, .script).isEmpty != companion.isRequired)
        }
    }

    // MARK: - Sound files

    @Test(arguments: AuthoredSpecimen.own)
    func `A schema for editors accepts every file of this repository`(specimen: AuthoredSpecimen) throws {
        #expect(try Self.complaints(specimen.text, specimen.schema) == [])
    }

    @Test func `A schema for editors was asked about all files of this repository`() {
        let kinds = Dictionary(grouping: AuthoredSpecimen.own, by: \.schema).mapValues(\.count)
        #expect(kinds[.scheme] ?? 0 >= 20 && kinds[.service] ?? 0 >= 6 && kinds[.script] ?? 0 >= 8, "\(kinds)")
    }

    @Test(.enabled(if: Samples.originalsExist, "needs the original samples"))
    func `A schema for editors accepts the files of the framework's samples`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var specimens: [AuthoredSpecimen] = []
        for name in Samples.originals {
            let files = Corpus.tree(at: try Samples.unpack(name, into: scratch.path))
            specimens += AuthoredSpecimen.files(files, in: name)
        }
        #expect(specimens.count >= 6)
        for specimen in specimens {
            #expect(try Self.complaints(specimen.text, specimen.schema) == [], "\(specimen.path)")
        }
    }

    /// Spellings that readers take are not marked, though they are not offered.
    @Test(arguments: [
        #""actions": {"a": {"httpMethod": "post", "response": 1}, "b": {"response": null, "***": 1}}"#,
        #""actions": {"a": {"resultType": "", "response": [], "clearPolicy": null, "set": {"x": [1]}}}"#,
    ])
    func `A schema for editors accepts what the reader of services takes`(members: String) throws {
        let text = "{\(members)}"
        let reader = ServiceReader(Array(text.utf8), path: "StubService.json", name: "S", isScripted: true)
        #expect(reader.diagnostics.isEmpty, "\(reader.diagnostics)")
        #expect(try Self.complaints(text, .service) == [])
    }

    @Test(arguments: [
        #""type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortAscending": "NO", "fetchLimit": "5"}"#,
        #""type": "BaseContentProvider", "attrs": {"items": [], "resultChain": "wx_takeFirst:|wx_map:", "resultChainArgs": [2, "a"]}"#,
        #""type": "BaseContentProvider", "alias": "p", "attrs": {"searchString": null, "sortAscending": 0, "***": 1}"#,
    ])
    func `A schema for editors accepts what the reader of schemes takes`(object: String) throws {
        let scheme = #""objects": {"x": {\#(object)}}"#
        let views = TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])])
        let program = try TestStoryboard.widget(views, scheme).program
        #expect(program.diagnostics.isEmpty, "\(program.diagnostics)")
        #expect(try Self.complaints(#"{"Main": {\#(scheme)}}"#, .scheme) == [])
    }

    @Test(arguments: [
        #"{"$schema": "x.json", "***": "c"}"#, #"{"Main": {"elements": {"***": 1, "@self": {"***": []}}}}"#,
    ])
    func `A schema for editors accepts comments and the place of the schema`(json: String) throws {
        for schema in [AuthoredSchema.scheme, .service] where schema == .scheme || !json.contains("Main") {
            #expect(try Self.complaints(json, schema) == [])
        }
    }

    @Test func `A file may say where its schema is, and nothing else changes`() throws {
        let plain = try SampleBundle.widget("HarbourLog").started()
        let widget = try SampleBundle.widget("HarbourLog") { sources in
            for path in ["LogViewController.json", "EntryViewController.json", "StubService.json"] {
                let text = String(decoding: sources[path] ?? [], as: UTF8.self)
                let rest = text.drop { $0 != "{" }.dropFirst()
                sources[path] = Array(#"{"$schema": "../docs/schemas/x.json",\#(rest)"#.utf8)
            }
        }.started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        #expect(widget.text() == plain.text() && widget.column("titleText").count > 4)
    }

    private static let python = ExternalTool(inRepository: ".build/python-tools/bin/python")

    /// `.ci/setup build contract` installs the other implementation.
    @Test(.enabled(if: python != nil, "needs python3"))
    func `Each schema for editors means the same to another implementation`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var (paths, expected) = ([String](), [String]())
        for schema in AuthoredSchema.allCases {
            let sound = AuthoredSpecimen.own.filter { $0.schema == schema }.map(\.text)
            let mistakes = AuthoredMistake.all.filter { $0.schema == schema }.map(\.json)
            let document = String(decoding: schema.document.json, as: UTF8.self)
            let question = #"{"schema": \#(document), "values": [\#((sound + mistakes).joined(separator: ", "))]}"#
            paths.append("\(scratch.path)/\(schema).json")
            try Data(question.utf8).write(to: URL(filePath: paths[paths.count - 1]))
            expected.append(
                "\(schema): \(String(repeating: "1", count: sound.count))"
                    + String(repeating: "0", count: mistakes.count))
        }
        let python = try #require(Self.python)
        let answer = try #require(python.output(["\(Corpus.repositoryRoot)/Tests/Oracles/schemas.py"] + paths))
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(zip(AuthoredSchema.allCases, lines).map { "\($0): \($1)" } == expected)
    }

    // MARK: - Mistakes

    @Test(arguments: AuthoredMistake.all)
    func `A schema for editors marks a mistake where it is`(mistake: AuthoredMistake) throws {
        let complaints = try Self.complaints(mistake.json, mistake.schema)
        #expect(!complaints.isEmpty && complaints.allSatisfy { $0.hasPrefix("\(mistake.pointer): ") }, "\(complaints)")
    }

    /// A schema that is stricter than the readers would mark sound files.
    @Test(arguments: AuthoredMistake.schemes + AuthoredMistake.services)
    func `A mistake that an editor marks is reported by the reader too`(mistake: AuthoredMistake) throws {
        // The readers leave these parts out without a word.
        let silent: Set = ["a class without objects", "a part that is a number", "objects as an array"]
        let views = TestStoryboard.table("list", cells: [TestStoryboard.cell("Cell", labels: ["name"])])
        #expect(try TestStoryboard.widget(views, "").program.diagnostics.isEmpty)
        let members = mistake.schema == .scheme ? mistake.json.dropFirst(#"{"Main": {"#.count).dropLast(2) : ""
        let files = mistake.schema == .scheme ? [:] : ["StubService.json": mistake.json]
        let found = try TestStoryboard.widget(views, String(members), files: files).program.diagnostics
        #expect(found.isEmpty == silent.contains(mistake.about), "\(found)")
    }

    @Test(arguments: AuthoredMistake.scripts)
    func `A mistake in a script that an editor marks is refused by the reader, unless its step only cannot be taken`(
        mistake: AuthoredMistake
    ) {
        // These are refused when they are played, or the rest of them is not read.
        let late = ["a row below the first", "no way to scroll"]
        let steps = try? EventScript(Array(mistake.json.utf8))
        #expect((steps == nil) != late.contains(mistake.about))
    }
}
