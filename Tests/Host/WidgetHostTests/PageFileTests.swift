import Foundation
import JSONText
import Testing
import WidgetTestSupport

@testable import WidgetHost

/// Goal: a page's file says what it means or is refused with the place and a way out.
@Suite struct `Pages of a host, as files` {
    private static func page(_ text: String) throws -> PageFile { try PageFile(Array(text.utf8)) }

    @Test func `A file of all members is read`() throws {
        let page = try Self.page(
            #"""
            {"$schema": "x", "title": "Home", "columns": 3, "slots": [
              {"widget": "com.acme.Clock-1"},
              {"title": "Log", "path": "Log.bundle", "instance": "-2", "size": "wide", "scaled": true, "autoload": false,
               "grants": ["https://a.example/v1/"], "groups": ["home"], "entry": "Other", "screen": "Main"}]}
            """#)
        #expect(page.title == "Home" && page.columns == 3 && page.slots.count == 2)
        #expect(page.slots[0] == PageFile.Slot(title: "com.acme.Clock-1", origin: .registry("com.acme.Clock-1")))
        let slot = page.slots[1]
        #expect(slot.title == "Log" && slot.origin == .path("Log.bundle") && slot.instance == "-2")
        #expect(slot.size == .init(width: 667, height: 375) && slot.isScaled && !slot.loadsAtOnce)
        #expect(slot.grants == ["https://a.example/v1/"] && slot.groups == ["home"])
        #expect(slot.entry == "Other" && slot.screen == "Main")
    }

    @Test(arguments: [
        ("{", "1:2: the document ends too early", nil),
        ("[]", "1:1: the page is an object", nil),
        (#"{"title": "x"}"#, "1:1: the page has no slots", #"add "slots": [{"widget": "com.acme.Clock-1"}]"#),
        (#"{"slots": []}"#, "1:11: slots is a list of 1 to 26 slots", nil),
        (
            #"{"slots": [{"widgt": "a"}]}"#, #"1:13: a slot has no member "widgt""#,
            "did you mean widget?"
        ),
        (#"{"slots": [{}]}"#, "1:12: the slot names no widget", "it has a widget or a path"),
        (
            #"{"slots": [{"widget": "a", "path": "b"}]}"#, "1:12: the slot has a widget and a path",
            "instance names the widget of a path"
        ),
        (
            #"{"slots": [{"widget": "a", "instance": "-2"}]}"#, "1:40: instance is for a path",
            "the ending of widget distinguishes instances"
        ),
        (#"{"slots": [{"widget": "a", "size": "midium"}]}"#, #"1:36: "midium" is not a size"#, "did you mean medium?"),
        (#"{"slots": [{"widget": "a", "scaled": 1}]}"#, "1:38: scaled is true or false", nil),
        (#"{"columns": 0, "slots": [{"widget": "a"}]}"#, "1:13: columns is a number from 1 to 12", nil),
        (#"{"slots": [{"widget": ""}]}"#, "1:23: widget is a text of 1 to 200 bytes", nil),
        (#"{"slots": [{"widget": "a", "grants": [1]}]}"#, "1:38: grants is a list of at most 64 texts", nil),
    ])
    func `A fault is said with its place`(_ text: String, _ message: String, _ hint: String?) {
        #expect {
            try Self.page(text)
        } throws: { error in
            let error = error as? PageFileError
            #expect("\(error?.description ?? "")" == message && error?.hint == hint)
            return error?.description == message && error?.hint == hint
        }
    }

    @Test func `A widget is in one slot`() {
        let twice = #"{"slots": [{"path": "a", "instance": "-1"}, {"path": "a", "instance": "-1"}]}"#
        #expect(throws: PageFileError.self) { try Self.page(twice) }
        #expect(throws: Never.self) {
            try Self.page(#"{"slots": [{"path": "a", "instance": "-1"}, {"path": "a", "instance": "-2"}]}"#)
        }
    }

    @Test(arguments: ["", "x", "320", "320x", "119x480", "320x2001", "-320x480", "320x480x1", "99999999999999999999x1"])
    func `A size has two numbers of points in its bounds`(_ text: String) {
        #expect(PageFile.size(text) == nil)
    }

    @Test func `The schema is a file of the documents as well, and knows the members that are read`() throws {
        let path = "\(Corpus.repositoryRoot)/docs/schemas/page.json"
        if Corpus.isWritten { try Data(PageFile.schema.json).write(to: URL(filePath: path)) }
        #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == PageFile.schema.json)
        let text = String(decoding: PageFile.schema.json, as: UTF8.self)
        for name in PageFileReader.pageNames + PageFileReader.slotNames { #expect(text.contains("\"\(name)\": {")) }
    }

    @Test func `A slot has up to 64 grants and not one more`() throws {
        func page(_ count: Int) throws -> PageFile {
            let grants = (0..<count).map { "\"https://a.example/\($0)/\"" }.joined(separator: ",")
            return try Self.page("{\"slots\": [{\"widget\": \"a\", \"grants\": [\(grants)]}]}")
        }
        #expect(try page(64).slots[0].grants.count == 64)
        let error = #expect(throws: PageFileError.self) { _ = try page(65) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("grants is a list of at most 64 texts"))
    }

    @Test func `The sample shows one bundle twice beside two local ones`() throws {
        let bytes = try #require(FileManager.default.contents(atPath: "\(Corpus.repositoryRoot)/Bundles/Page.json"))
        let page = try PageFile([UInt8](bytes))
        let registered = page.slots.compactMap { if case .registry(let widget) = $0.origin { widget } else { nil } }
        #expect(registered == ["com.example.Postcard-1", "com.example.Postcard-2"])
        for case .path(let path) in page.slots.map(\.origin) {
            #expect(FileManager.default.fileExists(atPath: "\(Corpus.repositoryRoot)/Bundles/\(path)"))
        }
    }
}
