import JSONText
import Testing
import WidgetContract

@testable import Widgets

/// Widgets, composites, containers and modifiers: the mechanics that authors of such screens know.
struct `The mechanics of widgets` {
    @Test func `D1: A kind is a value, and an alert or a screen is shown by an action`() throws {
        var run = try DeclaredRun(
            Screen {
                LabelWidget("Below")
                ButtonWidget("Warn").onTap(.alert("Careful"))
                ButtonWidget("Next").onTap(.present(Screen { LabelWidget("Above") }))
            })
        #expect(run.tap("Warn") == nil)
        #expect(run.text.contains("Careful"))
        #expect(run.tap("OK") == nil)
        #expect(run.tap("Next") == nil)
        #expect(run.text.contains("Above"))
    }

    @Test func `D2: A composite is a screen, and a part of one`() throws {
        var alone = try DeclaredRun(Card(title: "One"))
        #expect(alone.text.contains("One"))
        var inside = try DeclaredRun(
            Screen {
                Card(title: "One")
                Card(title: "Two").padding(3)
            })
        #expect(inside.text.contains("One") && inside.text.contains("Two"))
    }

    @Test func `D3: Children and slots are all in the document`() throws {
        let run = try DeclaredRun(
            Screen {
                ScrollWidget(ContainerWidget(LabelWidget("Deep")))
                TableWidget { TableSectionWidget { LabelWidget("In a row") } }.placeholder { LabelWidget("In a slot") }
                Card(title: "In a composite")
            })
        for text in ["Deep", "In a row", "In a slot", "In a composite"] {
            #expect(run.document("Screen").contains(text), "\(text)")
        }
    }

    @Test func `D4: A modifier returns a copy, and the widget from before stays`() throws {
        let plain = LabelWidget("Text")
        let red = plain.color(.red)
        let run = try DeclaredRun(
            Screen {
                plain.id("plain")
                red.id("red")
            })
        #expect(run.document("Screen").contains(#""id":"red","payload":{"text":"Text"},"style":{"color":"red"}"#))
        #expect(run.document("Screen").contains(#""id":"plain","payload":{"text":"Text"}}"#))
    }

    @Test func `D5: Several changes of the context and several bindings are all kept`() throws {
        var run = try DeclaredRun(
            Screen { ContextLabel() }
                .context { $0.put("a", as: "first") }.context { $0.put("b", as: "second") })
        #expect(run.text.contains("a and b"), "\(run.text)")
    }

    @Test func `D6: Looks come from the theme, then from styles, then from modifiers, of which the last wins`() throws {
        var theme = WidgetTheme()
        theme.text = WidgetColor("#111111")
        theme.setStyle("loud", WidgetStyle().color(WidgetColor("#222222")).bold())
        var run = try DeclaredRun(
            Screen {
                LabelWidget("1").id("theme")
                LabelWidget("2").id("style").style("loud")
                LabelWidget("3").color(WidgetColor("#333333")).color(WidgetColor("#444444")).style("loud").id("own")
            }.theme(theme))
        #expect(try run.frame("theme")["foreground"]?.string == "#111")
        #expect(try run.frame("style")["foreground"]?.string == "#222")
        #expect(try run.frame("own")["foreground"]?.string == "#444")
        #expect(try run.frame("own")["font"]?["weight"]?.double == 700)
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D7: A native widget draws itself as text and as markup`() throws {
        struct Dial: WidgetView {
            @State var value = 3

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    NativeWidget("Dial", of: $value, text: { "\($0) of 10" }, html: { "<b class=\"dial\">\($0)</b>" })
                    NativeWidget("Bar", text: { String(repeating: "#", count: value) }).onTap(.set($value, to: 1))
                    NativeWidget("Fixed", text: "always")
                    ButtonWidget("More").onTap(.set($value, to: $value + 1))
                }
            }
        }
        var run = try DeclaredRun(Dial())
        #expect(run.text.contains("3 of 10") && run.text.contains("###") && run.text.contains("always"))
        #expect(run.page.contains(#"<b class="dial">3</b>"#))
        #expect(run.tap("More") == nil)
        #expect(run.text.contains("4 of 10") && run.text.contains("####"), "\(run.text)")
        #expect(run.page.contains(#"<b class="dial">4</b>"#))
        #expect(run.json.contains("Dial"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D24: The demo composites are screens of Swift that run`() throws {
        var run = try DeclaredRun(Profile())
        for text in ["Photo of Ann", "Bo", "Details"] { #expect(run.text.contains(text), "\(run.text)") }
        #expect(!run.text.contains("No connection"))
        #expect(run.tap("Fail") == nil)
        #expect(run.text.contains("No connection"))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D8: Any widget is a screen, with or without a bar`() throws {
        var run = try DeclaredRun(
            LabelWidget("First").navigationBar(title: "Title").onTap { context in
                context.navigator?.push(widget: LabelWidget("Second").navigationBar(title: "", hidden: true))
            })
        #expect(run.text.contains("Title"))
        #expect(run.tap("First") == nil)
        #expect(run.text.contains("Second"))
        #expect(run.document("Label2").contains(#""bar":false"#))
    }

    @Test func `D9: A screen that is built again replaces the one from before`() throws {
        struct Rebuilt: WidgetView {
            @State var count = 1

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("Built with \(count)")
                    ButtonWidget("Again").onTap { _ in count += 1 }
                }
            }
        }
        var run = try DeclaredRun(Rebuilt())
        #expect(run.tap("Again") == nil)
        #expect(run.text.contains("Built with 2") && !run.text.contains("Built with 1"), "\(run.text)")
        #expect(run.scenes == ["Rebuilt"])
    }
}

/// Parts as those of the demonstrations of the original.
private struct Profile: WidgetView {
    @State var message = ""
    @State var rows = [Person(id: 1, name: "Ann", friend: "Bo")]

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget($message).color(.white).backgroundColor(.red).hidden($message.isEmpty)
            ZStackWidget {
                LabelWidget("AB").position(.center)
                ImageWidget(named: "Ann").alternative("Photo of Ann").position(.fill)
            }
            .frame(height: 60, width: 60).cornerRadius(30).clipsToBounds(true)
            ForEach($rows, key: \.id) { row in
                HStackWidget {
                    LabelWidget(row.name).color(.secondaryText)
                    FlexibleSpaceWidget()
                    LabelWidget(row.friend)
                }
            }
            Card(title: "Details")
            ButtonWidget("Fail").onTap { _ in message = "No connection" }
        }
    }
}

/// A part that shows what its ancestors put into the context.
private struct ContextLabel: WidgetView {
    func widget(_ context: WidgetContext) -> any Widget {
        let first = context.find("first", as: String.self) ?? "nothing"
        let second = context.find("second", as: String.self) ?? "nothing"
        return LabelWidget("\(first) and \(second)")
    }
}
