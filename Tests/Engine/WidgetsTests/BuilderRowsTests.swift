import JSONText
import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetRunning

@testable import Widgets

/// The good parts of the system's successor.
struct `Screens as their builder has them` {
    @Test func `Widgets are chosen by if, switch and optional values, and repeated by for`() throws {
        enum Mode { case plain, loud }
        struct Built: WidgetView {
            let mode: Mode
            let note: String?

            func widget(_ context: WidgetContext) -> any Widget {
                if let note { LabelWidget("note \(note)") } else { LabelWidget("no note") }
                switch mode {
                case .plain: LabelWidget("plain")
                case .loud: LabelWidget("loud")
                }
                for number in 1...2 { LabelWidget("number \(number)") }
                Group {
                    LabelWidget("in a group")
                    [LabelWidget("in a list")] as [any Widget]
                }
                ForEach(["x", "y"]) { LabelWidget("each \($0)") }
            }
        }
        var run = try DeclaredRun(Built(mode: .loud, note: "a"))
        for text in ["note a", "loud", "number 2", "in a group", "in a list", "each y"] {
            #expect(run.text.contains(text), "\(text)")
        }
        var other = try DeclaredRun(Built(mode: .plain, note: nil))
        #expect(other.text.contains("no note") && other.text.contains("plain"))
    }

    @Test func `A widget that is made in code is a value, and nothing is made until a screen needs it`() throws {
        var count = 0
        let screen = Screen { () -> any Widget in
            count += 1
            return LabelWidget("Made")
        }
        #expect(count == 0)
        _ = try DeclaredRun(screen)
        #expect(count == 1)
    }

    @Test func `Styles are values of Swift, which widgets and themes share`() throws {
        let card = WidgetStyle().backgroundColor(.fill).padding(12).cornerRadius(8)
        var theme = WidgetTheme()
        theme.setStyle("card", card)
        var run = try DeclaredRun(
            Screen {
                VStackWidget { LabelWidget("A") }.style("card").padding(3).id("named")
                VStackWidget { LabelWidget("B") }.style(card).id("direct")
            }.theme(theme))
        #expect(run.document("Screen").contains(#""style":["card",{"padding":3}]"#), "\(run.document("Screen"))")
        #expect(try run.frame("named")["background"] != nil)
        #expect(try run.frame("direct")["background"] != nil)
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `A field is found by its id, and gets the cursor`() throws {
        struct Fields: WidgetView {
            @State var name = ""

            func widget(_ context: WidgetContext) -> any Widget {
                TextFieldWidget($name).id("field")
                ButtonWidget("By code").onTap { $0.focus("field") }
                ButtonWidget("By data").onTap(.focus("field"))
            }
        }
        for button in ["By code", "By data"] {
            var run = try DeclaredRun(Fields())
            #expect(run.instance.store.screens.last?.focus == nil)
            #expect(run.tap(button) == nil)
            #expect(run.instance.store.screens.last?.focus != nil, "\(button)")
        }
    }

    @Test func `A switch, a line, another document and a choice by a value are kinds`() throws {
        struct Kinds: WidgetView {
            @State var isOn = true
            @State var word = "b"

            func widget(_ context: WidgetContext) -> any Widget {
                SwitchWidget("Both ways", isOn: $isOn)
                DividerWidget()
                MatchWidget(
                    $word, ["a": LabelWidget("chose a"), "b": LabelWidget("chose b")], else: LabelWidget("else"))
                ButtonWidget("Off").onTap { _ in
                    isOn = false
                    word = "z"
                }
                LabelWidget("off").shown(if: !$isOn)
            }
        }
        var run = try DeclaredRun(Kinds())
        #expect(run.text.contains("chose b"))
        #expect(run.tap("Off") == nil)
        #expect(run.text.contains("else") && run.text.contains("off"), "\(run.text)")
        #expect(DocumentWidget("Header").element.payload.first?.name == "document")
    }

    @Test func `Actions of data are in the document, and need no program`() throws {
        struct Data: WidgetView {
            @State var count = 0
            @State var names: [String] = []

            func widget(_ context: WidgetContext) -> any Widget {
                ButtonWidget("All").onTap(
                    .set($count, to: $count + 1), .append("a", to: $names), .when($count > 0, [.alert("More")]),
                    .after(1, .set($count, to: 0)), .open("https://example.com"), .refresh())
            }
        }
        let run = try DeclaredRun(Data())
        for word in ["set", "append", "when", "alert", "after", "open", "refresh"] {
            #expect(run.document("Data").contains(#""do":"\#(word)""#), "\(word)")
        }
        #expect(run.program.declaration.handlers.isEmpty)
    }

    @Test func `Every closure is listed with its place in the source`() throws {
        let run = try DeclaredRun(LabelWidget("Tap").onTap { _ in })
        let handler = try #require(run.program.declaration.handlers.first)
        #expect(handler.what == #"tap of the label "Tap""#)
        #expect(handler.file?.hasSuffix("BuilderRowsTests.swift") ?? false)
        #expect((handler.line ?? 0) > 100)
    }
}
