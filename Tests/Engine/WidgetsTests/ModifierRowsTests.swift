import JSONText
import Testing

@testable import Widgets

/// The modifiers that all widgets have.
struct `The modifiers of widgets` {
    @Test func `Views are named, hidden and dimmed, and have grounds`() throws {
        enum Mark: String { case top }
        struct Views: WidgetView {
            @State var isHidden = false

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("Here").hidden($isHidden).tag(Mark.top)
                    ImageWidget(named: "Logo").accessibilityLabel("Sign")
                    LabelWidget("Gone").hidden(true)
                    LabelWidget("Dim").alpha(0.5).backgroundColor(.fill).clipsToBounds(true).tag(7)
                    ButtonWidget("Hide").onTap(.toggle($isHidden))
                }
            }
        }
        var run = try DeclaredRun(Views())
        #expect(run.text.contains("Here") && !run.text.contains("Gone"))
        #expect(run.document("Views").contains(#""id":"top""#) && run.document("Views").contains(#""id":"tag7""#))
        #expect(run.page.contains("Sign"))
        #expect(try run.frame("tag7")["alpha"]?.double == 0.5)
        #expect(run.tap("Hide") == nil)
        #expect(!run.text.contains("Here"))
    }

    @Test func `Borders, corners and shadows are named one by one`() throws {
        let run = try DeclaredRun(
            Screen {
                LabelWidget("A").border(.red, width: 2).cornerRadius(6).corners(.topLeft, .topRight).shadow(radius: 3)
                LabelWidget("B").borderColor(.blue).borderWidth(1)
            })
        #expect(
            run.document("Screen").contains(
                #"{"borderColor":"red","borderWidth":2,"cornerRadius":6,"corners":["topLeft","topRight"],"shadow":3}"#))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `Sizes are exact or limited, and a widget gives way or takes room`() throws {
        let run = try DeclaredRun(
            Screen {
                LabelWidget("A").width(50).height(20).grow()
                LabelWidget("B").width(min: 10, max: 90).height(min: 5, max: 60).shrink()
                LabelWidget("C").frame(height: 30, width: 40)
            })
        let document = run.document("Screen")
        #expect(document.contains(#"{"width":50,"height":20,"grow":true}"#))
        #expect(document.contains(#"{"minWidth":10,"maxWidth":90,"minHeight":5,"maxHeight":60,"shrink":true}"#))
        #expect(document.contains(#"{"height":30,"width":40}"#))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `Each of the sixteen places is one of documents`() throws {
        let run = try DeclaredRun(
            Screen {
                ZStackWidget {
                    for place in WidgetPosition.allCases { LabelWidget("\(place)").position(place) }
                }
            })
        #expect(WidgetPosition.allCases.count == 16)
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `Padding has one value, two or four, and a margin is another thing`() throws {
        var run = try DeclaredRun(
            Screen {
                LabelWidget("A").padding(4).margin(9).id("one")
                LabelWidget("B").padding(h: 1, v: 2).margin(h: 3, v: 4)
                LabelWidget("C").padding(top: 1, left: 2, bottom: 3, right: 4)
            })
        #expect(try run.frame("one")["padding"] != nil || run.document("Screen").contains(#""padding":4,"margin":9"#))
        #expect(run.document("Screen").contains(#""padding":{"horizontal":1,"vertical":2}"#))
        #expect(run.document("Screen").contains(#""padding":{"top":1,"left":2,"bottom":3,"right":4}"#))
        #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `Labels, pictures, stacks and boxes are tapped as buttons are`() throws {
        struct Taps: WidgetView {
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                LabelWidget("Tap me").onTap { _ in log += "label " }
                ImageWidget(named: "Logo").alternative("Logo").onTap { _ in log += "image " }
                HStackWidget { LabelWidget("In a stack") }.onTap(.set($log, to: "\($log)stack"))
                LabelWidget($log).id("log")
            }
        }
        var run = try DeclaredRun(Taps())
        #expect(run.tap("Tap me") == nil)
        #expect(run.tap("Logo") == nil)
        #expect(run.text.contains("label image"), "\(run.text)")
        #expect(run.document("Taps").contains(#""tap":{"do":"set","state":"log""#))
    }

    @Test func `A screen tells when it is made, comes and goes`() throws {
        struct Below: WidgetView {
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    LabelWidget("log \($log).")
                    ButtonWidget("Open").onTap { context in
                        context.navigator?.push(
                            widget: LabelWidget("Above").onViewWillDisappear { _ in log += "gone " }
                                .onTap { $0.navigator?.pop() })
                    }
                }
                .onLoad { _ in log += "load " }
                .onViewWillAppear { _ in log += "appear " }
            }
        }
        var run = try DeclaredRun(Below())
        #expect(run.text.contains("log load appear") || run.text.contains("log appear load"), "\(run.text)")
        #expect(run.tap("Open") == nil)
        #expect(run.tap("Above") == nil)
        #expect(run.text.contains("gone") && run.text.contains("appear"), "\(run.text)")
        #expect(run.faults.isEmpty, "\(run.faults)")
    }

    @Test func `A part tells when it comes and goes`() throws {
        struct Parts: WidgetView {
            @State var isOn = false
            @State var log = ""

            func widget(_ context: WidgetContext) -> any Widget {
                VStackWidget {
                    When($isOn) {
                        LabelWidget("Part").onAppear { _ in log += "in " }.onAppearOnce(.set($log, to: "\($log)first "))
                            .onDisappear { _ in log += "out " }
                    }
                    ButtonWidget("Go").onTap(.toggle($isOn))
                    LabelWidget("log \($log).")
                }
            }
        }
        var run = try DeclaredRun(Parts())
        for _ in 0..<3 { #expect(run.tap("Go") == nil) }
        #expect(run.text.contains("log first in out in ."), "\(run.text)")
    }
}
