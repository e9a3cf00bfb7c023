import Foundation
import JSONText
import Testing
import WidgetContract
import WidgetCore
import WidgetRunning

@testable import Widgets

/// Mistakes of authors. Each is reported in words, and the rest of the screen is shown.
struct `Mistakes in screens of Swift` {
    private func faults(_ widget: any Widget) -> [NativeRemark] {
        DeclaredProgram("com.example.Test", first: widget).declaration.faults
    }

    private struct Named: Codable, Sendable {
        var first = "Ann"
        var nick: String?
        var full: String { first + "!" }

        enum CodingKeys: String, CodingKey {
            case first = "first_name"
            case nick
        }
    }

    @Test func `A key path to a computed property is reported`() throws {
        struct Shown: WidgetView {
            @State var person = Computed()

            struct Computed: Codable, Sendable {
                var name = "Ann"
                var loud: String { name.uppercased() }
            }

            static let line = #line

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget($person.name)
                LabelWidget($person.loud)
                Labelled(
                    text: "Loud: \($person.loud)")
            }

            struct Labelled: WidgetView {
                let text: TextValue

                func widget(_ context: WidgetContext) -> any Widget { LabelWidget(text) }
            }
        }
        let found = faults(Shown())
        let fault = try #require(found.first)
        #expect(fault.message.contains("computed property") && fault.hint?.contains("map") ?? false, "\(fault)")
        #expect(fault.file?.hasSuffix("AuthorFaultTests.swift") ?? false)
        // That of the widget, and that of the text, which is written elsewhere.
        #expect(found.map { $0.line.map { $0 - Shown.line } } == [4, 6], "\(found)")
    }

    @Test func `A text with the value that a state has is remarked with its line, and one that follows it is not`()
        throws
    {
        struct Shown: WidgetView {
            @State var times = 2

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("Times \(times)")
                    LabelWidget("Times \($times) of \(7)")
                    for row in 0..<times { LabelWidget("Row \(row)") }
                }
            }
        }
        let found = faults(Shown())
        let fault = try #require(found.first)
        #expect(found.count == 1 && !fault.isError && fault.message.contains("the value that times has"), "\(found)")
        #expect(fault.hint == #"write "\($times)", which the text follows"#)
        #expect(fault.file?.hasSuffix("AuthorFaultTests.swift") == true && fault.line ?? 0 > 40)
    }

    @Test func `A member that is renamed when it is encoded is reported`() throws {
        struct Shown: WidgetView {
            @State var person = Named()
            @State var people = [Named()]

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget($person.nick)
                LabelWidget($person.first)
                ForEach($people, key: \.first) { LabelWidget($0.first) }
            }
        }
        let found = faults(Shown())
        #expect(found.count == 1 || found.count == 2, "\(found)")
        #expect(found.allSatisfy { $0.message.contains("The member first of Named") }, "\(found)")
        #expect(found.allSatisfy { $0.hint?.contains("CodingKeys") ?? false })
    }

    @Test func `A value that cannot be encoded is reported, as a state, a constant and an assignment`() throws {
        struct Shown: WidgetView {
            @State var ratio = Double.infinity
            @State var other = 1.0

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("\($ratio)")
                ButtonWidget("Data").onTap(.set($other, to: Double.nan))
                ButtonWidget("Code").onTap { _ in other = .infinity }
                LabelWidget("other \($other).")
            }
        }
        let found = faults(Shown()).map(\.message)
        #expect(found.contains { $0.contains("state ratio cannot be encoded") }, "\(found)")
        #expect(found.contains { $0.contains("constant of the type Double") }, "\(found)")
        var run = try DeclaredRun(Shown())
        #expect(run.tap("Code") == nil)
        #expect(run.messages.contains { $0.contains("A value of the state other cannot be encoded") })
        #expect(run.text.contains("other 1."), "the state keeps the value from before")
    }

    @Test func `An item that is used outside of its list is reported with the place of its closure`() throws {
        final class Leak {
            var item: Reading<Person>?
        }
        struct Leaky: WidgetView {
            let leak = Leak()
            @State var people = [Person(id: 1, name: "Ann")]

            func widget(_ context: WidgetContext) -> any Widget {
                ForEach($people) { person -> [any Widget] in
                    leak.item = person
                    return [LabelWidget(person.name)]
                }
                if let item = leak.item { ButtonWidget("Out").onTap(with: item) { _, _ in } }
            }
        }
        let fault = try #require(faults(Leaky()).first)
        #expect(fault.message.contains("The item person is used outside of its list"))
        #expect(fault.file?.hasSuffix("AuthorFaultTests.swift") ?? false)
        #expect((fault.line ?? 0) > 90)
    }

    private struct Endless: WidgetView {
        static let line = #line

        func widget(_ context: WidgetContext) -> any Widget {
            VStackWidget {
                Endless()
                Endless()
            }
        }
    }

    @Test func `A composite that has itself in it is reported, and ends`() throws {
        let found = faults(Endless())
        #expect(found.contains { $0.message.contains("Endless has itself in it") }, "\(found.count)")
        #expect(found.count < 10)
        let lines = Set(found.filter { $0.message.contains("has itself in it") }.map { ($0.line ?? 0) - Endless.line })
        #expect(lines.isSubset(of: [4, 5]), "\(lines)")
    }

    /// A composite that ends, after as many of its kind.
    private struct Nested: WidgetView {
        var depth: Int

        func widget(_ context: WidgetContext) -> any Widget {
            VStackWidget {
                LabelWidget("level \(depth)")
                if depth > 1 { Nested(depth: depth - 1) }
            }
        }
    }

    @Test func `The document around a composite that has itself in it can be read`() throws {
        struct Around: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                Endless()
                LabelWidget("after it")
            }
        }
        var run = try DeclaredRun(Around())
        #expect(run.text.contains("after it"), "\(run.messages)")
        #expect(faults(Nested(depth: 8)).isEmpty)
    }

    @Test func `A text of Swift with a value in it is reported with its line`() throws {
        struct Gauge: WidgetView {
            @State var level = 3
            var isPlain: Bool

            func widget(_ context: WidgetContext) -> any Widget {
                // As `"\($level)"` does where a plain text is expected.
                var text = DefaultStringInterpolation(literalCapacity: 0, interpolationCount: 1)
                if isPlain { append($level, to: &text) }
                return NativeWidget(
                    "gauge", text: "\($level) of 9" as TextValue, html: String(stringInterpolation: text))
            }

            private func append(_ value: Binding<Int>, to text: inout some PlainText) {
                text.appendInterpolation(value, file: "Gauge.swift", line: 7)
            }
        }
        let fault = try #require(faults(Gauge(isPlain: true)).first)
        #expect(fault.message == "Gauge: A text of Swift has a value in it, which it does not follow")
        #expect(fault.file == "Gauge.swift" && fault.line == 7 && fault.hint?.contains("as TextValue") ?? false)
        #expect(faults(Gauge(isPlain: false)).isEmpty)
    }

    @Test func `A value that is not of the type of its closure is reported with the part and the line`() throws {
        struct Tiles: Codable, Sendable {
            struct Tile: Codable, Sendable { var value: Int }
            var tiles: [Tile]
        }
        struct Board: WidgetView {
            @State var count = 0
            @State var log = "none"

            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Text").onTap(.set($count, to: 1))
                ButtonWidget("Number").onTap(.set($count, to: 2))
                LabelWidget("log \($log).")
                    .onEvent(Reading<Int>.expression("TERNARY(count == 1, 'many', count)")) { _, number in
                        log = "\(number)"
                    }
            }
        }
        var run = try DeclaredRun(Board())
        #expect(run.tap("Text") == nil)
        let found = run.instance.diagnostics.filter {
            $0.message.contains("The closure is not called: it is a text, and Int is expected")
        }
        #expect(found.count == 1, "\(run.messages)")
        #expect(found.first?.place?.file.hasSuffix("AuthorFaultTests.swift") ?? false, "\(found)")
        #expect(run.tap("Number") == nil)
        #expect(run.text.contains("log 2.") && run.messages.count == found.count, "\(run.messages)")
        let json = try JSONDocument(parsing: Array(#"{"tiles": [{"value": 1}, {"value": "12,480 €"}]}"#.utf8)).root
        #expect(PlainValue.fault(of: json, as: Tiles.self) == "tiles[1].value is a text, and Int is expected")
        let short = try JSONDocument(parsing: Array(#"{"tiles": [{}]}"#.utf8)).root
        #expect(PlainValue.fault(of: short, as: Tiles.self) == "tiles[0] has no value")
    }

    @Test(arguments: [
        ("1529524320", 1_529_524_320), (#""2018-06-20T19:52:00Z""#, 1_529_524_320),
        (#""2018-06-20T21:52:00.5+02:00""#, 1_529_524_320.5), (#""2018-06-20""#, 1_529_452_800),
    ])
    func `A date is seconds, or a text of ISO 8601, as in documents`(written: String, seconds: Double) throws {
        let json = try JSONDocument(parsing: Array(#"{"at": \#(written)}"#.utf8)).root
        struct Event: Codable { let at: Date }
        #expect(PlainValue.value(json, as: Event.self)?.at == Date(timeIntervalSince1970: seconds))
        #expect(PlainValue.mismatch(json, as: Event.self) == nil)
        let other = try JSONDocument(parsing: Array(#"{"at": "yesterday"}"#.utf8)).root
        #expect(
            PlainValue.mismatch(other, as: Event.self)
                == "Event: at cannot be read: a date is written as 2018-06-20T19:52:00Z")
    }

    @Test func `A state that only reads is not changed by data`() throws {
        struct Computed: WidgetView {
            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("Set").onTap(.set(Binding<Int>.constant(1), to: 2))
            }
        }
        let fault = try #require(faults(Computed()).first)
        #expect(fault.message.contains("Only a state can be changed by an action"))
    }

    @Test func `A text of several parts within an expression is reported`() throws {
        struct Joined: WidgetView {
            @State var name = "Ann"

            func widget(_ context: WidgetContext) -> any Widget {
                let text: TextValue = "Hello \($name)"
                LabelWidget("yes").shown(if: $name.contains(text))
            }
        }
        #expect(faults(Joined()).contains { $0.message.contains("cannot be a part of another expression") })
    }
}

/// The text that a value is put into where a plain text of Swift is expected.
private protocol PlainText {
    mutating func appendInterpolation<Part: Changing>(_ value: Part, file: String, line: Int)
}

extension DefaultStringInterpolation: PlainText {}
