import Widgets

/// A box with a title, a text and a note.
struct CardWidget: WidgetView {
    let title: Reading<String>
    let text: Reading<String>
    let note: TextValue

    func widget(_ context: WidgetContext) -> any Widget {
        ContainerWidget {
            VStackWidget {
                LabelWidget(title).font(.headline)
                LabelWidget(text)
                LabelWidget(note).font(.footnote).color(.quiet)
            }
            .spacing(4)
        }
        .width(180)
        .padding(12)
        .backgroundColor(.secondaryBackground)
        .cornerRadius(12)
    }
}
