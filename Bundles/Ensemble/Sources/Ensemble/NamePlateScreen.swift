import Widgets

/// A label that follows a field and a switch.
struct NamePlateScreen: WidgetView {
    @State var name = "Ada Brandt"
    @State var isLoud = false

    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            ContainerWidget {
                LabelWidget($isLoud.choose($name.uppercased(), else: $name))
                    .placeholder("This chair is free.")
                    .alignment(.center)
                    .font(.title1)
                    .id("plate")
            }
            .padding(24)
            .backgroundColor(.secondaryBackground)
            .cornerRadius(12)
            TextFieldWidget($name).placeholder("Name").id("field")
            SwitchWidget("In capitals", isOn: $isLoud).id("loud")
            HStackWidget {
                ButtonWidget("Ada").onTap(.set($name, to: "Ada Brandt")).id("reset")
                ButtonWidget("Clear").onTap(.set($name, to: "")).id("clear")
            }
            .distribution(.fillEqually)
        }
        .navigationBar(title: "Name plate")
    }
}
