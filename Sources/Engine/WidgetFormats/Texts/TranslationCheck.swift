internal import WidgetBytes
internal import WidgetCore
internal import WidgetNib
internal import WidgetPlist
internal import WidgetPredicates

/// The texts of interfaces that can be translated, by their tables.
struct TranslatableTexts: Sendable {
    /// The texts of each table by their keys.
    private(set) var tables: [String: [String: String]] = [:]
    /// The messages of rules for fields, which Validation.strings translates.
    private(set) var messages: Set<String> = []
    /// The texts that screens show as they are written.
    private(set) var shown: Set<String> = []

    /// Texts of all tables together; those beyond are not compared.
    private static let most = 20_000
    private var count = 0

    mutating func add(_ graph: NibGraph, to table: String) {
        if tables[table] == nil { tables[table] = [:] }
        guard graph.position(ofKey: "NSKey") != nil else { return }
        for position in graph.objects.indices where count < TranslatableTexts.most {
            let element = graph.element(position)
            guard let key = element.translationKey, let text = element.text else { continue }
            count += 1
            tables[table]?[key] = text
        }
    }

    mutating func add(_ messages: Set<String>) { self.messages.formUnion(messages) }

    /// Notes the texts of a screen that no binding replaces.
    mutating func add(_ scene: Scene) {
        for node in scene.nodes {
            for property in node.properties {
                guard let value = property.expression.literal else { continue }
                if let text = value.string { shown.insert(text) }
                for case let text? in (value.elements ?? []).map({ $0.string }) { shown.insert(text) }
            }
        }
        if let text = scene.title?.literal?.string { shown.insert(text) }
    }
}

/// Compares the translations of a bundle with the texts that its interfaces have.
struct TranslationCheck {
    private let files: BundleFiles
    private let texts: TranslatableTexts
    private var found: [Finding] = []

    /// Tables that are read for other things than an interface. `Localizable` is the one that Xcode makes for the code of an
    /// application, which stays in many products.
    private static let others: Set<String> = [
        "InfoPlist", "LaunchScreen", "Localizable", SceneAssembly.validationTexts,
    ]
    private static let ending = ".strings"
    private static let most = 100
    /// Texts that one line names.
    private static let namedCount = 3

    /// - Parameter texts: of all interfaces; `nil` for a bundle of documents alone.
    static func diagnostics(_ files: BundleFiles, _ texts: TranslatableTexts?) -> [Finding] {
        var check = TranslationCheck(files: files, texts: texts ?? TranslatableTexts())
        for path in files.paths where path.hasSuffix(ending) && check.found.count < most {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2, parts[0].hasSuffix(".lproj"),
                LanguageFolders.fault(of: String(parts[0].dropLast(".lproj".count))) == nil
            else { continue }
            check.look(at: path, String(parts[1].dropLast(ending.count)), parts[0], isOfDocuments: texts == nil)
        }
        return LanguageFolders.diagnostics(files) + check.found
    }

    private init(files: BundleFiles, texts: TranslatableTexts) {
        (self.files, self.texts) = (files, texts)
    }

    private mutating func report(_ message: String, at place: Place, hint: String?) {
        found.append(Finding(.warning, .translation, message, at: place, hint: hint))
    }

    private mutating func look(at path: String, _ table: String, _ folder: String, isOfDocuments: Bool) {
        let place = Place(file: path)
        if isOfDocuments {
            guard table == SceneAssembly.validationTexts || !TranslationCheck.others.contains(table) else { return }
            report(
                "\(table.excerpt)\(TranslationCheck.ending) translates nothing: a document has no texts by their keys",
                at: place,
                hint:
                    "a copy of the document in \(folder.excerpt) is its translation, and the one for all is in Base.lproj"
            )
            return
        }
        guard let bytes = files[path], let keys = (try? PlistValue(parsingStrings: bytes))?.dictionary?.keys else {
            return
        }
        if table == SceneAssembly.validationTexts { return lookAtValidation(Array(keys), path, bytes) }
        if TranslationCheck.others.contains(table) { return }
        guard let known = texts.tables[table] else {
            let tables = texts.tables.keys.sorted()
            let nearest = NearestName.of(table, in: tables).map {
                "did you mean \($0.excerpt)\(TranslationCheck.ending)?"
            }
            report(
                "\(table.excerpt)\(TranslationCheck.ending) translates nothing: no interface is called \(table.excerpt)",
                at: place,
                hint: nearest
                    ?? "the texts of \(tables.first?.excerpt ?? "Main") are in \(tables.first?.excerpt ?? "Main")\(TranslationCheck.ending)"
            )
            return
        }
        guard !known.isEmpty else {
            report(
                "\(table.excerpt)\(TranslationCheck.ending) translates nothing: \(table.excerpt) does not lie in Base.lproj",
                at: place, hint: "texts have keys in an interface that lies in Base.lproj")
            return
        }
        lookAtUnused(keys.filter { known[$0] == nil }, known, path, bytes)
        lookAtMissing(known.filter { !keys.contains($0.key) }, table, place, folder)
    }

    /// Reports translations whose keys no text has, in one line.
    private mutating func lookAtUnused(_ keys: [String], _ known: [String: String], _ path: String, _ bytes: [UInt8]) {
        guard let first = keys.first else { return }
        let nearest = nearest(to: first, known)
        let sentence =
            keys.count == 1
            ? "\(first.excerpt) is the key of no text"
            : "\(first.excerpt) and \(keys.count - 1) other keys are of no text"
        report(
            sentence, at: TranslationCheck.place(of: first, path, bytes),
            hint: nearest.map { "did you mean \($0.excerpt)?" }
                ?? "a key is the id of an element, a dot and its property")
    }

    /// A key of the same element, or else one of nearly the name.
    private func nearest(to key: String, _ known: [String: String]) -> String? {
        let names = known.keys.sorted()
        let owner = key.prefix { $0 != "." }
        let siblings = names.filter { $0.hasPrefix("\(owner).") }
        return NearestName.of(key, in: siblings) ?? siblings.first ?? NearestName.of(key, in: names)
    }

    /// Reports shown texts that a language lacks, in one line.
    private mutating func lookAtMissing(_ missing: [String: String], _ table: String, _ place: Place, _ folder: String)
    {
        // The texts of interfaces are in the language of their author, who need not translate them into it.
        if folder == "en.lproj" { return }
        let open = missing.filter { texts.shown.contains($0.value) && $0.value.contains { $0.isLetter } }
            .sorted {
                (TranslationCheck.isSpoken($0.key) ? 1 : 0, $0.key) < (
                    TranslationCheck.isSpoken($1.key) ? 1 : 0, $1.key
                )
            }
        guard !open.isEmpty else { return }
        let named = open.prefix(TranslationCheck.namedCount).map {
            "\(ShownText.quoted($0.value, limit: 40)) (\($0.key.excerpt))"
        }
        let rest = open.count > named.count ? ", …" : ""
        report(
            "\(open.count) of the texts of \(table.excerpt) \(open.count == 1 ? "is" : "are") not translated: \(named.joined(separator: ", "))\(rest)",
            at: place, hint: "readers of this language see them as they are written")
    }

    /// True for the key of a text that is read aloud: those that are seen come first.
    private static func isSpoken(_ key: String) -> Bool { key.contains(".accessibility") }

    /// Reports keys that are nearly those of the sentences about fields.
    private mutating func lookAtValidation(_ keys: [String], _ path: String, _ bytes: [UInt8]) {
        let known = FieldMessages.Key.allCases.map { $0.rawValue } + texts.messages.sorted()
        for key in keys.sorted() where !known.contains(key) {
            guard let nearest = NearestName.of(key, in: known), found.count < TranslationCheck.most else { continue }
            found.append(
                Finding(
                    .warning, .translation, "No message about fields is \(ShownText.quoted(key, limit: 60))",
                    at: TranslationCheck.place(of: key, path, bytes), value: key.excerpt,
                    nearest: ShownText.quoted(nearest, limit: 60)))
        }
    }

    /// The line of a key in a file of UTF-8.
    private static func place(of key: String, _ path: String, _ bytes: [UInt8]) -> Place {
        let wanted = Array("\"\(key)\"".utf8)
        var line = 1
        var column = 1
        for start in bytes.indices {
            if bytes[start...].starts(with: wanted) { return Place(file: path, line: line, column: column) }
            if bytes[start] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return Place(file: path)
    }
}
