import Widgets

struct WalkScreen: WidgetView {
    let walk: Reading<Walk>
    @State var times = 0
    @State var isTired = false

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget(walk.name).font(.title2)
            LabelWidget(walk.about)
            LabelWidget("\(walk.hint)").placeholder("No hint")
            Fact(name: "Minutes", value: "\(walk.minutes)")
            Fact(name: "Times", value: "\($times)")
            SwitchWidget("I am tired", isOn: $isTired).id("tired")
            ButtonWidget("I walked it").role(.prominent).enabled(!$isTired)
                .onTap(.set($times, to: $times + 1))
                .id("walked")
            When($times > 2) {
                LabelWidget("You know the way.").color(.quiet)
            }
            Note(text: "Take something to drink.")
        }
        .navigationBar(title: "\(walk.name)")
    }
}

/// A name and its value in one line.
struct Fact: WidgetView {
    let name: String
    let value: TextValue

    func widget(_ context: WidgetContext) -> any Widget {
        HStackWidget {
            LabelWidget(name).color(.quiet)
            SpacerWidget()
            LabelWidget(value)
        }
    }
}

/// A remark in a box.
struct Note: WidgetView {
    let text: String

    func widget(_ context: WidgetContext) -> any Widget {
        ContainerWidget {
            LabelWidget(text)
        }
        .padding(12)
        .backgroundColor(.secondaryBackground)
        .cornerRadius(8)
    }
}
