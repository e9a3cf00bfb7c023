import Widgets

/// A question in front of the menu, which is left with an answer or without.
struct EncoreScreen: WidgetView {
    func widget(_ context: WidgetContext) -> any Widget {
        VStackWidget {
            LabelWidget("Shall they play once more? Without an answer this closes after a while.").numberOfLines(0)
            ButtonWidget("Once more").role(.prominent).onTap(.dismiss(returning: "Once more")).id("more")
            ButtonWidget("Enough").onTap(.dismiss(returning: "Enough")).id("enough")
            ButtonWidget("Close").role(.cancel).onTap(.dismiss).id("close")
        }
        .navigationBar(title: "Encore")
        .onViewDidAppear(.after(75, .dismiss(returning: "No answer")))
    }
}
