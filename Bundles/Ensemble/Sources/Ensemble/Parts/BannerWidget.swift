import Widgets

/// An error above a form, which is not there without a message.
struct BannerWidget: WidgetView {
    let message: Binding<String>

    func widget(_ context: WidgetContext) -> any Widget {
        ContainerWidget(LabelWidget(message).color(.white).bold())
            .padding(12)
            .backgroundColor(.alarm)
            .cornerRadius(8)
            .shown(if: !message.isEmpty)
    }
}
