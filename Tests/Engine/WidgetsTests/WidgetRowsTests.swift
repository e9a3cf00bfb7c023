import FoundationEssentials
import JSONText
import Testing

@testable import Widgets

/// The widgets with their modifiers and events.
struct `The widgets of screens in Swift` {
    @Test func `D10: A label shows a text, a value or an optional one, in its look`() throws {
        struct Texts: WidgetView {
            @State var name = "Ann"
            @State var nick: String?

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("Fixed").font(.title1).color(.red).alignment(.center).numberOfLines(2)
                        .lineBreakMode(.middle)
                    LabelWidget($name)
                    LabelWidget("Hello \($name)!")
                    LabelWidget($nick).placeholder("no nickname")
                    LabelWidget.footnote("Small print")
                    ButtonWidget("Name").onTap { _ in nick = "Annie" }
                }
            }
        }
        var run = try DeclaredRun(Texts())
        for text in ["Fixed", "Ann", "Hello Ann!", "no nickname", "Small print"] {
            #expect(run.text.contains(text), "\(text)")
        }
        #expect(run.document("Texts").contains(#""lines":2"#) && run.document("Texts").contains(#""font":"footnote""#))
        #expect(run.document("Texts").contains(#""align":"center""#))
        #expect(run.document("Texts").contains(#""truncate":"middle""#))
        #expect(run.tap("Name") == nil)
        #expect(run.text.contains("Annie") && !run.text.contains("no nickname"))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D11: A picture has a name or an address, words, a stand-in and a mode`() throws {
        var run = try DeclaredRun(
            Screen {
                ImageWidget(named: "Logo").alternative("Our sign").contentMode(.scaleAspectFill).placeholder("Empty")
                ImageWidget(url: "https://example.com/a.png").contentMode(.center)
            })
        #expect(run.text.contains("Our sign"))
        #expect(run.json.contains("https://example.com/a.png"))
        #expect(run.document("Screen").contains(#""fit":"fill""#))
        #expect(run.document("Screen").contains(#""placeholder":"Empty""#))
    }

    @Test func `D12: A button has a title for its state, and does one thing or several`() throws {
        struct Buttons: WidgetView {
            @State var isOn = false
            @State var count = 0

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    ButtonWidget($isOn.choose("Turn off", else: "Turn on")).selected($isOn).color(.blue).font(.headline)
                        .onTap(.toggle($isOn), .set($count, to: $count + 1))
                    ButtonWidget("Only then").enabled($isOn).role(.prominent).onTap { _ in count = 10 }
                    ButtonWidget("Busy").busy($isOn)
                    LabelWidget("count \($count)")
                }
            }
        }
        var run = try DeclaredRun(Buttons())
        #expect(run.tap("Only then") != nil, "a button that is not enabled cannot be tapped")
        #expect(run.tap("Turn on") == nil)
        #expect(run.text.contains("Turn off") && run.text.contains("count 1"))
        #expect(run.tap("Busy") != nil)
        #expect(run.tap("Only then") == nil)
        #expect(run.text.contains("count 10"))
    }

    @Test func `D13: A field is bound to a text both ways, and tells of its events`() throws {
        struct Field: WidgetView {
            @State var name = "Ann"
            @State var nick: String?
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    TextFieldWidget($name).id("name").placeholder("Name").keyboard(.email)
                        .onChange { _, text in log += "(\(text))" }
                        .onEditingDidBegin { _ in log += "b" }
                        .onEditingDidEnd { _ in log += "e" }
                        .onEditingDidEndOnExit { _ in log += "x" }
                    TextFieldWidget($nick).id("nick").secureTextEntry().content(.nickname)
                    LabelWidget("\($name) is \($nick)")
                    LabelWidget("log \($log)")
                    ButtonWidget("Clear").onTap { _ in name = "" }
                }
            }
        }
        var run = try DeclaredRun(Field())
        #expect(run.type("Bo", into: "name") == nil)
        #expect(run.type("B", into: "nick") == nil)
        #expect(run.text.contains("Bo is B"), "\(run.text)")
        #expect(run.text.contains("(Bo)"), "\(run.text)")
        #expect(run.submit("name") == nil)
        #expect(run.text.contains("x"), "\(run.text)")
        #expect(run.document("Field").contains(#""begin":"#) && run.document("Field").contains(#""end":"#))
        #expect(run.tap("Clear") == nil)
        #expect(run.text.contains(" is B"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D14: A spacer is fixed, or takes the room that is left`() throws {
        let run = try DeclaredRun(
            Screen {
                SpacerWidget(h: 12)
                HStackWidget {
                    SpacerWidget(w: 8)
                    FlexibleSpaceWidget()
                }
            })
        #expect(run.document("Screen").contains(#""payload":{"h":12,"grow":false}"#))
        #expect(run.document("Screen").contains(#""payload":{"w":8,"grow":false}"#))
        #expect(run.document("Screen").contains(#"{"kind":"spacer"}"#))
    }

    @Test func `D15: A spinner turns while a value is true`() throws {
        struct Work: WidgetView {
            @State var isWorking = true

            func widget(_ context: WidgetContext) -> any Widget {
                SpinnerWidget().active($isWorking).label("Loading").color(.gray)
                ButtonWidget("Stop").onTap(.set($isWorking, to: false))
            }
        }
        var run = try DeclaredRun(Work())
        #expect(run.text.contains("(loading)"))
        #expect(run.page.contains("Loading"))
        #expect(run.tap("Stop") == nil)
        #expect(!run.text.contains("(loading)"))
    }

    @Test func `D16: Stacks have widgets, or those of a list, and a stand-in for an empty one`() throws {
        struct Stacks: WidgetView {
            @State var names: [String] = []

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    HStackWidget {
                        LabelWidget("left")
                        LabelWidget("right")
                    }
                    .spacing(4).alignment(.top).distribution(.fillEqually)
                    VStackWidget(ObservableListBuilder($names) { name in LabelWidget("row \(name)") })
                        .placeholder { LabelWidget("no names") }.alignment(.leading)
                    ButtonWidget("Add").onTap(.append("Bo", to: $names))
                }
            }
        }
        var run = try DeclaredRun(Stacks())
        #expect(run.text.contains("no names"))
        #expect(run.tap("Add") == nil)
        #expect(run.text.contains("row Bo") && !run.text.contains("no names"))
        #expect(run.document("Stacks").contains(#""spacing":4,"align":"top","distribute":"equal""#))
    }

    @Test func `D17: Widgets in front of each other have their places`() throws {
        var run = try DeclaredRun(
            Screen {
                ZStackWidget {
                    LabelWidget("Behind").position(.topLeft)
                    LabelWidget("Before").position(.center)
                }.height(80)
            })
        #expect(run.text.contains("Before"))
        #expect(run.document("Screen").contains(#""style":{"position":"topLeft"}"#))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `D18: A container is a box around a widget`() throws {
        var run = try DeclaredRun(
            Screen { ContainerWidget(LabelWidget("In it")).padding(8).backgroundColor(.fill).id("box") })
        #expect(run.text.contains("In it"))
        #expect(try run.frame("box")["background"] != nil)
    }

    @Test func `D19: A scrolling widget has an axis`() throws {
        let run = try DeclaredRun(Screen { ScrollWidget { LabelWidget("Long") }.axis(.both) })
        #expect(run.document("Screen").contains(#"{"kind":"scroll","payload":{"axis":"both"}"#))
    }

    @Test func `D20: A disclosure shows and hides its widgets, and follows a state`() throws {
        struct Fold: WidgetView {
            @State var isOpen = false

            func widget(_ context: WidgetContext) -> any Widget {
                DisclosableWidget("More") { LabelWidget("Details") }.expanded($isOpen)
                ButtonWidget("Unfold").onTap(.set($isOpen, to: true))
            }
        }
        var run = try DeclaredRun(Fold())
        #expect(!run.text.contains("Details"))
        #expect(run.tap("Unfold") == nil)
        #expect(run.text.contains("Details"))
    }

    @Test func `D21: An alert is presented with its actions, or shown by a state`() throws {
        struct Asking: WidgetView {
            @State var answer = "none"
            @State var isSaved = false

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("Answer: \($answer)")
                    ButtonWidget("Ask").onTap { context in
                        context.navigator?.present(
                            AlertWidget(title: "Delete it?", message: "It is gone then")
                                .addAction(title: "Cancel", style: .cancel)
                                .addAction(title: "Delete", style: .destructive) { _ in answer = "deleted" })
                    }
                    ButtonWidget("Ask as data").onTap(
                        .alert(
                            AlertWidget(title: "Sure?").addAction(title: "Yes", .set($answer, to: "yes"))
                                .addAction(title: "By code", style: .destructive) { _ in answer = "code" }))
                    ButtonWidget("Save").onTap(.set($isSaved, to: true))
                    AlertWidget("Saved", message: "All of it", shown: $isSaved)
                }
            }
        }
        var run = try DeclaredRun(Asking())
        #expect(run.tap("Ask") == nil)
        #expect(run.text.contains("Delete it?") && run.text.contains("It is gone then"), "\(run.text)")
        #expect(run.tap("Cancel") == nil)
        #expect(run.text.contains("Answer: none"), "\(run.text)")
        #expect(run.tap("Ask") == nil)
        #expect(run.tap("Delete") == nil)
        #expect(run.text.contains("Answer: deleted"), "\(run.text)")
        for (button, answer) in [("Yes", "yes"), ("By code", "code")] {
            #expect(run.tap("Ask as data") == nil)
            #expect(run.text.contains("Sure?"))
            #expect(run.tap(button) == nil)
            #expect(run.text.contains("Answer: \(answer)"), "\(run.text)")
        }
        #expect(run.tap("Save") == nil)
        #expect(run.text.contains("Saved") && run.text.contains("All of it"))
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `D23: A view of an app becomes a native widget, which can be tapped`() throws {
        struct Tapped: WidgetView {
            @State var count = 0

            func widget(_ context: WidgetContext) -> any Widget {
                NativeWidget("Gauge", text: "Gauge").onTap { _ in count += 1 }
                LabelWidget("\($count) taps")
            }
        }
        var run = try DeclaredRun(Tapped())
        #expect(run.tap("Gauge") == nil)
        #expect(run.text.contains("1 taps"), "\(run.text)")
    }

    @Test func `Form widgets send their fields together, and show what is wrong`() throws {
        struct Login: Codable {
            var user: String
            var terms: Bool
        }
        struct LoginScreen: WidgetView {
            @State var user = ""

            func widget(_ context: WidgetContext) -> any Widget {
                FormWidget {
                    TextFieldWidget().field("user").required().pattern("[a-z]+").message("Small letters").id("user")
                        .returnKey(.send).capitalization(.none).correction(false)
                    SwitchWidget("Terms").field("terms")
                    ButtonWidget("Send").role(.submit)
                    LabelWidget("Welcome \($user)")
                }
                .onSubmit { (_, login: Login) in user = "\(login.user) \(login.terms)" }
            }
        }
        var run = try DeclaredRun(LoginScreen())
        run.tap("Send")
        #expect(run.text.contains("Small letters"), "\(run.text)")
        #expect(run.type("ann", into: "user") == nil)
        #expect(run.toggle("Terms", true) == nil)
        #expect(run.tap("Send") == nil)
        #expect(run.text.contains("Welcome ann true"), "\(run.text)")
    }

    @Test func `Switches, lines and moments are widgets too`() throws {
        struct Others: WidgetView {
            @State var isOn = false
            @State var date = Date(timeIntervalSince1970: 4_000_000_000)
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                SwitchWidget("News", isOn: $isOn).onChange { _, isOn in log += "\(isOn)" }
                DividerWidget().thickness(2)
                TimerWidget($date).style(.clock).tick(60)
                LabelWidget("log \($log)")
            }
        }
        var run = try DeclaredRun(Others())
        #expect(run.toggle("News", true) == nil)
        #expect(run.text.contains("log true"), "\(run.text)")
        #expect(
            run.document("Others").contains(#""state":{"isOn":false,"date":4000000000,"log":""}"#),
            "\(run.document("Others"))")
    }
}
