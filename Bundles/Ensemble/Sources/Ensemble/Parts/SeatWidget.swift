import Widgets

/// A name on a ground that is as large as the name.
struct SeatWidget: WidgetView {
    let name: TextValue

    func widget(_ context: WidgetContext) -> any Widget {
        ContainerWidget(LabelWidget(name).font(.footnote))
            .padding(8)
            .backgroundColor(.tertiaryBackground)
            .cornerRadius(8)
            .borderColor(.separator)
    }
}
