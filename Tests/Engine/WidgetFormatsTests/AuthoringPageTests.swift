import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetFormats

/// Goal: the reference of `docs/authoring.md` has each key that the reader knows, with its kind, and no other. Method: its
/// tables, found by the first cell of their header, compared with the reader's lists.
@Suite struct `The reference for authors` {
    /// The rows of the page: of a class by its heading, of other tables by their header.
    private static let tables: [String: [String: String]] = {
        let page = Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["authoring.md"] ?? []
        var tables: [String: [String: String]] = [:]
        var (heading, header) = ("", Optional<String>.none)
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") { heading = names(line).first ?? "" }
            guard line.hasPrefix("|") else {
                header = nil
                continue
            }
            // A bar in a cell is behind a backslash.
            let cells = line.replacing("\\|", with: "").split(separator: "|").map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard let table = header else {
                header = cells[0] == "key" ? heading : cells[0]
                continue
            }
            for name in names(cells[0]) { tables[table, default: [:]][name] = cells.count > 1 ? cells[1] : "" }
        }
        return tables
    }()

    /// The words in code style of a text.
    private static func names(_ text: some StringProtocol) -> [String] {
        String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    private static let levels: [(table: String, keys: [AuthoredKey])] = [
        ("key of a screen", SchemeKeys.scheme), ("key of an object", SchemeKeys.object),
        ("key of an element", SchemeKeys.element), ("key of `validation`", SchemeKeys.validation),
        ("key of a binding", SchemeKeys.binding),
        ("key of a service", ServiceKeys.file), ("key of an action", ServiceKeys.action),
        ("key of a change in `records`", ServiceKeys.change), ("key of `auth`", ServiceKeys.authorization),
        ("key of `options`", ServiceKeys.options),
        ("key of a transformer in `options.transformers.date`", ServiceKeys.dateTransformer),
    ]

    @Test(arguments: levels.indices)
    func `A table of keys has every key that the reader knows, with its kind, and no other`(_ place: Int) {
        let (table, keys) = Self.levels[place]
        let known = Dictionary(keys.map { ($0.name, Self.word($0.kind)) }) { first, _ in first }
        #expect(!known.isEmpty && Self.tables[table] == known, "\(table)")
    }

    @Test func `The table of defaults has every key that all actions can share`() {
        let listed = Set((Self.tables["key of `defaults`"] ?? [:]).keys)
        #expect(listed == Set(ServiceKeys.defaults.map(\.name)))
    }

    @Test(arguments: MediatorClass.all.keys.sorted())
    func `The table of a mediator has all of its attributes and outlets, and no other`(_ name: String) throws {
        let known = try #require(MediatorClass.all[name])
        var rows = Dictionary(known.attributes.map { ($0.name, Self.word($0.kind)) }) { first, _ in first }
        for outlet in known.outlets { rows[outlet.name] = "outlet" }
        let listed = (Self.tables[name] ?? [:]).mapValues { $0 == "outlets" ? "outlet" : $0 }
        #expect(listed == rows)
    }

    @Test(arguments: MediatorClass.all.keys.sorted())
    func `A mediator has a heading, and says what it is based on`(_ name: String) throws {
        let page = String(
            decoding: Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["authoring.md"] ?? [], as: UTF8.self)
        let start = try #require(page.firstRange(of: "\n### `\(name)`\n")).upperBound
        let section = page[start...].prefix(upTo: page[start...].firstRange(of: "\n#")?.lowerBound ?? page.endIndex)
        let parent = MediatorClass.all[name]?.parent
        let isBase = parent == nil || parent == MediatorClass.root
        #expect(section.contains("Based on `") == !isBase)
        if let parent, !isBase { #expect(section.contains("Based on `\(parent)`. ")) }
    }

    @Test func `The table of a screen has its properties and the targets of its bindings`() {
        let known =
            SchemeKeys.screen.map(\.name) + SchemeKeys.screenTargets.map { $0 == "defaults." ? "defaults.NAME" : $0 }
        #expect(Set((Self.tables["property of a screen"] ?? [:]).keys) == Set(known))
    }

    @Test func `The tables of elements have every property that has a meaning`() {
        let vocabulary = WidgetKitVocabulary.vocabulary
        let known = Set(vocabulary.keys.keys).subtracting(["wx_fieldValue"]).union([WidgetKitVocabulary.valueKey])
        let listed = Set((Self.tables["property"] ?? [:]).keys)
        #expect(known.subtracting(listed).isEmpty)
        // These are read by the assembly itself, or kept for lists and printers.
        let others: Set = [
            "titles", "standardShadow", WidgetKitVocabulary.identifier, WidgetKitVocabulary.binding,
            WidgetKitVocabulary.fieldName, "dublicateKeyPolicy", "acceptsEmptyText", "resultInfoValueKey", "autoUpload",
        ]
        #expect(listed.subtracting(known) == others)
    }

    @Test func `The reference names every built-in transformer and every fact about records`() {
        let transformers = Set((Self.tables["name"] ?? [:]).keys)
        #expect(Transformers().names.filter { !$0.hasPrefix("NS") }.allSatisfy(transformers.contains))
        let page = Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["authoring.md"] ?? []
        let line = String(decoding: page, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("| a record |") }
        // Two names of the original mean what others mean.
        let facts = Set(WidgetKitVocabulary.recordFacts.keys).subtracting(["objectID", "mine"])
        #expect(facts.count == 4 && facts.isSubset(of: Self.names(line ?? "")))
    }

    @Test func `The reference names every fact about elements`() {
        let page = Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["authoring.md"] ?? []
        let line = String(decoding: page, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("| an element |") }
        // What is attached to an element is read behind `wx`.
        let named = Self.names(line ?? "").map { $0.hasPrefix("wx.") ? "wx" : $0 }
        let facts = WidgetKitVocabulary.vocabulary.facts.keys
        #expect(facts.count > 8 && Set(named) == Set(facts))
    }

    /// The word of the page for a kind.
    private static func word(_ kind: AuthoredKind) -> String {
        switch kind {
        case .any: "any JSON"
        case .text, .choice, .fields, .format, .entity, .resultType, .action, .provider, .transformer: "text"
        case .number: "number"
        case .boolean: "yes/no"
        case .texts: "texts"
        case .predicate: "predicate"
        case .keyPath: "key path"
        case .targets: "outlets"
        case .array, .list: "array"
        case .object, .textsByName, .members, .named: "object"
        }
    }
}
