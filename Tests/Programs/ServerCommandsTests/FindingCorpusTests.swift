import Foundation
import RegistryServer
import Testing
import WidgetBuild
import WidgetBundles
import WidgetCells
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetTestSupport

@testable import ServerCommands

/// Goal: codes of findings change on purpose alone, each code is raised by a mistake and by nothing beside it, and sound bundles
/// have none without a reason. Method: samples, templates and templates with one mistake, taken in and reviewed as a
/// registry does; the codes of their reports are in `Tests/Corpus/findings`, whose README explains them.
@Suite struct `Codes of findings` {
    /// A template with one mistake in it.
    struct Mistake: Sendable {
        /// The code that it raises, which the template itself does not have.
        let code: String
        let kind: Starter.Kind
        let file: String
        let (sound, wrong): (String, String)

        init(_ code: String, _ kind: Starter.Kind, _ file: String, _ sound: String, _ wrong: String) {
            (self.code, self.kind, self.file, self.sound, self.wrong) = (code, kind, file, sound, wrong)
        }
    }

    private static let guest = "GuestViewController.json"
    private static let guests = "GuestsViewController.json"
    private static let stub = "StubService.json"
    private static let strings = "Localizable.strings"

    /// An empty `sound` adds the file.
    static let mistakes: [Mistake] = [
        Mistake("predicate-syntax", .form, guests, #""sortByFields": "name""#, #""predicateFormat": "name ==""#),
        Mistake(
            "predicate-function", .form, guests, #""sortByFields": "name""#, #""predicateFormat": "fetch(name, 1) = 1""#
        ),
        Mistake(
            "predicate-cast", .form, guests, #""sortByFields": "name""#,
            #""predicateFormat": "CAST(name, 'NSTask') = 1""#),
        Mistake("predicate-argument", .form, guests, #""sortByFields": "name""#, #""predicateFormat": "name = %@""#),
        Mistake("format-argument", .form, guests, #""placeholder": "No name""#, #""format": "%s""#),
        Mistake("result-chain", .form, guests, #""sortByFields": "name""#, #""resultChain": ["wx_first','x"]"#),
        Mistake("service-url", .form, stub, "https://guests.example.com", "file:///etc/passwd"),
        Mistake("url-credentials", .form, stub, "https://guests", "https://ada:secret@guests"),
        Mistake("line-break", .form, stub, #""httpMethod": "POST""#, #""httpMethod": "POST\n""#),
        Mistake("unknown-class", .form, guest, "\"BarButtonActionController\"", "\"BarButtonActionControler\""),
        Mistake("unknown-class", .form, guest, "StubServiceProvider", "StubServiceProvidr"),
        Mistake(
            "unknown-selector", .form, guest, #""saveButton": { "bindings""#,
            #""saveButton": { "action": { "target": "@self", "selector": "dismissActon:" }, "bindings""#),
        Mistake("unknown-selector", .form, guests, #""sortByFields": "name""#, #""resultChain": ["wx_frist"]"#),
        Mistake("unknown-transformer", .form, guests, #""placeholder": "No name""#, #""transformer": "toStrng""#),
        Mistake(
            "unknown-key", .form, guests, #""cellIdentifier": "Guest" },"#, #""cellIdentifier": "Guest" }, "atrs": {},"#
        ),
        Mistake("unknown-key", .form, guests, #""from": "content.email""#, #""from": "content.emial""#),
        Mistake("key-path", .form, guests, "content.email", "content.managedObjectContext.name"),
        Mistake("key-path", .form, guests, #""sortByFields": "name""#, #""predicateFormat": "SELF.superview.tag = 1""#),
        Mistake(
            "slow-pattern", .form, guests, #""sortByFields": "name""#, #""predicateFormat": "name MATCHES '(a+)+'""#),
        Mistake("plain-http", .form, stub, "https://guests", "http://guests"),
        Mistake("private-address", .form, stub, "https://guests.example.com", "https://192.168.0.1"),
        Mistake(
            "app-address", .form, stub, #""options""#, #""auth": { "authorizeUrl": "guests://oauth" }, "options""#),
        Mistake("scheme-name", .form, guests, "\"GuestsViewController\": {", "\"GuestsViewControler\": {"),
        Mistake("unknown-object", .form, guest, #""sender": "saveButton""#, #""sender": "saveButon""#),
        Mistake("unknown-object", .form, guests, #""nameLabel": {"#, #""nameLable": {"#),
        Mistake("unknown-outlet", .form, guests, #""emptyDataView""#, #""emptyDatView""#),
        Mistake("unknown-action", .form, guest, #""actionName": "saveGuest" }"#, #""actionName": "saveGest" }"#),
        Mistake("unknown-entity", .form, guests, #""entityName": "Guest""#, #""entityName": "Gast""#),
        Mistake("bad-value", .form, guest, #""maximumLength": 200"#, #""maximumLength": "many""#),
        Mistake("repeated-key", .form, strings, "", "\"a\" = \"1\";\n\"a\" = \"2\";\n"),
        Mistake("needless-backslash", .form, strings, "", "\"a\" = \"\\q\";\n"),
        Mistake("small-u", .form, strings, "", "\"a\" = \"\\u00e9\";\n"),
        Mistake("short-number", .form, strings, "", "\"a\" = \"\\Ue9 \";\n"),
        Mistake("single-quotes", .form, strings, "", "'a' = '1';\n"),
        Mistake("repeated-mark", .form, strings, "", "\u{FEFF}\u{FEFF}\"a\" = \"1\";\n"),
        Mistake("missing-name", .form, "Main.screens", #" spoken "Vegetarian""#, ""),
        Mistake("unknown-kind", .document, "Place.widgets.json", #""kind": "fact""#, #""kind": "fakt""#),
        Mistake("unknown-key", .document, "Place.widgets.json", "$place.about", "$plac.about"),
        Mistake("unknown-screen", .document, "Main.widgets.json", #""scene": "Place""#, #""scene": "Plaec""#),
        Mistake("bad-payload", .document, "Place.widgets.json", #""schema": 1"#, #""schema": 99"#),
        Mistake("bad-predicate", .document, "Place.widgets.json", "visits + 1", "visits +"),
        Mistake("unknown-identifier", .form, guests, #""cellIdentifier": "Guest""#, #""cellIdentifier": "Gest""#),
        Mistake("unknown-locale", .form, "german.lproj/Main.strings", "", "\"a\" = \"b\";\n"),
        Mistake("translation", .form, "de.lproj/Main.strings", "", "\"a\" = \"b\";\n"),
        Mistake("missing-file", .form, "service.json", "", "{}"),
        Mistake("missing-field", .form, "Main.screens", "field name capitals", "capitals"),
        Mistake(
            "out-of-reach", .form, "Main.screens", #"GuestsViewController "Guests" in stack"#,
            #"GuestsViewController "Guests""#),
        Mistake(
            "out-of-range", .form, guest, #""noteField": {"#,
            #""daySegments": { "attrs": { "selectedSegmentIndex": 7 } }, "noteField": {"#),
        Mistake(
            "duplicate-binding", .form, guests, #"[ { "from": "content.email" } ]"#,
            #"[ { "from": "content.email" }, { "from": "content.name" } ]"#),
        Mistake("sent-on-load", .form, guest, "\"BarButtonActionController\"", "\"OnLoadActionController\""),
        Mistake("bad-response", .form, stub, #""response""#, #""***""#),
        Mistake("unfilled", .form, stub, #""$email", "vegetarian""#, #""$mail", "vegetarian""#),
        Mistake(
            "clipped-text", .form, "Main.screens", #"label nameLabel "Name" bold"#,
            #"label nameLabel "Name" bold height 12"#),
        Mistake("unknown-image", .form, "Main.screens", "system add spoken", "picture nothing spoken"),
        Mistake("never-given", .document, "Main.widgets.json", #", "with": { "place": "$place" }"#, ""),
        Mistake(
            "unused-value", .document, "Place.widgets.json",
            #"{ "do": "set", "state": "visits", "to": { "$": "visits + 1" } }"#,
            #"{ "do": "back", "value": "$visits" }"#),
        Mistake(
            "duplicate-identifier", .document, "Place.widgets.json",
            #"{ "kind": "label", "payload": { "text": "$place.about" }"#,
            #"{ "kind": "label", "id": "visit", "payload": { "text": "$place.about" }"#),
        Mistake("binding-cycle", .document, "components/fact.json", #"{ "kind": "spacer" }"#, #"{ "kind": "fact" }"#),
        Mistake(
            "low-contrast", .document, "Place.widgets.json", #""font": "title3""#,
            ##""font": "title3", "color": "#dddddd""##),
        Mistake("timer-too-fast", .today, "Main.widgets.json", #""part": "tides""#, #""part": "tides", "every": 0.5"#),
        Mistake(
            "dead-link", .today, "Main.widgets.json", #""with": { "id": "$tide.id" }"#,
            #""with": { "tide": "$tide.id" }"#),
        Mistake(
            "hidden-link", .today, "Main.widgets.json", #""links": {"#,
            #""links": { "first": { "pattern": "tides://tide/{id:integer}", "scene": "Main" },"#),
    ]

    /// The tests of the codes that no registry reports, or that a small mistake does not raise.
    private static let elsewhere: [String: String] = [
        "bad-file": "Engine/WidgetFormatsTests/HostileFilesTests", "byte-budget": "Engine/WidgetCoreTests/LimitTests",
        "count-budget": "Engine/WidgetCoreTests/LimitTests", "deletion-refused": "Engine/WidgetCoreTests/LimitTests",
        "depth-budget": "Engine/WidgetCoreTests/LimitTests", "expression-budget": "Engine/WidgetCoreTests/LimitTests",
        "expression-failed": "Engine/WidgetCoreTests/BudgetTests",
        "layout-ambiguous": "Engine/WidgetLayoutTests/RuleReviewTests",
        "layout-budget": "Engine/WidgetLayoutTests/RuleReviewTests",
        "layout-conflict": "Engine/WidgetLayoutTests/RuleReviewTests",
        "layout-solved": "Engine/WidgetLayoutTests/Plan/PlanContainerTests",
        "mediator-budget": "Engine/WidgetFormatsTests/HostileFilesTests",
        "missing-ability": "Engine/WidgetDocumentsTests/TermsTests",
        "missing-authorization": "Engine/WidgetRunningTests/SilentMissTests",
        "native-code": "Engine/WidgetDocumentsTests/NativeDocumentTests",
        "native-fault": "Engine/WidgetRunningTests/NativeTests",
        "no-interface": "Bundles/WidgetBundlesTests/SortingTests",
        "node-budget": "Engine/WidgetCoreTests/BudgetTests",
        "not-drawn": "Engine/WidgetRenderTests/Pages/PageReviewTests",
        "record-budget": "Engine/WidgetCoreTests/LimitTests", "row-budget": "Engine/WidgetCoreTests/BudgetTests",
        "screens-not-reviewed": "Engine/WidgetRenderTests/Pages/PageReviewTests",
        "sources": "Bundles/WidgetBundlesTests/FindingTests", "step-budget": "Engine/WidgetCoreTests/LimitTests",
        "storing-failed": "Engine/WidgetRunningTests/StoreTests", "time-budget": "Engine/WidgetCoreTests/LimitTests",
        "undeclared-mode": "Engine/WidgetRunningTests/TermsSectionTests",
        "unknown-service": "Engine/WidgetRunningTests/AuthoringMistake",
        "unreviewed": "Programs/ServerCommandsTests/ScreenReviewTests",
        "unusable-picture": "Engine/WidgetRenderTests/Pages/PageReviewTests",
    ]

    // MARK: - Reports

    /// The codes in the report of a registry, each with its number; those of a refusal after `refused`.
    static func report(of path: String) throws -> String {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let archive = try FileDescriptor.unnamed(inDirectory: scratch.path)
        let taken: BundleIntake.Taken
        switch taking(path, into: archive) {
        case .success(let bundle): taken = bundle
        case .failure(.bundle(let error)):
            guard case .policy(let findings) = error.reason else { return "refused \(error.code)" }
            return "refused \(counted(findings.map { "\($0.code.rawValue)" }))"
        case .failure(.build(let failure)): return "not built \(counted(failure.errors.map { code(in: "\($0)") }))"
        case .failure(let error): throw error
        }
        var pieces: [ReviewPiece] = []
        let lacksInterface = taken.report.findings.contains { $0.code == .noInterface }
        ProgramReview().review(
            try archive.duplicate(), ReviewQuestion(moment: 1_780_000_000, lacksInterface: lacksInterface).text
        ) { pieces.append($0) }
        let found = ReviewFindings(pieces, end: nil)
        return counted((taken.report.findings + found.faults + found.remarks).map(\.code.rawValue))
    }

    private static func taking(
        _ path: String, into archive: borrowing FileDescriptor
    ) -> Result<BundleIntake.Taken, SourceError> {
        do throws(SourceError) {
            return .success(try BundleSource(opening: path).take(by: BundleIntake(), into: archive))
        } catch {
            return .failure(error)
        }
    }

    /// The code at the end of a sentence of the compiler, which has those of findings that refuse a bundle.
    private static func code(in sentence: String) -> String {
        sentence.matches(of: /\[([a-z-]+)\]/).last.map { String($0.output.1) } ?? "source"
    }

    static func counted(_ codes: [String]) -> String {
        let counts = Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +)
        let texts = counts.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key) \($0.value)" }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private static func template(_ kind: Starter.Kind, with mistake: Mistake? = nil) throws -> String {
        var files = try #require(Starter(named: "Guests", kind: kind)).files
        if let mistake {
            if mistake.sound.isEmpty {
                files.append(BundleCompiler.File(path: mistake.file, bytes: Array(mistake.wrong.utf8)))
            } else {
                let place = try #require(files.firstIndex { $0.path == mistake.file })
                let text = String(decoding: files[place].bytes, as: UTF8.self)
                try #require(text.contains(mistake.sound), "\(mistake)")
                let wrong = text.replacing(mistake.sound, with: mistake.wrong)
                files[place] = BundleCompiler.File(path: mistake.file, bytes: Array(wrong.utf8))
            }
        }
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/Guests"
        try SourceFolder.write(files, to: path)
        return try report(of: path)
    }

    private static let samples = [
        "Aviary", "Forge", "HarbourLog", "Herbarium", "Orchestra", "Planetarium", "Postcard", "RawProduct/Greeting.app",
    ]

    private static func lines() throws -> [String] {
        var lines = try samples.map { "\($0): \(try report(of: "\(Corpus.repositoryRoot)/Bundles/\($0)"))" }
        for kind in Starter.Kind.allCases where kind != .declarative {
            lines.append("template \(kind.rawValue): \(try template(kind))")
        }
        for mistake in mistakes {
            let name = "\(mistake.kind.rawValue) \(mistake.file) \(mistake.wrong)".split(separator: "\n").joined(
                separator: "␤")
            lines.append("\(mistake.code) < \(name): \(try template(mistake.kind, with: mistake))")
        }
        return lines
    }

    // MARK: - Tests

    @Test func `Reports of samples, templates and mistakes have the codes of the corpus`() throws {
        let file = URL(filePath: "\(Corpus.repositoryRoot)/Tests/Corpus/findings/codes.txt")
        let lines = try Self.lines()
        if Corpus.isWritten { try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file) }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count == expected.count)
        for (line, other) in zip(lines, expected) { #expect(line == other) }
        for line in lines {
            guard let mark = line.firstRange(of: " < "), let end = line.ranges(of: ": ").last else { continue }
            #expect(line[end.upperBound...].contains(line[..<mark.lowerBound]), "\(line)")
        }
        #expect(lines.filter { $0.hasPrefix("template ") && $0.hasSuffix(": none") }.count == 6)
    }

    @Test func `Each code is raised by a mistake, or by a test that is named for it`() throws {
        let root = Corpus.repositoryRoot
        let source = try String(
            contentsOfFile: "\(root)/Sources/Formats/WidgetFindings/FindingCode.swift", encoding: .utf8)
        let codes = source.matches(of: /let (\w+) = Self\(rawValue: "([a-z-]+)"\)/)
        let raised = Set(Self.mistakes.map(\.code))
        #expect(codes.count > 80 && raised.isDisjoint(with: Self.elsewhere.keys))
        for code in codes.map(\.output) where !raised.contains(String(code.2)) {
            let test = try #require(Self.elsewhere[String(code.2)], "\(code.2)")
            let text = try String(contentsOfFile: "\(root)/Tests/\(test).swift", encoding: .utf8)
            #expect(text.contains(try Regex(#"\.\#(code.1)\b|\#(code.2)"#)), "\(code.2)")
        }
    }
}
