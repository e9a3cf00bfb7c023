import Widgets

/// A name and its value in one line.
struct FactWidget: WidgetView {
    let name: TextValue
    let value: TextValue

    func widget(_ context: WidgetContext) -> any Widget {
        HStackWidget {
            LabelWidget(name).color(.quiet)
            SpacerWidget()
            LabelWidget(value).alignment(.right)
        }
    }
}
