import Widgets

/// An event with the sign of its type, its repository and its age. Types without a sign have a dot.
struct EventWidget: WidgetView {
    let event: Reading<Event>

    func widget(_ context: WidgetContext) -> any Widget {
        HStackWidget {
            ZStackWidget {
                LabelWidget(sign).placeholder("•").color(.white).position(.center)
            }
            .frame(height: 32, width: 32)
            .cornerRadius(8)
            .backgroundColor(.sea)
            VStackWidget {
                LabelWidget(event.repository).font(.headline)
                LabelWidget("\(event.actor) \(words)").placeholder("Something else happened.")
                    .font(.subheadline).color(.quiet)
            }
            .spacing(2)
            SpacerWidget(h: 1)
            TimerWidget(event.at).tick(60).font(.footnote).color(.quiet)
        }
        .spacing(12)
    }

    private var sign: Reading<String> {
        event.type.match([
            "create": "✚", "delete": "✖", "fork": "Y", "push": "⬆", "watch": "★", "follow": "♥", "issue": "!",
            "comment": "❝",
        ])
    }

    private var words: Reading<String> {
        event.type.match([
            "create": "created it", "delete": "deleted it", "fork": "forked it", "push": "pushed to it",
            "watch": "watches it", "follow": "follows it", "issue": "opened an issue", "comment": "commented",
        ])
    }
}
