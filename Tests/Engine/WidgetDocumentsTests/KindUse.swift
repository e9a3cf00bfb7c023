import Foundation
import Testing
import WidgetCore
import WidgetRender
import WidgetTestSupport

@testable import WidgetDocuments

/// A document that uses a kind as its sample does, with one change: a property, an event, a slot or another name.
struct KindUse {
    let bench: DocumentBench

    /// The element of a kind in its first sample, with members that `change` gives it.
    ///
    /// - Parameter isInForm: true if a form is around it, as some properties need one.
    init(_ spec: KindSpec, isInForm: Bool = false, _ change: (inout [String: Any]) -> Void = { _ in }) throws {
        let sample = try #require(spec.samples.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(sample.utf8)) as? [String: Any])
        let changed = KindUse.changed(object, [spec.name] + spec.aliases, change)
        let element = try JSONSerialization.data(
            withJSONObject: isInForm ? ["kind": "form", "children": [changed]] : changed, options: .sortedKeys)
        bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"name": "Ann", "count": 1, "wantsNews": true, "isSaved": false},
             "sources": {"events": {"value": []}}, "root": [\#(String(decoding: element, as: UTF8.self))]}
            """#,
            documents: [
                "Header":
                    #"{"schema": 1, "parameters": {"title": ""}, "root": {"kind": "label", "payload": {"text": "$title"}}}"#,
                "Part":
                    #"{"schema": 1, "parameters": {"title": ""}, "root": {"kind": "label", "payload": {"text": "Part"}}}"#,
            ])
    }

    private static func changed(
        _ element: [String: Any], _ names: [String], _ change: (inout [String: Any]) -> Void
    ) -> [String: Any] {
        var element = element
        if let children = element["children"] as? [[String: Any]] {
            element["children"] = children.map { changed($0, names, change) }
        }
        if let kind = element["kind"] as? String, names.contains(kind) { change(&element) }
        return element
    }

    /// The same for the style of the first child: an element has a position within others.
    static func setOfChild(_ name: String, _ value: Any?) -> (inout [String: Any]) -> Void {
        { element in
            guard var children = element["children"] as? [[String: Any]], !children.isEmpty else { return }
            set(name, value, in: "style")(&children[0])
            element["children"] = children
        }
    }

    /// Gives a property a value, or takes it out.
    static func set(_ name: String, _ value: Any?, in member: String = "payload") -> (inout [String: Any]) -> Void {
        { element in
            var members = element[member] as? [String: Any] ?? [:]
            members[name] = value
            element[member] = members
        }
    }

    /// The output of each printer.
    var printed: [String: [UInt8]] {
        let (view, options) = (bench.view, PrintOptions())
        return Dictionary(
            uniqueKeysWithValues: PrintedForm.allCases.map {
                ($0.name, $0.print(view, of: bench.program, options, NoAssets()))
            })
    }

    /// The scene that the reader makes of it, without places in the document.
    var made: String {
        var text = ""
        dump(bench.program.scenes["Main"], to: &text)
        return text.split(separator: "\n")
            .filter { line in
                !["Main.widgets.json:", "- line: ", "- column: ", "- path: "].contains { line.contains($0) }
            }
            // Dictionaries have no order.
            .sorted().joined(separator: "\n")
    }

    var nodes: [Node] { bench.program.scenes["Main"]?.nodes ?? [] }

    /// The faults of what is written, without those about pictures.
    var faults: [String] {
        bench.messages.filter {
            $0.contains("[bad-payload]") || $0.contains("[unknown-kind]") || $0.contains(" has no ")
        }
    }

    /// A value that a property takes, other than its default.
    static func value(_ spec: PropertySpec) -> Any? {
        switch spec.type {
        case .text:
            switch spec.name {
            case "source", "refresh", "refreshing": "events"
            case "document": "Part"
            case "kind": "label"
            case "url": "https://a.example/a.png"
            default: "abc"
            }
        case .number, .length: spec.initial == .number(3) ? 4 : 3
        case .words(let words): Array(words.prefix(1))
        case .font: "title1"
        // Corners that are round, as in the sample, clip already.
        case .flag: if spec.initial == .flag(true) || spec.name == "clips" { false } else { true }
        case .date: "2031-01-01T00:00:00Z"
        case .color: "#ff0000"
        // A button that cancels looks as a plain one does.
        case .choice(let words): words.last { spec.initial != .text($0) && $0 != "cancel" }
        case .binding: "$name"
        case .anything: spec.name == "actions" ? [["title": "Delete"]] : "abc"
        case .sides: 4
        case .object: ["title": "Other"]
        }
    }

    /// A value that a property does not take; `nil` if it takes all.
    static func unfit(_ type: PropertyType) -> Any? {
        switch type {
        case .number, .length, .flag, .date, .choice, .words, .font, .sides: "unfit"
        case .color: "no color"
        case .text: [1]
        case .object: 3
        case .binding, .anything: nil
        }
    }
}
