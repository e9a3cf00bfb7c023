import Testing
import WidgetCore
import WidgetNib
import WidgetPredicates

@testable import WidgetFormats

/// Goal: a file with very many faults is read in the time of one with as many as are shown. Method: 600 faults of each
/// kind, and the number of those that were looked at.
@Suite struct `Very many faults` {
    private static let count = 600
    private static let shown = Program.diagnosticCount + 1

    /// Members of an object, one for each number.
    private static func members(_ member: (Int) -> String) -> String {
        (0..<count).map(member).joined(separator: ", ")
    }

    private static func objects(_ type: String, _ members: String) -> String {
        #""objects": {"a": {"type": "\#(type)", \#(members)}}"#
    }

    private static let labels = (0..<count).map { (class: "UILabel", name: "label\($0)") }

    /// The names of the faults, and schemes that have them.
    private static let schemes: [(name: String, scheme: String)] = [
        ("types", #""objects": {\#(members { #""m\#($0)": {"type": "ItemsColection"}"# })}"#),
        ("attributes", objects("ItemsCollection", #""attrs": {\#(members { #""itms\#($0)": 1"# })}"#)),
        (
            "evaluations",
            objects("ItemsCollection", #""evals": {\#(members { #""cellIdentifer\#($0)": {"from": "content"}"# })}"#)
        ),
        ("outlets", objects("ItemsCollection", #""outlets": {\#(members { #""masterObjct\#($0)": "a""# })}"#)),
        (
            "targets of outlets",
            objects("ItemsCollection", #""outlets": {"masterObject": [\#(members { #""b\#($0)""# })]}"#)
        ),
        (
            "files",
            #""objects": {\#(members { #""m\#($0)": {"type": "JSONFileDataProvider", "attrs": {"fileName": "Man\#($0)"}}"# })}"#
        ),
        (
            "cells",
            #""objects": {"p": {"type": "ItemsCollection"}, \#(members { #""m\#($0)": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Cel"}, "outlets": {"mainContentProvider": "p", "tableView": "table"}}"# })}"#
        ),
        ("elements", #""elements": {\#(members { #""lable\#($0)": {}"# })}"#),
        (
            "messages",
            #""elements": {\#(members { #""label\#($0)": {"action": {"target": "lable\#($0)", "selector": "go:"}}"# })}"#
        ),
        (
            "selectors",
            #""elements": {\#(members { #""label\#($0)": {"action": {"target": "@self", "selector": "backActon:"}}"# })}"#
        ),
        (
            "transformers",
            #""elements": {\#(members { #""label\#($0)": {"bindings": [{"from": "content", "transformer": "toStrng"}]}"# })}"#
        ),
        ("attributes of the screen", #""elements": {"@self": {"attrs": {\#(members { #""titel\#($0)": 1"# })}}}"#),
        (
            "outlets of the screen",
            #""elements": {"@self": {"outlets": {\#(members { #""tableVew\#($0)": "table""# })}}}"#
        ),
        (
            "bindings of the screen",
            #""elements": {"@self": {"bindings": [\#(members { #"{"to": "titel\#($0)", "from": "content"}"# })]}}"#
        ),
        (
            "keys of a binding",
            #""elements": {"@self": {"bindings": [{"to": "title", "from": "content", \#(members { #""fom\#($0)": 1"# })}]}}"#
        ),
        ("keys of a scheme", members { #""objcts\#($0)": 1"# }),
        ("keys of an element", #""elements": {"table": {\#(members { #""atrs\#($0)": 1"# })}}"#),
    ]

    /// The diagnostics of assembling a screen, before those that are not shown are cut off.
    private static func assembled(_ scheme: String, after earlierCount: Int) throws -> [Finding] {
        let nib = TestInterface.screen("Main", labels + [("UITableView", "table")])
        let files = TestInterface.files([("Main", "main")], ["Main.storyboardc/main.nib": nib])
        let folder = try #require(files.folder("Main.storyboardc")).1
        let compiled = try CompiledStoryboard(files: folder).scene("Main")
        let limits = FormatLimits()
        let skeleton = SceneSkeleton(compiled, controller: compiled.controller, views: nil, Translations.none, limits)
        let file = SchemeFile(Array("{\"Main\": {\(scheme)}}".utf8), path: "Main.json", identifier: "Main", limits)
        var assembly = SceneAssembly(
            skeleton, file, named: "Main", files: files, data: DataFiles(limits),
            transformers: Set(Transformers().names), diagnosticsBefore: earlierCount, limits)
        _ = assembly.assemble()
        return assembly.diagnostics
    }

    @Test(arguments: schemes.map(\.name)) func `Faults of a scheme are looked at up to the number that is shown`(
        name: String
    ) throws {
        let scheme = try #require(Self.schemes.first { $0.name == name }).scheme
        let found = try Self.assembled(scheme, after: 0)
        #expect(found.count == Self.shown, "\(found.first?.description ?? "") … \(found.last?.description ?? "")")
        #expect(Set(found.map(\.code)).count == 1, "\(Set(found.map(\.code)))")
    }

    @Test(arguments: schemes.map(\.name).filter { !$0.hasPrefix("key") })
    func `Faults of all screens together are looked at up to the number that is shown`(name: String) throws {
        let scheme = try #require(Self.schemes.first { $0.name == name }).scheme
        #expect(try Self.assembled(scheme, after: Program.diagnosticCount - 10).count == 11)
    }

    @Test(arguments: [
        members { #""atcions\#($0)": 1"# },
        #""actions": {\#(members { #""a\#($0)": {"pth": "x"}"# })}"#,
        #""actions": {\#(members { #""a\#($0)": {"httpMethod": "GTE"}"# })}"#,
        #""actions": {\#(members { #""a\#($0)": {"nextAction": "b"}"# })}"#,
    ]) func `Faults of a service are looked at up to the number that is shown`(members: String) {
        let reader = ServiceReader(
            Array("{\(members)}".utf8), path: "Service.json", name: "StandardServiceProvider", isScripted: false)
        #expect(reader.diagnostics.count == Self.shown)
    }

    @Test func `Names of properties that an entity lacks are compared up to a number`() {
        let attribute = EntityModel.Property.attribute(.init("title", .string, jsonKeyPath: ["title"]))
        let model = EntityModel([EntityModel.Entity("Memo", properties: [attribute])])
        var action = ServiceAction("a", url: Template("x", .keys), parameters: StructuredTemplate(.null))
        action.result = .init(entity: "Memo", isArray: false)
        action.sets = (0..<Self.count).map { ("titel\($0)", .null) }
        var check = ProgramCheck([], [:], [Service("s", actions: ["a": action])], images: nil)
        check.checkProperties(model)
        #expect(check.found.count == 300 && check.found.first?.hint == "did you mean title?")
    }
}
