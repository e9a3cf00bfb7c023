import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetDocuments

/// Goal: `widget kinds` has every kind and part of the tables 3.2 and 3.3, or docs/documents.md says why not. Method: the list
/// of both in `Tests/Corpus/parity/kinds.tsv`, compared with the table of kinds.
@Suite struct KindCoverageTests {
    struct Row: CustomStringConvertible {
        var kind, part, name, state: String

        var description: String { "\(kind) \(part) \(name)" }
    }

    private static let rows: [Row] = {
        let files = Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/parity")
        let text = String(decoding: files["kinds.tsv"] ?? [], as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Row(kind: cells[1], part: cells[2], name: cells[3], state: cells[4])
        }
    }()

    private static func has(_ row: Row) -> Bool {
        switch row.part {
        case "style": return DocumentWords.style.contains { $0.name == row.name }
        case "member": return DocumentWords.element.contains { $0.name == row.name }
        case "event" where row.kind == "*": return SceneMaker.isOfElements(row.name)
        default: break
        }
        guard let spec = KindRegistry.standard.spec(row.kind), spec.name == row.kind else { return false }
        return switch row.part {
        case "kind": true
        case "property": spec.properties.contains { $0.name == row.name }
        case "event": spec.events.contains { $0.name == row.name }
        case "slot": spec.slots.contains { $0.name == row.name }
        case "alias": spec.aliases.contains(row.name)
        default: false
        }
    }

    @Test
    func `Every kind, property, event and style of the tables is there, or is out with a reason in the documents`() {
        let page = String(
            decoding: Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["documents.md"] ?? [], as: UTF8.self
        ).replacing("\n", with: " ")
        #expect(Self.rows.count > 100)
        for row in Self.rows {
            if row.state == "works" {
                #expect(Self.has(row), "\(row) is not there")
            } else {
                #expect(row.state.hasPrefix("out: ") && !Self.has(row), "\(row)")
                #expect(
                    page.contains(row.state.dropFirst("out: ".count)), "\(row): docs/documents.md has no such reason")
            }
        }
    }

    @Test(arguments: rows.filter { $0.state == "works" })
    func `Every row that works is read, and makes a difference`(row: Row) throws {
        let isPosition = row.name == "position"
        let kind = isPosition ? "zstack" : row.kind == "*" ? "box" : row.kind
        let spec = try #require(KindRegistry.standard.spec(kind))
        let plain: KindUse
        let used: KindUse
        switch row.part {
        case "property", "style":
            let specs = row.part == "style" ? DocumentWords.style : spec.properties
            let property = try #require(specs.first { $0.name == row.name })
            let member = row.part == "style" ? "style" : "payload"
            // What is required is in both, with another value.
            func setting(_ value: Any?) -> (inout [String: Any]) -> Void {
                isPosition ? KindUse.setOfChild(row.name, value) : KindUse.set(row.name, value, in: member)
            }
            let isOfForm =
                ["textfield", "switch"].contains(row.kind)
                && ["name", "required", "pattern", "message"].contains(row.name)
            func named(_ change: @escaping (inout [String: Any]) -> Void) -> (inout [String: Any]) -> Void {
                guard isOfForm, row.name != "name" else { return change }
                return { element in
                    KindUse.set("name", "field")(&element)
                    if row.name == "message" { KindUse.set("required", true)(&element) }
                    change(&element)
                }
            }
            plain = try KindUse(spec, isInForm: isOfForm, named(property.isRequired ? { _ in } : setting(nil)))
            used = try KindUse(spec, isInForm: isOfForm, named(setting(KindUse.value(property))))
            if let unfit = KindUse.unfit(property.type) {
                let faults = try KindUse(spec, setting(unfit)).faults
                #expect(
                    faults.contains { $0.contains("\(row.name) of a ") && $0.contains("[bad-payload]") }, "\(faults)")
            }
        case "event":
            let event = row.name.replacing("$x", with: "$name")
            plain = try KindUse(spec, KindUse.set(event, nil, in: "on"))
            used = try KindUse(spec, KindUse.set(event, ["do": "set", "state": "count", "to": 9], in: "on"))
        case "slot":
            plain = try KindUse(spec, KindUse.set(row.name, nil, in: "slots"))
            let slot: [String: Any] = ["kind": "label", "payload": ["text": "In the slot"]]
            used = try KindUse(spec) { element in
                KindUse.set(row.name, slot, in: "slots")(&element)
                // Only repeated children can be missing.
                if row.name == "empty", row.kind != "async" { element["items"] = ["in": "$events", "as": "one"] }
            }
            #expect(used.nodes.contains { $0[.text]?.literal?.string == "In the slot" })
        case "alias":
            plain = try KindUse(spec) { $0["kind"] = spec.name }
            used = try KindUse(spec) { $0["kind"] = row.name }
            for (form, bytes) in plain.printed { #expect(used.printed[form] == bytes, "\(form)") }
            return #expect(used.faults.isEmpty, "\(used.faults)")
        case "member" where row.name == "theme":
            plain = try KindUse(spec, KindUse.set("background", "#00ff00", in: "style"))
            used = try KindUse(spec) { element in
                element["theme"] = ["colors": ["mine": "#ff0000"]]
                KindUse.set("background", "mine", in: "style")(&element)
            }
        case "member":
            plain = try KindUse(spec)
            let value: Any =
                ["id": "here", "if": false, "items": ["in": ["$": "{1, 2}"], "as": "one"]][row.name] ?? ""
            used = try KindUse(spec) { $0[row.name] = value }
        default:
            used = try KindUse(spec)
            plain = try KindUse(spec) { $0["kind"] = "divider" }
        }
        #expect(used.faults.isEmpty, "\(used.faults)")
        #expect(used.made != plain.made)
    }

    /// The comparison of the test above sees what is made, and not where it was written.
    @Test(arguments: KindRegistry.standard.specs.map(\.name))
    func `A remark makes no difference`(kind: String) throws {
        let spec = try #require(KindRegistry.standard.spec(kind))
        #expect(try KindUse(spec) { $0["comment"] = "a remark" }.made == KindUse(spec).made)
    }

    @Test func `The list of the tables has every kind, and the names of their types`() {
        let listed = Set(Self.rows.map(\.kind))
        for spec in KindRegistry.standard.specs { #expect(listed.contains(spec.name), "\(spec.name)") }
        let positions = Set(DocumentWords.positions)
        #expect(DocumentWords.positions.count == positions.count)
        // "fill", four sides, four corners and seven centres.
        #expect(positions.count == 16)
    }
}
